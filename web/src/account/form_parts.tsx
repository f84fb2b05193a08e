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
  isPending: boolean;
  fault: string;
  successText: string;
  /** Runs a request and shows `success` if it succeeds; returns whether it does. */
  run: (request: () => Promise<unknown>, success?: string) => Promise<boolean>;
}

export function useRequest(errorTexts: Readonly<Record<string, string>> = {}): RequestState {
  const [isPending, setPending] = useState(false);
  const [fault, setFault] = useState("");
  const [successText, setSuccessText] = useState("");
  const run = async (request: () => Promise<unknown>, success = ""): Promise<boolean> => {
    setPending(true);
    setFault("");
    setSuccessText("");
    try {
      await request();
      setSuccessText(success);
      return true;
    } catch (error) {
      setFault(error instanceof RangeError ? error.message : errorText(error, errorTexts));
      return false;
    } finally {
      setPending(false);
    }
  };
  return { isPending, fault, successText, run };
}

/** The success or error message. */
export function OutcomeMessage({ outcome }: { outcome: RequestState }) {
  return (
    <>
      <p class="fault" role="alert">
        {outcome.fault}
      </p>
      <p class="done" role="status">
        {outcome.successText}
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
