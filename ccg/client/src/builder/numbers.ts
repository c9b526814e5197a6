/** What a deck is like in numbers: what the charts show, and how likely a hand is. Pure. */

import { type CardFacts, type CardId, type CardType, RESOURCES, type Resource } from "../cards";
import type { Content } from "./content";
import type { Known } from "./legality";
import { DRAWN_A_TURN } from "./paying";

/** What pays for a card: one resource, or several together. */
export type Payer = Resource | "mixed";
export const PAYERS: readonly Payer[] = [...RESOURCES, "mixed"];
export const TYPES: readonly CardType[] = ["personnel", "ship", "mission", "event", "base"];
/** Costs from here on share the last column. */
export const DEAREST = 7;

/** Cards that have something in common: what the deck is filtered to when their bar is clicked. */
export interface Bar {
  label: string;
  cards: readonly CardId[];
  copies: number;
  /** Copies by what pays for them; only for costs. */
  payers?: Readonly<Record<Payer, number>>;
}

export interface Balance {
  resource: Resource;
  makers: number;
  makesShare: number;
  cost: number;
  costShare: number;
  baseMakes: boolean;
}

export interface Numbers {
  costs: Bar[];
  balance: Balance[];
  types: Bar[];
  power: Bar[];
  threat: Bar[];
  mystic: Bar[];
  /** Means over the cards that have the number. */
  meanThreat: number;
  meanMystic: number;
  /** The power of the base: its part of the fleet defense level. */
  defense: number | null;
}

type Entry = readonly [CardFacts, number];

export const costOf = (card: CardFacts): number =>
  RESOURCES.reduce((sum, resource) => sum + (card.cost[resource] ?? 0), 0);

export function payerOf(card: CardFacts): Payer | null {
  const paid = RESOURCES.filter((resource) => (card.cost[resource] ?? 0) > 0);
  return paid.length > 1 ? "mixed" : (paid[0] ?? null);
}

/** The cards of a pile that are known, with their copies. */
export const entries = (pile: Content["counts"], cards: Known["cards"]): Entry[] =>
  Object.entries(pile).flatMap(([id, n]) => {
    const card = cards.get(id);
    return card ? [[card, n] as const] : [];
  });

/** How many copies somebody who owns `owned` lacks to have the deck, its base included. */
export function lacking({ base, counts }: Content, owned: Content["counts"]): number {
  const wanted = Object.entries(base ? { ...counts, [base]: (counts[base] ?? 0) + 1 } : counts);
  return wanted.reduce((sum, [card, copies]) => sum + Math.max(0, copies - (owned[card] ?? 0)), 0);
}

/** How many cards of the deck, its base included, have an ability that is not yet played. */
export const unplayed = ({ base, counts }: Content, cards: Known["cards"]): number =>
  [base, ...Object.keys(counts)].filter((card) => cards.get(card)?.pending).length;

export function numbersOf(content: Content, cards: Known["cards"]): Numbers {
  const deck = entries(content.counts, cards);
  const base = cards.get(content.base);
  return {
    costs: costs(deck),
    balance: balance(deck, base),
    types: TYPES.map((type) =>
      bar(
        type,
        deck.filter(([card]) => card.type === type),
      ),
    ).filter((one) => one.copies > 0),
    power: byNumber(deck, (card) => (card.type === "base" ? null : card.power)),
    threat: byNumber(deck, (card) => card.threat),
    mystic: byNumber(deck, (card) => card.mystic),
    meanThreat: mean(deck, (card) => card.threat),
    meanMystic: mean(deck, (card) => card.mystic),
    defense: base?.power ?? null,
  };
}

const bar = (label: string, among: readonly Entry[]): Bar => ({
  label,
  cards: among.map(([card]) => card.id),
  copies: among.reduce((sum, [, n]) => sum + n, 0),
});

function costs(deck: readonly Entry[]): Bar[] {
  const paid = deck.filter(([card]) => payerOf(card) !== null);
  const last = Math.max(6, ...paid.map(([card]) => Math.min(costOf(card), DEAREST)));
  return Array.from({ length: last }, (_, at) => {
    const cost = at + 1;
    const among = paid.filter(([card]) => Math.min(costOf(card), DEAREST) === cost);
    const payers = Object.fromEntries(
      PAYERS.map((payer) => [
        payer,
        bar(
          "",
          among.filter(([card]) => payerOf(card) === payer),
        ).copies,
      ]),
    ) as Record<Payer, number>;
    return { ...bar(cost === DEAREST ? `${cost}+` : String(cost), among), payers };
  });
}

function balance(deck: readonly Entry[], base: CardFacts | undefined): Balance[] {
  const sum = (of: (card: CardFacts) => number): number => deck.reduce((all, [card, n]) => all + n * of(card), 0);
  const rows = RESOURCES.map((resource) => ({
    resource,
    makers: sum((card) => Number(card.produces === resource)),
    cost: sum((card) => card.cost[resource] ?? 0),
    baseMakes: base?.produces === resource,
  }));
  const [makers, cost] = [rows.reduce((all, one) => all + one.makers, 0), rows.reduce((all, one) => all + one.cost, 0)];
  return rows.map((row) => ({ ...row, makesShare: row.makers / (makers || 1), costShare: row.cost / (cost || 1) }));
}

function byNumber(deck: readonly Entry[], of: (card: CardFacts) => number | null): Bar[] {
  const having = deck.filter(([card]) => of(card) !== null);
  const last = Math.max(4, ...having.map(([card]) => of(card) ?? 0));
  return Array.from({ length: last + 1 }, (_, value) =>
    bar(
      String(value),
      having.filter(([card]) => of(card) === value),
    ),
  );
}

function mean(deck: readonly Entry[], of: (card: CardFacts) => number | null): number {
  const having = deck.filter(([card]) => of(card) !== null);
  const copies = having.reduce((sum, [, n]) => sum + n, 0);
  return copies > 0 ? having.reduce((sum, [card, n]) => sum + n * (of(card) ?? 0), 0) / copies : 0;
}

/** The opening hand where no base says how many cards it has. */
export const USUAL_HAND = 4;

/** How many cards somebody has seen in turn `turn` who began with a hand of `hand`. */
export const seenBy = (turn: number, hand: number): number => hand + DRAWN_A_TURN * turn;

/**
 * The probability that `seen` cards of a deck of `size`, drawn at random, have at least `wanted` of the `kind` cards
 * of one kind in it: hypergeometric.
 */
export function atLeast(wanted: number, seen: number, kind: number, size: number): number {
  if (wanted <= 0) return 1;
  const drawn = Math.min(seen, size);
  let fewer = 0;
  for (let have = Math.max(0, drawn - (size - kind)); have < wanted && have <= Math.min(kind, drawn); have++)
    fewer += Math.exp(choose(kind, have) + choose(size - kind, drawn - have) - choose(size, drawn));
  return Math.max(0, Math.min(1, 1 - fewer));
}

/** The logarithm of how many ways there are to choose `k` of `n`. */
function choose(n: number, k: number): number {
  let sum = 0;
  for (let at = 1; at <= k; at++) sum += Math.log((n - k + at) / at);
  return sum;
}
