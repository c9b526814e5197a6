import { describe, expect, it } from "vitest";
import { unknownCard } from "../cards/facts";
import { inPercent } from "./chart";
import { EMPTY } from "./content";
import { atLeast, lacking, numbersOf, seenBy, unplayed } from "./numbers";
import { expanded, shuffled } from "./shuffling";

const cards = new Map(
  [
    {
      ...unknownCard("P-1"),
      type: "personnel" as const,
      cost: { security: 3 },
      power: 2,
      mystic: 2,
      threat: 1,
      produces: "security" as const,
    },
    {
      ...unknownCard("S-1"),
      type: "ship" as const,
      cost: { logistics: 2, security: 6 },
      power: 3,
      mystic: 0,
      threat: 4,
      produces: "logistics" as const,
    },
    { ...unknownCard("M-1"), type: "mission" as const, mystic: 4 },
    { ...unknownCard("B-1"), type: "base" as const, power: 7, produces: "security" as const },
  ].map((card) => [card.id, card]),
);
const numbers = numbersOf({ ...EMPTY, base: "B-1", counts: { "P-1": 4, "S-1": 2, "M-1": 1, "X-1": 3 } }, cards);
const shown = (bars: { label: string; copies: number }[]) =>
  Object.fromEntries(bars.filter(({ copies }) => copies > 0).map(({ label, copies }) => [label, copies]));

describe("the numbers of a deck", () => {
  it("has costs by what pays them, the dearest together", () => {
    expect(shown(numbers.costs)).toEqual({ "3": 4, "7+": 2 });
    expect(numbers.costs[2]?.payers).toMatchObject({ security: 4, mixed: 0 });
    expect(numbers.costs[6]?.payers).toMatchObject({ mixed: 2 });
    expect(numbers.costs[6]?.cards).toEqual(["S-1"]);
  });

  it("weighs what is made against what is paid", () => {
    const [, logistics, security] = numbers.balance;
    expect(logistics).toMatchObject({ makers: 2, cost: 4, baseMakes: false });
    expect(security).toMatchObject({ makers: 4, cost: 24, baseMakes: true });
    expect(security?.makesShare).toBeCloseTo(4 / 6);
  });

  it("counts types, power, threat and mystic values", () => {
    expect(shown(numbers.types)).toEqual({ personnel: 4, ship: 2, mission: 1 });
    expect(shown(numbers.power)).toEqual({ "2": 4, "3": 2 });
    expect(shown(numbers.threat)).toEqual({ "1": 4, "4": 2 });
    expect(shown(numbers.mystic)).toEqual({ "0": 2, "2": 4, "4": 1 });
    expect(numbers.meanThreat).toBeCloseTo(2);
    expect(numbers.defense).toBe(7);
  });
});

describe("odds", () => {
  it("are those of drawing without putting back", () => {
    expect(atLeast(1, 1, 15, 60)).toBeCloseTo(0.25);
    expect(atLeast(1, 2, 2, 4)).toBeCloseTo(1 - (2 / 4) * (1 / 3));
    expect(atLeast(2, 6, 20, 60)).toBeCloseTo(0.6605, 3);
  });

  it("end at certainty and at nothing", () => {
    expect(atLeast(0, 0, 0, 0)).toBe(1);
    expect(atLeast(1, 10, 0, 60)).toBe(0);
    expect(atLeast(1, 0, 60, 60)).toBe(0);
    expect(atLeast(3, 100, 3, 60)).toBe(1);
    expect(atLeast(1, 60, 60, 60)).toBe(1);
  });

  it("count the hand and two cards a turn", () => {
    expect([seenBy(0, 4), seenBy(3, 4)]).toEqual([4, 10]);
  });
});

it("deals every copy once, in an order of chance", () => {
  const deck = expanded({ "P-1": 4, "S-1": 2 });
  const dealt = shuffled(deck, crypto);
  expect([...dealt].sort()).toEqual([...deck].sort());
  const firsts = new Set(Array.from({ length: 200 }, () => shuffled(["a", "b", "c"], crypto).join("")));
  expect(firsts.size).toBe(6);
});

it("says 0 and 100 percent of none and all alone", () => {
  expect([0, 1e-17, 0.001, 0.574, 0.996, 1 - 1e-16, 1].map((share) => inPercent(share))).toEqual(
    ["0", "0", "1", "57", "99", "100", "100"], // as the server does
  );
  expect([0.0001, 0.9996].map((share) => inPercent(share, 1))).toEqual(["0.1", "99.9"]);
});

describe("what else is to be known of a deck", () => {
  const content = { ...EMPTY, base: "B-1", counts: { "P-1": 4, "S-1": 2 } };

  it("counts the copies that one lacks, that of the base included", () => {
    expect(lacking(content, {})).toBe(7);
    expect(lacking(content, { "P-1": 9, "S-1": 1 })).toBe(2);
    expect(lacking(content, { "P-1": 4, "S-1": 2, "B-1": 1 })).toBe(0);
    expect(lacking(EMPTY, {})).toBe(0);
  });

  it("counts the cards whose abilities are not played", () => {
    expect(unplayed(content, cards)).toBe(0);
    const pending = new Map([...cards].map(([id, card]) => [id, { ...card, pending: id !== "M-1" }]));
    expect(unplayed(content, pending)).toBe(3);
  });
});
