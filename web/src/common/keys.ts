/** The shortcuts of a page. */

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

/**
 * Does what a key means, until the returned function is called: `find` has the action of a key, `selector` the focused elements
 * that handle keys themselves.
 */
export function listenToKeys(find: (event: KeyboardEvent) => (() => void) | undefined, selector = ""): () => void {
  const onKeyDown = (event: KeyboardEvent): void => {
    const action = isIgnoredKey(event, selector) ? undefined : find(event);
    if (!action) return;
    event.preventDefault();
    action();
  };
  document.addEventListener("keydown", onKeyDown);
  return () => document.removeEventListener("keydown", onKeyDown);
}
