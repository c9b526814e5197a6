/** What tests of several parts of the client share. */

/** `AbortSignal.timeout` by the clock of a test, which the real one does not know. */
export function giveUpAfter(milliseconds: number): AbortSignal {
  const giving = new AbortController();
  setTimeout(() => giving.abort(new DOMException("Too late.", "TimeoutError")), milliseconds);
  return giving.signal;
}
