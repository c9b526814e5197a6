/** The hand at the foot of the table. Where it peeks, on a phone on its side, a card that is looked at rises. */

import type { VNode } from "preact";
import { cardFacts, Icon, knowsCard } from "../cards";
import { draggable } from "./dragging";
import { cardThing } from "./options";
import { howToRead } from "./settings";
import { HandCard, useNow } from "./tiles";
import type { CardId, PlayerView } from "./types";

export function Hand({ player }: { player: PlayerView }): VNode {
  const { view, choices, state, dragging } = useNow();
  const own = player.seat === view.viewer;
  const cards = player.hand_cards;
  const makes = own && view.decision?.seat === view.viewer && view.decision?.kind === "resource_card";
  const playable = new Set(cards.filter((card) => choices.glowing.has(cardThing(card))));
  const copies = new Map<CardId, number>();
  return (
    <section class="hand" aria-label={own ? "Your hand" : `Hand of ${player.name}`}>
      <div class="hand-label">
        <p class="label">{own ? `Your hand · ${player.hand}` : `${player.name} · ${player.hand} in hand`}</p>
        <p class="hand-hint">{own ? handHint(cards, playable) : state.replay ? "" : "Only its player sees it."}</p>
      </div>
      <ul class="hand-cards" data-count={cards.length}>
        {cards.map((card) => {
          const copy = copies.get(card) ?? 0;
          copies.set(card, copy + 1);
          return (
            <li key={`${card}:${copy}`} {...(own && draggable(cardThing(card), dragging))}>
              <HandCard card={card} copy={copy} />
              {makes && <MakesTab card={card} />}
            </li>
          );
        })}
      </ul>
    </section>
  );
}

/** What a card would make as an asset, where a peeking card shows it: across from what it costs. */
function MakesTab({ card }: { card: CardId }): VNode | null {
  const { produces } = cardFacts(card);
  return (
    produces && (
      <span class="hand-makes" title={`Makes ${produces}`}>
        <span class="visually-hidden">makes </span>
        <Icon name={produces} size={15} class={`icon-${produces}`} label={produces} />
      </span>
    )
  );
}

function handHint(cards: CardId[], playable: Set<CardId>): string {
  if (cards.length === 0) return "It is empty.";
  const count = cards.filter((card) => playable.has(card)).length;
  if (count === 0) return `${howToRead()} to read it.`;
  if (count === 1) {
    const [one = ""] = playable;
    return knowsCard(one) ? `${cardFacts(one).name} can be used now.` : "One can be used now.";
  }
  return `${count} can be used now.`;
}
