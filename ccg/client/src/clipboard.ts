/**
 * Copy `text`; resolves with whether that was done. Pages without HTTPS have no clipboard, and a browser may refuse to
 * write to it.
 */
export async function copied(text: string): Promise<boolean> {
  try {
    await navigator.clipboard.writeText(text);
    return true;
  } catch {
    return false;
  }
}
