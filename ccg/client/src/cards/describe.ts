/** Cards and pieces as sentences: the accessible names of everything that is drawn. */

import { cardFacts } from "./catalog";
import { type CardFacts, headOf, requirementWords, typeWord } from "./facts";
import { type Cost, type PieceView, RESOURCES } from "./view-types";

/** "2 logistics and 1 security"; "nothing" for a free card. */
export function costWords(cost: Cost): string {
  const parts = RESOURCES.filter((resource) => (cost[resource] ?? 0) > 0).map((one) => `${cost[one]} ${one}`);
  const last = parts.pop();
  if (last === undefined) return "nothing";
  return parts.length > 0 ? `${parts.join(", ")} and ${last}` : last;
}

const kindWords = (card: CardFacts, traits: readonly string[] = card.traits): string =>
  [...traits, ...(traits.length === 0 || card.type === "event" || card.type === "mission" ? [card.type] : [])].join(
    " ",
  );

/** A card outside play in one sentence: "Apollo, Commander Air Group, Pilot personnel, costs 3 security, …". */
export function describeCard(card: CardFacts, says: readonly string[] = []): string {
  const parts = [card.name];
  parts.push(card.type === "base" ? "base" : [...card.traits, typeWord(card.type).toLowerCase()].join(" "));
  if (card.type !== "base" && card.type !== "mission") parts.push(`costs ${costWords(card.cost)}`);
  if (card.requires.length > 0) parts.push(`resolved with ${requirementWords(card.requires)}`);
  if (card.power !== null) parts.push(`power ${card.power}`);
  if (card.mystic !== null) parts.push(`mystic value ${card.mystic}`);
  if (card.threat !== null) parts.push(`Cylon threat ${card.threat}`);
  if (card.hand !== null) parts.push(`hand size ${card.hand}`);
  if (card.influence !== null) parts.push(`influence ${card.influence}`);
  if (card.produces) parts.push(`makes ${card.produces}`);
  if (card.pending) parts.push("ability not yet played");
  return [...parts, ...says].join(", ");
}

/** A piece on the table in one sentence: "Apollo, Pilot, power 2, alert, can challenge". */
export function describePiece(piece: PieceView, place = "", says: readonly string[] = []): string {
  const card = cardFacts(piece.card);
  const parts = [headOf(card)];
  if (piece.role === "base" || piece.role === "asset") {
    parts.push(piece.role, ...stackWords(piece));
  } else if (piece.role === "threat") {
    parts.push("Cylon threat", `power ${piece.power}`);
  } else {
    parts.push(kindWords(card, piece.traits));
    if (piece.role !== "mission") parts.push(`power ${piece.power}${changeWords(piece, card.power)}`);
    else if (card.requires.length > 0) parts.push(`resolved with ${requirementWords(card.requires)}`);
  }
  if (piece.beneath.length > 0) parts.push(`stack of ${piece.beneath.length + 1}`);
  for (const link of piece.links) parts.push(`with ${headOf(cardFacts(link.card))}`);
  if (place !== "") parts.push(place);
  if (piece.exhausted) parts.push(piece.role === "base" || piece.role === "asset" ? "spent" : "exhausted");
  if (piece.pending) parts.push("ability not yet played");
  return [...parts, ...says].join(", ");
}

function stackWords(piece: PieceView): string[] {
  const words: string[] = [];
  if (piece.makes) words.push(piece.exhausted ? `makes ${piece.makes}` : `makes ${piece.yields} ${piece.makes}`);
  if (piece.supplies > 0) words.push(piece.supplies === 1 ? "1 supply card" : `${piece.supplies} supply cards`);
  return words;
}

function changeWords({ power, why }: PieceView, printed: number | null): string {
  if (printed === null || power === printed) return "";
  const sources = why.filter(({ kind }) => kind === "power").map(({ card }) => headOf(cardFacts(card)));
  const by = sources.length > 0 ? ` by ${[...new Set(sources)].join(" and ")}` : "";
  return power > printed ? `, raised from ${printed}${by}` : `, lowered from ${printed}${by}`;
}
