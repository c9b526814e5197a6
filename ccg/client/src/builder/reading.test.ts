import { expect, test } from "vitest";
import { leavesBase, EMPTY as NOTHING, together } from "./content";
import { carried, type Reading, withChoices } from "./reading";
import { asText } from "./text";

const EMPTY = { name: "", format: "", bases: [], counts: {}, considering: {}, tags: {} };

const reading = (...lines: [text: string, ...cards: string[]][]): Reading => ({
  deck: EMPTY,
  undecided: [],
  lines: lines.map(([text, ...cards], at) => ({ number: at + 1, text, kind: "ambiguous", cards, notes: [] })),
});

test("what was picked goes with its line when the list is changed above it", () => {
  const before = reading(["4 Stims", "A"], ["2 Apollo", "B", "C"], ["3 Bla"]);
  expect(carried({ 2: "C", 3: "-" }, before, "2 Apollo\n1 New\n3 Bla\n")).toEqual({ 1: "C", 3: "-" });
});

test("what was picked goes with a line that has gone, and is not for the one in its place", () => {
  const before = reading(["2 Apollo", "B", "C"], ["3 Bla"]);
  expect(carried({ 1: "C", 2: "-" }, before, "2 Boomer\n3 Blau")).toEqual({});
});

test("of two equal lines each keeps its own pick", () => {
  const before = reading(["2 Apollo", "B", "C"], ["2 Apollo", "B", "C"]);
  expect(carried({ 1: "B", 2: "C" }, before, "2 Apollo\n2 Apollo\n4 Stims")).toEqual({ 1: "B", 2: "C" });
});

test("equal lines keep their own picks where lines come above them, and lines their spaces", () => {
  const before = reading(["2 Apollo", "B", "C"], ["2 Apollo", "B", "C"]);
  expect(carried({ 1: "B", 2: "C" }, before, "4 Stims\n2 Apollo\n2 Apollo")).toEqual({ 2: "B", 3: "C" });
  expect(carried({ 1: "B", 2: "C" }, before, "2 Apollo\n4 Stims\n2 Apollo")).toEqual({ 1: "B", 3: "C" });
  expect(carried({ 1: "B", 2: "C" }, before, "2\tApollo\n2  Apollo\r\n4 Stims")).toEqual({ 1: "B", 2: "C" });
});

test("a line for which a card was picked can still become another one", () => {
  const first = reading(["2 Apollo", "B", "C"]);
  const picked = withChoices(reading(["2 Apollo", "C"]), first);
  expect(picked.lines[0]?.cards).toEqual(["B", "C"]);
  expect(withChoices(reading(["2 Apollo", "B"]), picked).lines[0]?.cards).toEqual(["B", "C"]);
  expect(withChoices(reading(["2 Boomer", "D"]), first).lines[0]?.cards).toEqual(["D"]);
});

test("what two lists hold of a card adds up, and is written as lines that can be read", () => {
  const both = together({ ...NOTHING, counts: { "X-1": 90 } }, { ...NOTHING, counts: { "X-1": 40 } });
  expect(both.counts).toEqual({ "X-1": 130 });
  expect(asText(both, "standard").split("\n")).toEqual(expect.arrayContaining(["99 X-1", "31 X-1"]));
});

test("another base than the one that a deck has is left, and that is known", () => {
  const [none, one, other] = ["", "X-1", "X-2"].map((base) => ({ ...NOTHING, base }));
  if (!none || !one || !other) throw new Error("three decks");
  expect(together(one, other).base).toBe("X-1");
  expect(leavesBase(one, other)).toBe(true);
  expect([leavesBase(one, one), leavesBase(none, one), leavesBase(one, none)]).toEqual([false, false, false]);
});

test("gives a card the tags of both lists where one is added to the other, as many as a card may have", () => {
  const tags = (...words: string[]): typeof NOTHING => ({ ...NOTHING, counts: { "X-1": 1 }, tags: { "X-1": words } });
  expect(together(tags("core"), tags("cut", "core")).tags).toEqual({ "X-1": ["core", "cut"] });
  expect(together(tags(..."hgfedcba"), tags("i")).tags["X-1"]?.join("")).toBe("abcdefgh");
  expect(together(NOTHING, tags("cut")).tags).toEqual({ "X-1": ["cut"] });
});
