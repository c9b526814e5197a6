/** Cards and pieces for tests, invented, so that no test depends on a set; and pieces of real cards to look at. */

import { setCatalog } from "./catalog";
import { type CardFacts, unknownCard } from "./facts";
import type { PieceView } from "./view-types";

const cards: CardFacts[] = [
  {
    ...unknownCard("T-1"),
    type: "personnel",
    title: "Apollo",
    subtitle: "Test Pilot",
    name: "Apollo, Test Pilot",
    traits: ["Pilot"],
    cost: { security: 3, persuasion: 1 },
    power: 2,
    mystic: 2,
    threat: 1,
    produces: "security",
  },
  {
    ...unknownCard("T-2"),
    type: "ship",
    subtitle: "Viper 1",
    name: "Viper 1",
    traits: ["Fighter"],
    cost: { logistics: 4 },
    power: 3,
    mystic: 1,
    threat: 3,
    produces: "logistics",
    keywords: [{ name: "scramble" }],
    pending: true,
  },
  {
    ...unknownCard("T-3"),
    type: "event",
    subtitle: "Fire Drill",
    name: "Fire Drill",
    cost: { security: 1 },
    mystic: 4,
    threat: 2,
    keywords: [{ name: "expedite", cost: { security: 1 } }],
    text: ["A unit gets +2 [[icon:power|power]]."],
  },
  {
    ...unknownCard("T-4"),
    type: "mission",
    subtitle: "Long Way Home",
    name: "Long Way Home",
    traits: ["Military"],
    mystic: 3,
    threat: 0,
    requires: ["Officer", "Officer", "Civilian unit"],
  },
  {
    ...unknownCard("T-5"),
    type: "base",
    title: "Old Hull",
    name: "Old Hull",
    power: 7,
    hand: 4,
    influence: 12,
    produces: "security",
  },
];

/** Make the invented cards the catalogue. */
export function useTestCards(): void {
  setCatalog({ version: "test", cards: Object.fromEntries(cards.map((card) => [card.id, card])) });
}

/** A piece with the facts of its card as a view would show it, changed by `more`. */
export function pieceOf(facts: CardFacts, more: Partial<PieceView> = {}): PieceView {
  return {
    id: 1,
    card: facts.id,
    owner: null,
    beneath: [],
    controller: 0,
    role: facts.type === "event" ? "mission" : facts.type,
    power: facts.power ?? 0,
    threat: facts.threat ?? 0,
    mystic: facts.mystic ?? 0,
    traits: [...facts.traits],
    keywords: [],
    exhausted: false,
    supplies: 0,
    supply_cards: [],
    makes: facts.produces,
    yields: 1,
    links: [],
    why: [],
    pending: facts.pending,
    ...more,
  };
}

/** A piece of the invented card `card`, changed by `more`. */
export function testPiece(card: string, more: Partial<PieceView> = {}): PieceView {
  return pieceOf(cards.find((one) => one.id === card) ?? unknownCard(card), more);
}
