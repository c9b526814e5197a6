/** What each keyword means, shown after the keyword on a full card (rulebook: Keywords). */

import meanings from "../../../../cards_data/keywords.json";
import type { CardFacts, KeywordFact } from "./facts";

/** The keyword as words: "Expedite", "Link personnel". */
export function keywordWord(keyword: KeywordFact): string {
  const word = keyword.name.charAt(0).toUpperCase() + keyword.name.slice(1);
  return keyword.link ? `${word} ${keyword.link}` : word;
}

/** The reminder for a keyword of `card`; "" for one that is not known here. */
export function keywordReminder(card: CardFacts, keyword: KeywordFact): string {
  if (!isKnown(keyword.name)) return "";
  return meanings[keyword.name].card
    .replaceAll("{link}", keyword.link ?? "unit")
    .replace("{other}", card.type === "ship" ? "personnel" : "ships");
}

const isKnown = (name: string): name is keyof typeof meanings => Object.hasOwn(meanings, name);
