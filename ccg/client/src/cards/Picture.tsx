import type { VNode } from "preact";
import { pictureUrl } from "./art/url";
import type { CardFacts } from "./facts";

/** The picture of a card. It is decoration: what it shows is said by the card's name and facts. */
export function Picture({ card }: { card: CardFacts }): VNode {
  return <img class="picture" src={pictureUrl(card)} alt="" draggable={false} decoding="async" />;
}
