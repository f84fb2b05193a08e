/** Settings that the browser keeps in local storage. */

/** The stored value; null if there is none or storage is not available. */
export function load(key: string): string | null {
  try {
    return localStorage.getItem(key);
  } catch {
    return null;
  }
}

/** Stores a value, or removes it (null), unless storage is not available (a private window). */
export function store(key: string, value: string | null): void {
  try {
    if (value === null) localStorage.removeItem(key);
    else localStorage.setItem(key, value);
  } catch {
    // The setting lasts as long as the page.
  }
}
