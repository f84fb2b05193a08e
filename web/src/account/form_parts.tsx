/** Parts of the account page: sections, password fields, and the outcome of a request. */
import type { ComponentChildren } from "preact";
import { useState } from "preact/hooks";
import { errorText } from "../common/errors.ts";

export function Section({ id, title, hint, children }: { id: string; title: string; hint?: string; children: ComponentChildren }) {
  return (
    <section class="panel" aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{title}</h2>
      {hint && <p class="hint">{hint}</p>}
      {children}
    </section>
  );
}

/** The state of a request. */
export interface RequestState {
  busy: boolean;
  fault: string;
  done: string;
  /** Runs a request and shows `success` if it succeeds; returns whether it does. */
  run: (work: () => Promise<unknown>, success?: string) => Promise<boolean>;
}

export function useRequest(known: Readonly<Record<string, string>> = {}): RequestState {
  const [busy, setBusy] = useState(false);
  const [fault, setFault] = useState("");
  const [done, setDone] = useState("");
  const run = async (work: () => Promise<unknown>, success = ""): Promise<boolean> => {
    setBusy(true);
    setFault("");
    setDone("");
    try {
      await work();
      setDone(success);
      return true;
    } catch (error) {
      setFault(error instanceof RangeError ? error.message : errorText(error, known));
      return false;
    } finally {
      setBusy(false);
    }
  };
  return { busy, fault, done, run };
}

/** The success or error message. */
export function OutcomeMessage({ outcome }: { outcome: RequestState }) {
  return (
    <>
      <p class="fault" role="alert">
        {outcome.fault}
      </p>
      <p class="done" role="status">
        {outcome.done}
      </p>
    </>
  );
}

interface PasswordProps {
  id: string;
  label: string;
  autocomplete: "current-password" | "new-password";
  value: string;
  change: (value: string) => void;
}

export function Password({ id, label, autocomplete, value, change }: PasswordProps) {
  return (
    <div class="field">
      <label for={id}>{label}</label>
      <input
        id={id}
        type="password"
        required
        minlength={autocomplete === "new-password" ? 8 : undefined}
        maxlength={200}
        autocomplete={autocomplete}
        value={value}
        onInput={(event) => change(event.currentTarget.value)}
      />
    </div>
  );
}
