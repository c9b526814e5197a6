import type { VNode } from "preact";
import { useCard } from "./catalog";
import { FullCard } from "./FullCard";
import type { CardFacts } from "./facts";
import { CardLine, Thumbnail } from "./SmallCards";
import { HandTile } from "./tiles";

export type CardSize = "line" | "thumbnail" | "board" | "full";

export const isCardSize = (word: string | null): word is CardSize =>
  word === "line" || word === "thumbnail" || word === "board" || word === "full";

/** A card by its facts alone, at one of four sizes. Pieces in play are shown by BoardTile and ResourceStack. */
export function Card({ card, size }: { card: string | CardFacts; size: CardSize }): VNode {
  const facts = useCard(card);
  switch (size) {
    case "line":
      return <CardLine card={facts} />;
    case "thumbnail":
      return <Thumbnail card={facts} />;
    case "board":
      return <HandTile card={facts} />;
    case "full":
      return <FullCard card={facts} />;
  }
}
