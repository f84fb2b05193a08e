/** Which keys are shortcuts of a page. */

/**
 * Whether something else than the page handles a key: the focused element, if it is a field or one of `more` (a selector),
 * or the dialog that is open. Focus leaves a dialog for the body where a button is disabled.
 */
export function isTaken(event: KeyboardEvent, more = ""): boolean {
  if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return true;
  if (document.querySelector("dialog[open]")) return true;
  const target = event.composedPath()[0];
  if (!(target instanceof HTMLElement)) return false;
  return target.matches(`input, textarea, select${more && `, ${more}`}`) || target.isContentEditable;
}
