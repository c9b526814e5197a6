import type { VNode } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { pictureUrl } from "./art/url";
import type { CardFacts } from "./facts";

const drawn = new WeakSet<CardFacts>();
const waiting = new Set<() => void>();
/** Safari has no way to ask for it. */
const whenIdle = globalThis.requestIdleCallback ?? ((draw: () => void) => setTimeout(draw, 16));

/**
 * The picture of a card in a list that another letter may fill with other cards: once drawn it is there at once, but a
 * new one, which costs the browser some milliseconds, comes when the page has nothing else to do.
 */
export function LatePicture({ card }: { card: CardFacts }): VNode {
  const picture = useRef<HTMLImageElement>(null);
  const [before] = useState(() => drawn.has(card));
  useLayoutEffect(() => {
    if (before) return;
    const draw = (): void => {
      drawn.add(card);
      if (picture.current) picture.current.src = pictureUrl(card);
    };
    if (waiting.size === 0) whenIdle(drawNext);
    waiting.add(draw);
    return () => void waiting.delete(draw);
  }, []);
  return <img class="picture" ref={picture} src={before ? pictureUrl(card) : undefined} alt="" draggable={false} />;
}

/** Draw one picture: a key that is pressed meanwhile waits for that one only. */
function drawNext(): void {
  const [draw] = waiting;
  if (!draw) return;
  waiting.delete(draw);
  draw();
  if (waiting.size > 0) whenIdle(drawNext);
}
