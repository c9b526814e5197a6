/** Lines with more in them than can be seen at once: scrolled by wheel, and to what can be chosen. */

/** Scroll a line that is too full by a wheel that turns up and down. */
export function scrollSideways(turned: WheelEvent & { currentTarget: HTMLElement }): void {
  if (turned.deltaX === 0) turned.currentTarget.scrollLeft += turned.deltaY;
}

/** Say in `data-more` at which ends of `line` more of it lies out of sight: there it fades out. */
export function markMore(line: HTMLElement): void {
  const { scrollLeft, scrollTop, scrollWidth, scrollHeight, clientWidth, clientHeight } = line;
  const at = Math.abs(scrollLeft) + scrollTop; // to the left of the beginning for left-handed players
  const most = Math.max(scrollWidth - clientWidth, scrollHeight - clientHeight);
  line.dataset.more = [at > 1 ? "before" : "", at < most - 1 ? "after" : ""].filter(Boolean).join(" ");
}

/** Scroll `line` to the first piece that can be chosen, if none of them is in sight. */
export function showChoosable(line: HTMLElement): void {
  const choosable = [...line.querySelectorAll<HTMLElement>(".is-choosable")];
  const seen = line.getBoundingClientRect();
  const inSight = (piece: HTMLElement): boolean => {
    const { left, right } = piece.getBoundingClientRect();
    return left >= seen.left - 1 && right <= seen.right + 1;
  };
  const first = choosable[0];
  if (!first || choosable.some(inSight)) return;
  line.scrollLeft += first.getBoundingClientRect().left - seen.left - 8;
}
