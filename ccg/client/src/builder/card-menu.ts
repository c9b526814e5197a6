/** What the builder offers in the menu of a card. */

import type { CardActions } from "../cards";
import { copiesOf } from "./content";
import type { Builder } from "./context";
import { addCopies } from "./copies";
import { editionOf } from "./legality";

/** The lines for any card in this builder: what can be done to the deck with it. */
export const cardMenuOf =
  ({ editor, rules, known }: Pick<Builder, "editor" | "rules" | "known">): CardActions =>
  (id) => {
    const card = known.cards.get(id);
    if (!card) return [];
    const { content } = editor.store.get();
    const edition = editionOf(rules, content.format);
    const copies = copiesOf(content, card);
    const add = (by: number) => () => addCopies(editor, card, by, edition);
    return card.type === "base"
      ? [copies > 0 ? { words: "Take it out", act: add(-1) } : { words: "Choose it as the base", act: add(1) }]
      : [
          { words: `One more (${copies} in the deck)`, act: add(1) },
          ...(copies > 0 ? [{ words: "One less", act: add(-1) }] : []),
          { words: "Consider it", act: () => addCopies(editor, card, 1, edition, "considering") },
        ];
  };
