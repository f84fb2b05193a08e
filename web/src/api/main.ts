/** The API page: forms that send requests with the current session and show the responses. */
import "../common/every.ts";
import "../../styles/pages.css";
import { element } from "../common/page.ts";

/** How long streams and sockets are followed. */
const FOLLOW_MS = 30_000;
/** Longer responses are truncated. */
const MAX_CHARACTERS = 100_000;

/** The address of a form's request. */
function address(form: HTMLFormElement): string {
  let path = form.dataset.path ?? "";
  const query = new URLSearchParams();
  for (const field of form.querySelectorAll<HTMLInputElement | HTMLSelectElement>("[data-place]")) {
    const value = field.value.trim();
    if (field.dataset.place === "path") path = path.replace(`{${field.name}}`, encodeURIComponent(value));
    else if (value !== "") query.set(field.name, value);
  }
  return query.size > 0 ? `${path}?${query}` : path;
}

const formatJson = (text: string): string => {
  try {
    return JSON.stringify(JSON.parse(text), null, 2);
  } catch {
    return text;
  }
};

/** The output area of a form. */
class ResponseOutput {
  readonly #container: HTMLElement;
  readonly #text = element("pre", { tabindex: "0" });

  constructor(form: HTMLFormElement) {
    this.#container = form.querySelector<HTMLElement>(".try-answer") ?? form;
  }

  start(line: string, isOk: boolean): void {
    this.#text.textContent = "";
    this.#container.replaceChildren(element("p", { class: isOk ? "good" : "fault" }, line), this.#text);
  }

  add(text: string): void {
    const before = this.#text.textContent ?? "";
    if (before.length < MAX_CHARACTERS) this.#text.textContent = (before + text).slice(0, MAX_CHARACTERS);
  }

  async picture(blob: Blob): Promise<void> {
    const reader = new FileReader();
    const read = new Promise((resolve) => reader.addEventListener("load", resolve));
    reader.readAsDataURL(blob);
    await read;
    this.#text.replaceWith(element("img", { src: String(reader.result), alt: "The picture that was answered" }));
  }
}

async function request(form: HTMLFormElement, output: ResponseOutput, signal: AbortSignal): Promise<void> {
  const method = form.dataset.method ?? "GET";
  const body = form.querySelector<HTMLTextAreaElement>("[name=body]")?.value;
  const headers = body === undefined ? undefined : { "content-type": "application/json" };
  const response = await fetch(address(form), { method, headers, body, signal });
  const kind = response.headers.get("content-type") ?? "";
  output.start(`${response.status} ${response.statusText}${kind && ` · ${kind}`}`, response.ok);
  if (kind.startsWith("image/")) return output.picture(await response.blob());
  if (form.dataset.kind !== "stream" || !response.body) return output.add(formatJson(await response.text()));
  const reader = response.body.pipeThrough(new TextDecoderStream()).getReader();
  for (let part = await reader.read(); !part.done; part = await reader.read()) output.add(part.value);
}

/** Shows the messages of a socket until it closes or is stopped. */
function socket(form: HTMLFormElement, output: ResponseOutput, signal: AbortSignal): Promise<void> {
  return new Promise((resolve, reject) => {
    const connection = new WebSocket(new URL(address(form), location.href.replace(/^http/, "ws")));
    connection.addEventListener("open", () => output.start("101 Switching Protocols", true));
    connection.addEventListener("message", ({ data }) => output.add(`${formatJson(String(data))}\n`));
    connection.addEventListener("error", () => reject(new Error("The socket could not be opened.")));
    connection.addEventListener("close", () => resolve());
    signal.addEventListener("abort", () => connection.close());
  });
}

/** Asks before a request that changes something. */
function confirmRequest(form: HTMLFormElement): boolean {
  const { method, path } = form.dataset;
  return method === "GET" || confirm(`${method} ${path}\n\nThis changes something on this site, as you. Send it?`);
}

async function send(form: HTMLFormElement): Promise<void> {
  if (!confirmRequest(form)) return;
  const output = new ResponseOutput(form);
  const controller = new AbortController();
  const [submitButton, stopButton] = [form.querySelector<HTMLButtonElement>("[type=submit]"), form.querySelector<HTMLButtonElement>("[data-stop]")];
  const abort = (): void => controller.abort();
  const timer = setTimeout(abort, FOLLOW_MS);
  if (submitButton) submitButton.disabled = true;
  if (stopButton) stopButton.hidden = form.dataset.kind === "request";
  stopButton?.addEventListener("click", abort);
  try {
    await (form.dataset.kind === "socket" ? socket : request)(form, output, controller.signal);
  } catch (error) {
    if (!controller.signal.aborted) output.start(error instanceof Error ? error.message : String(error), false);
  } finally {
    clearTimeout(timer);
    stopButton?.removeEventListener("click", abort);
    if (submitButton) submitButton.disabled = false;
    if (stopButton) stopButton.hidden = true;
  }
}

for (const form of document.querySelectorAll<HTMLFormElement>("form.try")) {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    void send(form);
  });
}

/** Opens the operation named by the address. */
function openOperation(): void {
  const operation = document.getElementById(location.hash.slice(1));
  if (operation instanceof HTMLDetailsElement) operation.open = true;
}

addEventListener("hashchange", openOperation);
openOperation();
