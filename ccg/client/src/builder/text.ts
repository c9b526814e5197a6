/** A deck as the text that this site reads everywhere (docs/decks.md). */

import { type CardFacts, type CardId, cardFacts } from "../cards";
import { type Content, MAX_COPIES } from "./content";
import { grouped } from "./sorting";

/** The deck as a list in text; a card that is not known stands there by its id. */
export function asText(content: Content, standard: string): string {
  const lines = [...(content.name.trim() ? [`# ${content.name.trim()}`] : []), `Format: ${content.format || standard}`];
  if (content.base) lines.push(`Base: ${written(content.base)}`);
  const rows =
    (pile: Content["counts"]) =>
    (card: CardFacts): string[] => {
      const tags = (content.tags[card.id] ?? []).map((tag) => ` #${tag}`).join("");
      return parts(pile[card.id] ?? 0).map((copies) => `${copies} ${written(card.id)}${tags}`);
    };
  for (const { words, cards } of grouped(Object.keys(content.counts).map(cardFacts), "type"))
    lines.push("", words, ...cards.flatMap(rows(content.counts)));
  const considered = Object.keys(content.considering).map(cardFacts);
  if (considered.length > 0) lines.push("", "Considering", ...considered.flatMap(rows(content.considering)));
  return `${lines.join("\n")}\n`;
}

/** Copies of a card as a list says them, each on a line that can be read. */
function parts(copies: number): number[] {
  return copies > MAX_COPIES ? [MAX_COPIES, ...parts(copies - MAX_COPIES)] : [copies];
}

function written(id: CardId): string {
  const { name, set, number } = cardFacts(id);
  return number > 0 ? `${name} (${set}) ${number}` : id;
}
