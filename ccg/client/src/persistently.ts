/** Loading what a page cannot do without, on a line that may be down just then. */

const FIRST_PAUSE = 2_000;
const LONGEST_PAUSE = 30_000;

/**
 * Load it, and try again until it is there: after growing pauses, and at once when the browser is online again. Rejects
 * only with what is `final`.
 */
export async function persistently<T>(
  load: () => Promise<T>,
  final: (error: unknown) => boolean = () => false,
): Promise<T> {
  for (let pause = FIRST_PAUSE; ; pause = Math.min(2 * pause, LONGEST_PAUSE)) {
    try {
      return await load();
    } catch (error) {
      if (final(error)) throw error;
    }
    await onlineOrAfter(pause);
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
