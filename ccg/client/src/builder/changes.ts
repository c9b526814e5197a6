/** Changes of a deck in words. */

import type { CardFacts, CardId } from "../cards";
import type { Brought } from "./merging";

type Facts = (card: CardId) => CardFacts;

/** One change in words: "Raptor 227: 2 → 4", "Base: Galactica", "Stims: taken out". */
export function changeWords({ part, card, was, now, kept }: Brought, facts: Facts): string {
  const kind = kept === null ? "" : `, but here it stays ${said(part, kept, facts)}`;
  const name = card ? facts(card).name : "";
  switch (part) {
    case "name":
      return `Name: ${now || "none"}${kind}`;
    case "format":
      return `Format: ${now || "the usual one"}${kind}`;
    case "base":
      return `Base: ${now ? facts(String(now)).name : "none"}${kind}`;
    case "tags":
      return `${name}: tags ${said(part, now, facts)}${kind}`;
    default: {
      const where = part === "considering" ? "Considering " : "";
      return `${where}${name}: ${was === null ? "" : `${was} → `}${now ?? 0}${kind}`;
    }
  }
}

function said(part: Brought["part"], value: Brought["now"], facts: Facts): string {
  if (Array.isArray(value)) return value.map((tag) => `#${tag}`).join(" ") || "none";
  if (part === "base") return value ? facts(String(value)).name : "none";
  return String(value ?? "none");
}
