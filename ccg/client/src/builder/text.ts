/** A deck as the text that this site reads everywhere (docs/decks.md). */

import { type CardFacts, type CardId, cardFacts } from "../cards";
import type { Content } from "./content";
import { grouped } from "./sorting";

/** The deck as a list in text; a card that is not known stands there by its id. */
export function asText(content: Content, standard: string): string {
  const lines = [...(content.name.trim() ? [`# ${content.name.trim()}`] : []), `Format: ${content.format || standard}`];
  if (content.base) lines.push(`Base: ${written(content.base)}`);
  const row =
    (pile: Content["counts"]) =>
    (card: CardFacts): string =>
      `${pile[card.id] ?? 0} ${written(card.id)}${(content.tags[card.id] ?? []).map((tag) => ` #${tag}`).join("")}`;
  for (const { words, cards } of grouped(Object.keys(content.counts).map(cardFacts), "type"))
    lines.push("", words, ...cards.map(row(content.counts)));
  const considered = Object.keys(content.considering).map(cardFacts);
  if (considered.length > 0) lines.push("", "Considering", ...considered.map(row(content.considering)));
  return `${lines.join("\n")}\n`;
}

function written(id: CardId): string {
  const { name, set, number } = cardFacts(id);
  return number > 0 ? `${name} (${set}) ${number}` : id;
}
