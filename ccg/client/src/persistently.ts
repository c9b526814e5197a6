/** Loading what a page cannot do without, on a line that may be down just then. */

import { type Pauses, pauseBefore } from "./pauses";

const PAUSES: Pauses = { first: 2_000, longest: 30_000 };

/**
 * Load it, and try again until it is there: after growing pauses, and at once when the browser is online again. Rejects
 * only with what is `final`, or with the last failure as it would be tried again for nobody, which `stop` says.
 */
export async function persistently<T>(
  load: () => Promise<T>,
  final: (error: unknown) => boolean = () => false,
  stop?: AbortSignal,
): Promise<T> {
  for (let tries = 0; ; tries++) {
    try {
      return await load();
    } catch (error) {
      if (final(error)) throw error;
      await onlineOrAfter(pauseBefore(tries, PAUSES));
      if (stop?.aborted) throw error;
    }
  }
}

function onlineOrAfter(milliseconds: number): Promise<void> {
  return new Promise((done) => {
    const go = (): void => {
      clearTimeout(timer);
      removeEventListener("online", go);
      done();
    };
    const timer = setTimeout(go, milliseconds);
    addEventListener("online", go);
  });
}
