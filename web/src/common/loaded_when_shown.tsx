/** Parts of a page that are loaded when they are first shown, such as dialogs. */
import type { FunctionComponent } from "preact";
import { useEffect, useState } from "preact/hooks";

/**
 * The part that `load` brings; nothing until it is there. Where it cannot be loaded it closes, so that it can be tried
 * again.
 */
export function loadedWhenShown<Props extends { close: () => void }>(
  load: () => Promise<FunctionComponent<Props>>,
): FunctionComponent<Props> {
  let loaded: FunctionComponent<Props> | null = null;
  return function LoadedWhenShown(props: Props) {
    const [, draw] = useState(0);
    useEffect(() => {
      if (loaded) return;
      load().then(
        (part) => {
          loaded = part;
          draw((count) => count + 1);
        },
        () => props.close(),
      );
    }, []);
    const Part = loaded;
    return Part && <Part {...props} />;
  };
}
