/** What the browser keeps for this site; null where it may keep nothing, as in a frame of another site. */
export function storageOf(name: "localStorage" | "sessionStorage"): Storage | null {
  try {
    return window[name];
  } catch {
    return null;
  }
}
