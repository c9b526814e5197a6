/** Asking with an end: on a bad line a request may hang for minutes. */

/**
 * What `work` gives. The signal that it takes ends it: after so many `milliseconds`, or when `stop` does, also where that
 * has happened already.
 */
export async function patiently<T>(
  milliseconds: number,
  stop: AbortSignal,
  work: (signal: AbortSignal) => Promise<T>,
): Promise<T> {
  const own = new AbortController();
  const end = (): void => own.abort();
  if (stop.aborted) end();
  const timer = setTimeout(end, milliseconds);
  stop.addEventListener("abort", end);
  try {
    return await work(own.signal);
  } finally {
    clearTimeout(timer);
    stop.removeEventListener("abort", end);
  }
}
