/** Icons for buttons: strokes in the color of the text. */
import type { ComponentChildren } from "preact";

function Icon({ children }: { children: ComponentChildren }) {
  return (
    <svg class="g-icon" viewBox="0 0 24 24" aria-hidden="true" focusable="false">
      {children}
    </svg>
  );
}

const icon = (...paths: string[]) =>
  function Drawn() {
    return (
      <Icon>
        {paths.map((path) => (
          <path key={path} d={path} />
        ))}
      </Icon>
    );
  };

export const Flag = icon("M6 21V4", "M6 4h11l-2.5 4L17 12H6");
export const Bulb = icon("M9 15.5a6 6 0 1 1 6 0V18H9z", "M10 21h4");
export const Book = icon("M5 4.5h9a4 4 0 0 1 4 4V20H9a4 4 0 0 1-4-4z", "M5 16a3.5 3.5 0 0 1 3.5-3.5H18");
export const Heart = icon("M12 20s-7.5-4.6-7.5-10A4.2 4.2 0 0 1 12 7.4 4.2 4.2 0 0 1 19.5 10c0 5.4-7.5 10-7.5 10z");
export const Pencil = icon("M5 19l1-4L16.5 4.5l3 3L9 18z");
export const Cross = icon("M6 6l12 12", "M18 6L6 18");
export const Check = icon("M5 12.5l4.5 4.5L19 7.5");
export const Half = icon("M8 6v7", "M6.5 7L8 6", "M5 20L19 4", "M15 14.5c0-2 4-2 4 0 0 1.6-4 2.4-4 5h4");
export const Undo = icon("M9 7L4.5 11.5 9 16", "M4.5 11.5H15a4.5 4.5 0 0 1 0 9h-3");
export const Plus = icon("M12 5v14", "M5 12h14");
export const Flip = icon("M8 4v16", "M4.5 7.5L8 4l3.5 3.5", "M16 20V4", "M12.5 16.5L16 20l3.5-3.5");
export const Diamond = icon("M12 3l9 9-9 9-9-9z");
export const Square = icon("M4.5 4.5h15v15h-15z");
export const SoundOn = icon("M4 9.5v5h3.5L12 19V5L7.5 9.5z", "M15.5 9a4 4 0 0 1 0 6", "M18 6.5a8 8 0 0 1 0 11");
export const SoundOff = icon("M4 9.5v5h3.5L12 19V5L7.5 9.5z", "M16 9.5l5 5", "M21 9.5l-5 5");
export const Question = icon("M8.5 9a3.5 3.5 0 1 1 5 3.2c-1 .5-1.5 1.1-1.5 2.3", "M12 18.4v.2");
export const First = icon("M6 5v14", "M18 5l-8 7 8 7");
export const Back = icon("M15.5 5l-8 7 8 7");
export const Next = icon("M8.5 5l8 7-8 7");
export const Last = icon("M18 5v14", "M6 5l8 7-8 7");
export const Repeat = icon("M5 12a7 7 0 0 1 12-5l2 2", "M19 4v5h-5", "M19 12a7 7 0 0 1-12 5l-2-2", "M5 20v-5h5");
export const Play = icon("M7 4.5l12 7.5-12 7.5z");
export const Copy = icon("M9 9h11v11H9z", "M5 15H4V4h11v1");
export const Graph = icon("M4 4v16h16", "M7 15l4-5 3 3 5-7");
export const Cup = icon("M8 4h8v6a4 4 0 0 1-8 0z", "M8 6H4c0 3 1.500 5 4 5", "M16 6h4c0 3-1.500 5-4 5", "M12 14v5", "M8 20h8");
