/** What the browser keeps for this site; null where it may keep nothing, as in a frame of another site. */
export function storageOf(name: "localStorage" | "sessionStorage"): Storage | null {
  try {
    return window[name];
  } catch {
    return null;
  }
}

/**
 * Keep `text` in `storage`; return whether that could be done. There may be none, it may be full, and some browsers let
 * it be read alone: nothing but what is kept depends on it.
 */
export function keepIn(storage: Pick<Storage, "setItem"> | null, key: string, text: string): boolean {
  try {
    storage?.setItem(key, text);
    return storage !== null;
  } catch {
    return false;
  }
}
