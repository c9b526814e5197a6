/** What each keyword means, in our words; shown after the keyword on a full card (rulebook: Keywords). */

import type { CardFacts, KeywordFact } from "./facts";

const REMINDERS: Record<string, (card: CardFacts, keyword: KeywordFact) => string> = {
  expedite: () => "What is left over from paying for another card can pay for this one.",
  link: (_, keyword) =>
    `Resolved, it attaches to a ${keyword.link ?? "unit"} of your choice and is discarded when that leaves play.`,
  manipulate: () => "Undefended, it may win you its power in influence instead of costing them.",
  persistent: () => "Stays with your resources once resolved.",
  scramble: (card) => `Defends against ${card.type === "ship" ? "personnel" : "ships"} too.`,
  sniper: () => "When it challenges, you may pick the defender.",
  strafe: () => "Challenges as personnel or as ship: you say which.",
  vision: () => "Neither challenges nor defends.",
  vulnerable: () => "Any type of unit may defend against it.",
};

/** The keyword as words: "Expedite", "Link personnel". */
export function keywordWord(keyword: KeywordFact): string {
  const word = keyword.name.charAt(0).toUpperCase() + keyword.name.slice(1);
  return keyword.link ? `${word} ${keyword.link}` : word;
}

/** The reminder for a keyword of `card`; "" for one that is not known here. */
export const keywordReminder = (card: CardFacts, keyword: KeywordFact): string =>
  REMINDERS[keyword.name]?.(card, keyword) ?? "";
