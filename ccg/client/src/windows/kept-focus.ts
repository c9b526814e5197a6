/** Who works by keyboard goes on at a place of the page where what they pressed is gone, or has nothing more to do. */

/**
 * Give the focus to what `place` matches, once what had it in `root` by keyboard has left the page or can be pressed no
 * longer, and nothing else has taken it. It lasts until the returned function is called.
 */
export function keepFocus(root: HTMLElement, place: string): () => void {
  let last: Element | null = null;
  let timer: ReturnType<typeof setTimeout> | undefined;
  const ending = new AbortController();
  const gone = (element: Element): boolean => !element.isConnected || element.matches(":disabled");
  root.addEventListener(
    "focusin",
    ({ target }) => {
      last = target instanceof Element && target.matches(":focus-visible") ? target : null;
    },
    { signal: ending.signal },
  );
  const check = (): void => {
    if (!last || !gone(last)) return;
    last = null;
    const { activeElement: now } = document;
    if (now && now !== document.body && !gone(now)) return;
    root.querySelector<HTMLElement>(place)?.focus({ preventScroll: true });
  };
  // What is drawn may give the focus away by itself, and does so at the next frame.
  const changes = new MutationObserver(() => {
    clearTimeout(timer);
    if (last && gone(last)) requestAnimationFrame(() => (timer = setTimeout(check)));
  });
  changes.observe(root, { subtree: true, childList: true, attributeFilter: ["disabled"] });
  return () => {
    ending.abort();
    changes.disconnect();
    clearTimeout(timer);
  };
}
