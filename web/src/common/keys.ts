/** Which keys are shortcuts of a page. */

/**
 * Whether the page ignores a key because the focused element handles it, if it is a field or matches `selector`,
 * or the dialog that is open. Focus leaves a dialog for the body where a button is disabled.
 */
export function isIgnoredKey(event: KeyboardEvent, selector = ""): boolean {
  if (event.ctrlKey || event.altKey || event.metaKey || event.defaultPrevented) return true;
  if (document.querySelector("dialog[open]")) return true;
  const target = event.composedPath()[0];
  if (!(target instanceof HTMLElement)) return false;
  return target.matches(`input, textarea, select${selector && `, ${selector}`}`) || target.isContentEditable;
}
