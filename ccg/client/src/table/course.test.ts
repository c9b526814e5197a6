// The graph of a match: where its points lie.

import { expect, test } from "vitest";
import { deedWords, levelsOf, lineOf, mostOf, ticksOf } from "./course";

const course = [
  { turn: 0, influence: [10, 8], threat: null, defense: null },
  { turn: 1, influence: [12, 4], threat: 3, defense: 6 },
  { turn: 2, influence: [20, -1], threat: null, defense: null },
];

test("turns lie side by side, the highest value on top, and nothing below the ground", () => {
  expect(lineOf(course, (turn) => turn.influence[0], 20, 100, 50)).toEqual([
    { x: 0, y: 25 },
    { x: 50, y: 20 },
    { x: 100, y: 0 },
  ]);
  expect(lineOf(course, (turn) => turn.influence[1], 20, 100, 50).at(-1)).toEqual({ x: 100, y: 50 });
});

test("a turn without a value has no point", () => {
  expect(lineOf(course, (turn) => turn.threat, 6, 100, 50)).toEqual([{ x: 50, y: 25 }]);
  expect(mostOf([null, 3, undefined])).toBe(3);
});

test("the scale has a few round values", () => {
  expect(ticksOf(20)).toEqual([0, 5, 10, 15, 20]);
  expect(ticksOf(13)).toEqual([0, 5, 10]);
  expect(ticksOf(1)).toEqual([0, 1]);
});

test("what a card has done, in words", () => {
  expect(deedWords({ seat: 0, card: "BSG1-099", won: 2, influence: 3 })).toBe("2 challenges won, 3 influence");
  expect(deedWords({ seat: 0, card: "BSG1-099", won: 0, influence: 1 })).toBe("1 influence");
});

test("one turn's levels are told in words, as a graph of them would be a point", () => {
  expect(levelsOf({ turn: 1, influence: [], threat: 4, defense: 9 })).toBe(
    "Only turn 1 came to its Cylon phase: threat level 4, fleet defense 9.",
  );
  expect(levelsOf(undefined)).toBe("No turn came to its Cylon phase.");
});
