import { describe, expect, it } from "vitest";
import { atLeast } from "./numbers";
import {
  type Copy,
  chanceOf,
  DRAWN_A_TURN,
  firstTurns,
  interval,
  isRedrawn,
  noGames,
  playMore,
  type Question,
} from "./paying";

const NONE = -1;
const [PERSUASION, LOGISTICS, SECURITY] = [0, 1, 2];
const copies = (count: number, makes: number, asked = false): Copy[] =>
  Array.from({ length: count }, () => ({ makes, asked }));
const asking = (part: Partial<Question>): Question => ({
  cost: [0, 0, 0],
  base: SECURITY,
  hand: 3,
  deck: copies(20, NONE),
  turns: 8,
  ...part,
});

function shares(question: Question, games = 20_000): { paid: number[]; held: number[] } {
  const tally = playMore(question, noGames(question), games, chanceOf("test"));
  return { paid: tally.paid.map((hits) => hits / games), held: tally.held.map((hits) => hits / games) };
}

/** Within four standard deviations of so many games. */
const isNear = (found: number | undefined, expected: number): void =>
  expect(Math.abs((found ?? 9) - expected)).toBeLessThan(0.015);

/** Every order of `cards`, those that look alike told apart. */
function orders<T>(cards: readonly T[]): T[][] {
  if (cards.length === 0) return [[]];
  return cards.flatMap((card, at) =>
    orders([...cards.slice(0, at), ...cards.slice(at + 1)]).map((rest) => [card, ...rest]),
  );
}

/** The turns that the best of all plays reaches: every card as an asset or below every stack, or none at all. */
function bestTurns(question: Question, deck: readonly Copy[]): { paid: number; held: number } {
  const best = { paid: question.turns + 1, held: question.turns + 1 };
  const opening = deck.slice(0, question.hand);
  const start = question.cost.map((_, resource) => Number(resource === question.base));
  const go = (turn: number, hand: readonly Copy[], made: readonly number[]): void => {
    const enough = question.cost.every((amount, resource) => (made[resource] ?? 0) >= amount);
    if (turn > 0 && enough) best.paid = Math.min(best.paid, turn);
    if (turn > 0 && enough && hand.some(({ asked }) => asked)) best.held = Math.min(best.held, turn);
    if (turn === question.turns) return;
    const from = question.hand + DRAWN_A_TURN * turn;
    const holding = [...hand, ...deck.slice(from, from + DRAWN_A_TURN)];
    go(turn + 1, holding, made);
    holding.forEach((card, at) => {
      const rest = holding.filter((_, other) => other !== at);
      // The first copy of the card is kept.
      if (card.asked && !rest.some(({ asked }) => asked)) return;
      for (const resource of made.keys())
        if (card.makes === resource || (made[resource] ?? 0) > 0)
          go(
            turn + 1,
            rest,
            made.map((amount, one) => amount + Number(one === resource)),
          );
    });
  };
  go(0, opening, start);
  return best;
}

describe("what is worked out by hand", () => {
  it("a cost in the base's resource is one more each turn, whatever is drawn", () => {
    expect(shares(asking({ cost: [0, 0, 3] }), 100).paid).toEqual([0, 1, 1, 1, 1, 1, 1, 1]);
    expect(shares(asking({ cost: [0, 0, 1] }), 100).paid[0]).toBe(1);
  });

  it("another resource needs a card that makes it, and a hand without one is redrawn", () => {
    const question = asking({ cost: [0, 1, 0], deck: [...copies(4, LOGISTICS), ...copies(16, NONE)] });
    const inHand = atLeast(1, 3, 4, 20);
    const { paid } = shares(question);
    for (const turn of [1, 2, 3]) isNear(paid[turn - 1], inHand + (1 - inHand) * atLeast(1, 3 + 2 * turn, 4, 20));
    expect(isRedrawn(question, copies(3, NONE))).toBe(true);
    expect(isRedrawn(question, copies(3, LOGISTICS))).toBe(false);
    expect(isRedrawn(asking({ cost: [0, 0, 2] }), copies(3, NONE))).toBe(false);
  });

  it("a cost in two resources takes one card a turn for each of what is missing", () => {
    const question = asking({ cost: [1, 2, 1], deck: [...copies(10, LOGISTICS), ...copies(10, PERSUASION)] });
    const [hand, next] = [copies(3, LOGISTICS), [...copies(1, NONE), ...copies(1, PERSUASION)]];
    expect(firstTurns(question, [...hand, ...next, ...copies(9, NONE)]).paid).toBe(3);
    expect(firstTurns(question, [...hand, ...copies(6, NONE), ...copies(2, PERSUASION)]).paid).toBe(4);
    expect(firstTurns(question, copies(20, LOGISTICS)).paid).toBe(9);
  });

  it("the first copy of the card is kept, though it makes what is missing", () => {
    const question = asking({ cost: [0, 1, 0], deck: [...copies(2, LOGISTICS, true), ...copies(18, NONE)] });
    const one = [...copies(1, LOGISTICS, true), ...copies(19, NONE)];
    expect(firstTurns(question, one)).toEqual({ paid: 9, held: 9 });
    expect(firstTurns(question, [...copies(2, LOGISTICS, true), ...copies(18, NONE)])).toEqual({ paid: 1, held: 1 });
    const { paid, held } = shares(asking({ cost: [0, 0, 1], deck: [...copies(4, NONE, true), ...copies(16, NONE)] }));
    expect(paid[0]).toBe(1);
    isNear(held[1], atLeast(1, 7, 4, 20));
  });

  it("without a base the first asset makes the first resource", () => {
    expect(firstTurns(asking({ base: NONE, cost: [0, 2, 0] }), copies(9, LOGISTICS)).paid).toBe(2);
    expect(firstTurns(asking({ base: NONE, cost: [0, 2, 0] }), copies(9, NONE)).paid).toBe(9);
  });

  it("ends with the cards of the deck", () => {
    expect(firstTurns(asking({ cost: [0, 0, 6], hand: 1 }), copies(3, NONE))).toEqual({ paid: 9, held: 9 });
    expect(firstTurns(asking({ cost: [0, 0, 4], hand: 1 }), copies(3, NONE)).paid).toBe(3);
  });
});

describe("against every order and every choice of tiny decks", () => {
  const tiny: Question[] = [
    asking({
      cost: [1, 1, 0],
      hand: 1,
      turns: 3,
      deck: [...copies(1, PERSUASION), ...copies(1, LOGISTICS), ...copies(2, NONE), ...copies(1, NONE, true)],
    }),
    asking({
      cost: [0, 2, 1],
      hand: 1,
      turns: 3,
      deck: [...copies(2, LOGISTICS), ...copies(2, NONE), ...copies(1, LOGISTICS, true)],
    }),
    asking({
      cost: [1, 0, 2],
      hand: 2,
      turns: 2,
      base: NONE,
      deck: [...copies(2, SECURITY), ...copies(1, PERSUASION), ...copies(2, NONE, true)],
    }),
  ];

  it.each(tiny)("no play pays sooner (%#)", (question) => {
    for (const order of orders(question.deck)) expect(firstTurns(question, order)).toEqual(bestTurns(question, order));
  });

  it.each(tiny)("the odds are those of all orders (%#)", (question) => {
    const all = orders(question.deck);
    const fresh = all.map((order) => firstTurns(question, order));
    const by = (turns: readonly number[], turn: number): number =>
      turns.filter((one) => one <= turn).length / turns.length;
    const { paid, held } = shares(question);
    for (let turn = 1; turn <= question.turns; turn++) {
      const of = (which: "paid" | "held"): number => {
        const again = by(
          fresh.map((one) => one[which]),
          turn,
        );
        return (
          all.reduce(
            (sum, order, at) => sum + (isRedrawn(question, order) ? again : Number((fresh[at]?.[which] ?? 99) <= turn)),
            0,
          ) / all.length
        );
      };
      isNear(paid[turn - 1], of("paid"));
      isNear(held[turn - 1], of("held"));
    }
  });
});

it("is the same for the same seed, and goes on from where it was", () => {
  const question = asking({
    cost: [1, 1, 0],
    deck: [...copies(6, PERSUASION), ...copies(6, LOGISTICS), ...copies(20, NONE)],
  });
  const whole = playMore(question, noGames(question), 400, chanceOf("seed"));
  const chance = chanceOf("seed");
  const half = playMore(question, noGames(question), 200, chance);
  expect(half.paid).not.toEqual(whole.paid);
  expect(playMore(question, noGames(question), 400, chanceOf("seed"))).toEqual(whole);
  expect(playMore(question, noGames(question), 400, chanceOf("other"))).not.toEqual(whole);
  expect(whole.paid[7]).toBeGreaterThan(whole.paid[1] ?? 0);
});

it("an interval is as wide as the games are few", () => {
  expect(interval(0, 0)).toEqual([0, 1]);
  const [low, high] = interval(50, 100);
  expect(low).toBeCloseTo(0.404, 3);
  expect(high).toBeCloseTo(0.596, 3);
  expect(interval(100, 100)[1]).toBeCloseTo(1, 9);
  expect(interval(0, 100)[0]).toBeCloseTo(0, 9);
});
