import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { pictureUrl } from "./art/url";
import type { CardFacts } from "./facts";

const drawn = new WeakSet<CardFacts>();
// Safari has neither.
const whenIdle = (draw: () => void): number => (globalThis.requestIdleCallback ?? window.setTimeout)(draw);
const forget = (idle: number): void => (globalThis.cancelIdleCallback ?? clearTimeout)(idle);

/**
 * The picture of a card in a list that another letter may fill with other cards: once drawn it is there at once, but a
 * new one, which costs the browser some milliseconds, comes when the page has nothing else to do.
 */
export function LatePicture({ card }: { card: CardFacts }): VNode {
  const [there, draw] = useState(drawn.has(card));
  useEffect(() => {
    if (there) return;
    const idle = whenIdle(() => {
      drawn.add(card);
      draw(true);
    });
    return () => forget(idle);
  }, []);
  return <img class="picture" src={there ? pictureUrl(card) : undefined} alt="" draggable={false} />;
}
