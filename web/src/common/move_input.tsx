/** The input line for moves. Not here: what a text does. */
import { useRef } from "preact/hooks";

interface MoveInputProps {
  id: string;
  label: string;
  placeholder: string;
  send: string;
  /** Whether a text is taken now. */
  enabled?: boolean;
  /** Takes a text that is not empty; castling has capital letters in it. */
  take: (text: string) => void;
}

export function MoveInput({ id, label, placeholder, send, enabled = true, take }: MoveInputProps) {
  const field = useRef<HTMLInputElement>(null);
  const submit = (event: Event): void => {
    event.preventDefault();
    const input = field.current;
    const text = input?.value.trim() ?? "";
    if (!input || text === "" || !enabled) return;
    input.value = "";
    take(text.replace(/^[0o]-[0o](-[0o])?$/, (castling) => castling.replace(/[0o]/g, "O")));
  };
  return (
    <form class="a-typed" onSubmit={submit}>
      <label class="unseen" for={id}>{label}</label>
      <input id={id} ref={field} type="text" autoComplete="off" autoCapitalize="off" spellcheck={false} maxLength={40} placeholder={placeholder} />
      <button type="submit" class="g-button">{send}</button>
    </form>
  );
}
