/** Form fields. */
import type { ComponentChildren } from "preact";

interface ChoicesProps<T extends string> {
  name: string;
  title: string;
  style?: "segments" | "chips";
  values: readonly (readonly [value: T, label: ComponentChildren, ariaLabel?: string])[];
  chosen: T;
  choose: (value: T) => void;
  children?: ComponentChildren;
}

/** Radio buttons in a row. */
export function Choices<T extends string>(props: ChoicesProps<T>) {
  const { name, title, style = "segments", values, chosen, choose, children } = props;
  return (
    <fieldset class="field">
      <legend>{title}</legend>
      <div class={style} data-choice={name}>
        {values.map(([value, label, ariaLabel]) => (
          <label key={value}>
            <input
              type="radio"
              name={name}
              value={value}
              checked={value === chosen}
              aria-label={ariaLabel}
              onChange={() => choose(value)}
            />
            {label}
          </label>
        ))}
      </div>
      {children}
    </fieldset>
  );
}

interface FieldProps {
  id: string;
  title: string;
  hint?: string;
  children: ComponentChildren;
}

/** A labeled field with a hint. */
export function Field({ id, title, hint, children }: FieldProps) {
  return (
    <div class="field">
      <label for={id}>{title}</label>
      {children}
      {hint && <p class="hint">{hint}</p>}
    </div>
  );
}
