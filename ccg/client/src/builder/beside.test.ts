import { expect, it } from "vitest";
import { unknownCard } from "../cards/facts";
import { knownBeside } from "./beside";
import { EMPTY } from "./content";
import type { Edition, Rules } from "./legality";
import { search } from "./search";

const EDITION: Edition = {
  starts: "2006-01-01",
  ends: null,
  sets: ["A"],
  reprints: [],
  minimum: 60,
  copies: 4,
  copies_of: { "A-5": 0 },
  banned: ["A-4"],
  restricted: ["A-3"],
};
const rules: Rules = {
  order: [],
  sentences: {},
  rules: {},
  few_units: "",
  advised_units: 30,
  formats: [
    { code: "standard", name: "Standard", editions: [EDITION] },
    { code: "over", name: "Over", editions: [{ ...EDITION, ends: "2007-01-01", sets: ["A", "B"] }] },
  ],
  words: { std: "standard" },
  standard: "standard",
  today: "2026-11-23",
};
const cards = [
  { ...unknownCard("A-1"), type: "base" as const, name: "Galactica", produces: "logistics" as const },
  { ...unknownCard("A-2"), type: "ship" as const, name: "Viper 7", cost: { logistics: 2 } },
  { ...unknownCard("A-3"), type: "personnel" as const, name: "Apollo", cost: { security: 1 } },
  { ...unknownCard("A-4"), type: "event" as const, name: "Banned" },
  { ...unknownCard("A-5"), type: "event" as const, name: "None of it" },
  { ...unknownCard("A-6"), type: "ship" as const, name: "Viper-7" },
  { ...unknownCard("B-1"), type: "event" as const, name: "Of another set" },
];

function found(query: string, deck: Partial<typeof EMPTY> = {}, owned: Record<string, number> | null = null): string[] {
  const known = knownBeside(cards, { content: { ...EMPTY, ...deck }, rules, owned, ruled: ["A-3"] });
  const { cards: some, wrong } = search(query, cards, known);
  return wrong ? [wrong.message] : some.map(({ id }) => id);
}

it("knows what formats allow and ban today; one out of its time does neither", () => {
  expect(found("legal:standard")).toEqual(["A-1", "A-2", "A-3", "A-6"]);
  expect(found("legal:now")).toEqual(found("legal:standard"));
  expect(found("legal:over")).toEqual([]);
  expect(found("banned:now")).toEqual(["A-4"]);
});

it("knows formats by their short words, as the server does", () => {
  expect(found("legal:std")).toEqual(found("legal:standard"));
  expect(found("-legal:std t:ship")).toEqual([]);
  expect(found("banned:std")).toEqual(["A-4"]);
});

it("knows what the open deck can still take: allowed, with room, paid by what the deck makes", () => {
  expect(found("fits:deck")).toEqual(["A-1", "A-2", "A-3", "A-6"]);
  expect(found("fits:deck", { base: "A-1" })).toEqual(["A-2", "A-6"]);
  expect(found("fits:deck", { counts: { "A-3": 1, "A-2": 3 } })).toEqual(["A-1", "A-2", "A-6"]);
  expect(found("fits:deck", { counts: { "A-2": 3, "A-6": 1 } })).toEqual(["A-1", "A-3"]);
});

it("knows which cards a ruling concerns", () => {
  expect(found("has:ruling")).toEqual(["A-3"]);
  expect(found("-has:ruling t:ship")).toEqual(["A-2", "A-6"]);
});

it("knows what somebody owns who has said so, and refuses what only the server knows", () => {
  expect(found("owned>=2", {}, { "A-2": 2, "A-3": 1 })).toEqual(["A-2"]);
  expect(found("owned>=2")[0]).toContain("own cards");
  expect(found("with:apollo")[0]).toContain("page of cards");
});
