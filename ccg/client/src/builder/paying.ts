/**
 * How likely a card can be paid for by a turn: many games of one player, each with another order of the deck. Pure.
 *
 * The rules behind it: the base makes one of its resource from the start (GENR-1). In each turn two cards are drawn
 * (READY-3), then one card of the hand may become an asset, which makes one of the resource on it, or a supply card,
 * which makes a base or an asset make one more (RES-3, RES-6, RES-7). All are restored in the next turn, and what is
 * made beyond the cost is lost, so that what counts is how much of each resource can be made at all.
 *
 * The choices are those of somebody who wants this card: the first asset of a resource that is still missing comes
 * before everything else, then supply cards where there is too little. No other choices pay sooner, whatever is drawn
 * (the test tries all). The first copy of the card that is drawn is kept, and an opening hand that makes nothing of
 * what is missing is redrawn once. What the texts of cards do is left out.
 */

/** A copy in the deck: the place of the resource that it makes, or -1; and whether it is the card asked about. */
export interface Copy {
  makes: number;
  asked: boolean;
}

export interface Question {
  /** What the card costs, a number for each resource. */
  cost: readonly number[];
  /** The place of the resource that the base makes; -1 without a base. */
  base: number;
  /** How many cards the opening hand has. */
  hand: number;
  deck: readonly Copy[];
  /** The last turn that is asked about. */
  turns: number;
}

/** In how many of the games it could be paid, and also was in hand, by each turn from the first on. */
export interface Tally {
  games: number;
  paid: number[];
  held: number[];
}

/** Cards drawn in each ready phase, from the first turn on (READY-3). */
export const DRAWN_A_TURN = 2;

export const noGames = ({ turns }: Question): Tally => ({
  games: 0,
  paid: Array.from({ length: turns }, () => 0),
  held: Array.from({ length: turns }, () => 0),
});

/** Numbers from 0 to below 1, the same ones for the same seed: the generator "sfc32" of PractRand. */
export function chanceOf(seed: string): () => number {
  let [a, b, c, count] = [hashed(seed, 1), hashed(seed, 2), hashed(seed, 3), 1];
  const next = (): number => {
    const sum = (((a + b) | 0) + count) | 0;
    count = (count + 1) | 0;
    a = b ^ (b >>> 9);
    b = (c + (c << 3)) | 0;
    c = (((c << 21) | (c >>> 11)) + sum) | 0;
    return (sum >>> 0) / 2 ** 32;
  };
  for (let warmedUp = 0; warmedUp < 12; warmedUp++) next();
  return next;
}

/** FNV-1a of a text, different for each `salt`. */
function hashed(text: string, salt: number): number {
  let hash = 0x811c9dc5 ^ salt;
  for (let at = 0; at < text.length; at++) hash = Math.imul(hash ^ text.charCodeAt(at), 0x01000193);
  return hash | 0;
}

/** `tally` with that many more games, whose orders come from `chance`. */
export function playMore(question: Question, tally: Tally, games: number, chance: () => number): Tally {
  const [paid, held] = [[...tally.paid], [...tally.held]];
  const deck = [...question.deck];
  const seen = question.hand + DRAWN_A_TURN * question.turns;
  for (let game = 0; game < games; game++) {
    deal(deck, seen, chance);
    if (isRedrawn(question, deck)) deal(deck, seen, chance);
    const first = firstTurns(question, deck);
    for (let turn = first.paid; turn <= question.turns; turn++) paid[turn - 1] = (paid[turn - 1] ?? 0) + 1;
    for (let turn = first.held; turn <= question.turns; turn++) held[turn - 1] = (held[turn - 1] ?? 0) + 1;
  }
  return { games: tally.games + games, paid, held };
}

/** Put cards of chance in the first `seen` places (Fisher and Yates, as far as anybody looks). */
function deal(deck: Copy[], seen: number, chance: () => number): void {
  for (let at = 0; at < Math.min(seen, deck.length); at++) {
    const from = at + Math.floor(chance() * (deck.length - at));
    const [one, other] = [deck[at], deck[from]];
    if (one === undefined || other === undefined) continue;
    deck[at] = other;
    deck[from] = one;
  }
}

/** Whether the opening hand makes none of the resources that the card needs and the base does not make. */
export function isRedrawn({ cost, base, hand }: Question, deck: readonly Copy[]): boolean {
  const missing = cost.map((amount, resource) => amount > 0 && resource !== base);
  return missing.includes(true) && !deck.slice(0, hand).some(({ makes }) => missing[makes]);
}

/** The turns in which the card can be paid for first, and is in hand as well; `turns` + 1 for never. */
export function firstTurns(
  { cost, base, hand, turns }: Question,
  deck: readonly Copy[],
): { paid: number; held: number } {
  const made = cost.map((_, resource) => Number(resource === base));
  // Cards in hand that are not kept: those that make nothing, then those that make each of the resources.
  const cards = [0, ...cost.map(() => 0)];
  const add = (list: number[], at: number, by: number): void => {
    list[at] = (list[at] ?? 0) + by;
  };
  let [isHeld, seen] = [false, 0];
  const draw = (count: number): void => {
    for (const last = Math.min(seen + count, deck.length); seen < last; seen++) {
      const copy = deck[seen];
      if (copy?.asked && !isHeld) isHeld = true;
      else add(cards, (copy?.makes ?? -1) + 1, 1);
    }
  };
  const first = { paid: turns + 1, held: turns + 1 };
  draw(hand);
  for (let turn = 1; turn <= turns; turn++) {
    draw(DRAWN_A_TURN);
    const opened = cost.findIndex((amount, resource) => amount > 0 && made[resource] === 0 && cards[resource + 1]);
    const short = cost.findIndex((amount, resource) => made[resource] && made[resource] < amount);
    // Whatever makes what is missing has become an asset before, so that any card is as good below another.
    const used = opened >= 0 ? opened + 1 : cards.findIndex((count) => count > 0);
    const grown = opened >= 0 ? opened : short;
    if (grown >= 0 && used >= 0) {
      add(cards, used, -1);
      add(made, grown, 1);
    }
    if (cost.every((amount, resource) => (made[resource] ?? 0) >= amount)) {
      first.paid = Math.min(first.paid, turn);
      if (isHeld) first.held = Math.min(first.held, turn);
    }
  }
  return first;
}

/** Where the true share lies, with 95 %, of which `hits` of `games` is a sample (Wilson's interval). */
export function interval(hits: number, games: number): [number, number] {
  if (games === 0) return [0, 1];
  const [z, share] = [1.96, hits / games];
  const middle = share + (z * z) / (2 * games);
  const half = z * Math.sqrt((share * (1 - share)) / games + (z * z) / (4 * games * games));
  const scale = 1 + (z * z) / games;
  return [Math.max(0, (middle - half) / scale), Math.min(1, (middle + half) / scale)];
}
