/** How many copies of a card: 0 to 4 by one tap, and why no more. */

import type { VNode } from "preact";
import type { CardFacts } from "../cards";
import { type Content, copiesOf, type Pile } from "./content";
import type { Editor } from "./editor";
import { type Edition, limitOf } from "./legality";

/** Why no more copies of a card go in; "" while they do. */
export function fullWords(card: CardFacts, content: Content, edition: Edition): string {
  const [copies, limit] = [copiesOf(content, card), limitOf(card, edition)];
  if (card.type === "base" || copies < limit) return "";
  if (limit === 0) return "Banned in this format";
  return `${copies} of ${limit}: ${limit === 1 ? "one copy is" : `${limit} copies of a name are`} the most`;
}

/** Add `by` copies, as far as the format lets; what it does not is said. */
export function addCopies(editor: Editor, card: CardFacts, by: number, edition: Edition, pile: Pile = "counts"): void {
  const { content } = editor.store.get();
  const full = by > 0 && pile === "counts" ? fullWords(card, content, edition) : "";
  if (full) editor.show({ heard: `${card.name}: ${full}.`, notice: { words: `${card.name}: ${full}.` } });
  else editor.set(card, copiesOf(content, card, pile) + by, pile);
}

interface CopiesProps {
  card: CardFacts;
  content: Content;
  edition: Edition;
  /** Whether Tab stops here; in lists it does so in one row only. */
  reachable: boolean;
  set(card: CardFacts, copies: number): void;
}

export function Copies({ card, content, edition, reachable, set }: CopiesProps): VNode {
  const copies = copiesOf(content, card);
  const tabIndex = reachable ? 0 : -1;
  if (card.type === "base") {
    return (
      <span class="copies">
        <button
          type="button"
          class="copy copy-base"
          aria-pressed={copies > 0}
          aria-label={copies > 0 ? `Your base: ${card.name}` : `Choose ${card.name} as the base`}
          tabIndex={tabIndex}
          onClick={() => set(card, copies > 0 ? 0 : 1)}
        >
          {copies > 0 ? "Your base" : "Choose"}
        </button>
      </span>
    );
  }
  const limit = limitOf(card, edition);
  const full = fullWords(card, content, edition);
  return (
    // biome-ignore lint/a11y/useSemanticElements: a fieldset in each row of a long list is more than a group of buttons needs
    <span class="copies" role="group" aria-label={`Copies of ${card.name}${full ? `, ${full}` : ""}`} title={full}>
      {[0, 1, 2, 3, 4].map((number) => (
        <button
          type="button"
          key={number}
          class={`copy ${number > limit ? "is-over" : ""}`}
          aria-pressed={copies === number || (number === 4 && copies > 4)}
          tabIndex={tabIndex}
          onClick={() => set(card, number)}
        >
          {number === 4 && copies > 4 ? copies : number}
        </button>
      ))}
    </span>
  );
}
