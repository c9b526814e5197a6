import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { makeThumbnail, thumbnailUrl } from "./art/thumbnail";
import type { CardFacts } from "./facts";

/** What waits for its picture, in the order of the list. */
const waiting = new Set<() => Promise<void>>();
let drawing = false;

/** Draw what waits, one each time the page has nothing else to do. */
async function drawWaiting(): Promise<void> {
  if (drawing) return;
  drawing = true;
  while (waiting.size > 0) {
    await idle();
    const [draw] = waiting;
    if (!draw) break;
    waiting.delete(draw);
    await draw().catch(() => undefined);
  }
  drawing = false;
}

// Safari has no requestIdleCallback.
const idle = (): Promise<unknown> => new Promise((done) => (globalThis.requestIdleCallback ?? setTimeout)(done));

/**
 * The small picture of a card in a list that another letter may fill with other cards: once drawn it is there at once, but
 * a new one, which costs the browser some milliseconds, comes when the page has nothing else to do.
 */
export function LatePicture({ card }: { card: CardFacts }): VNode {
  const [, show] = useState<CardFacts | null>(null);
  const url = thumbnailUrl(card);
  useEffect(() => {
    if (url) return;
    const draw = () => makeThumbnail(card).then(() => show(card));
    waiting.add(draw);
    void drawWaiting();
    return () => {
      waiting.delete(draw);
    };
  }, [card]);
  return <img class="picture" src={url} alt="" draggable={false} />;
}
