/** A hand drawn from the deck as it is, and what comes turn by turn. */

import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { type CardId, Thumbnail } from "../cards";
import { useBuilder, useEdited } from "./context";
import { USUAL_HAND } from "./numbers";
import { DRAWN_A_TURN } from "./paying";
import { expanded, shuffled } from "./shuffling";

export function SampleHand(): VNode {
  const { known } = useBuilder();
  const { content } = useEdited("content");
  const first = known.cards.get(content.base)?.hand ?? USUAL_HAND;
  const [deck, setDeck] = useState<readonly CardId[]>([]);
  const [turn, setTurn] = useState(0);
  const deal = (): void => {
    setDeck(shuffled(expanded(content.counts), crypto));
    setTurn(0);
  };
  useEffect(deal, [content.counts]);
  const drawn = deck.slice(0, first + DRAWN_A_TURN * turn);
  const rest = deck.length - drawn.length;
  return (
    <>
      <p class="quiet" aria-live="polite">
        {deck.length === 0
          ? "There is no card in the deck yet."
          : `${turn === 0 ? `An opening hand of ${drawn.length}` : `Turn ${turn}, ${drawn.length} cards drawn`}; ${rest} left.`}
      </p>
      <ul class="sample-hand">
        {drawn.map((card, at) => (
          <li key={at} class={at >= first ? "is-drawn" : ""}>
            <Thumbnail card={card} />
          </li>
        ))}
      </ul>
      <div class="window-actions">
        <button type="button" class="button" onClick={deal}>
          Another hand
        </button>
        <button type="button" class="button button-primary" disabled={rest <= 0} onClick={() => setTurn(turn + 1)}>
          Turn {turn + 1}: draw two
        </button>
      </div>
    </>
  );
}
