/**
 * Whether a click came from a finger: a tap reads, where a click of the mouse acts.
 *
 * Browsers tell it of the click itself, or else of the pointer that was pressed before.
 */

let pressed = "";

/** Follow which kind of pointer is pressed, until the returned function is called. */
export function watchPointers(root: HTMLElement): () => void {
  const at = (event: PointerEvent): void => {
    pressed = event.pointerType;
  };
  root.addEventListener("pointerdown", at, { capture: true });
  return () => root.removeEventListener("pointerdown", at, { capture: true });
}

/** Whether `event` is a tap of a finger; a click that a key or a program makes has no detail. */
export function isTap(event: MouseEvent): boolean {
  if (event.detail === 0) return false;
  return ((event as PointerEvent).pointerType || pressed) === "touch";
}
