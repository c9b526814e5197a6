import { expect, test } from "vitest";
import { aPlayer, aView } from "./fixtures/small";
import { reasonWords, standingOf } from "./game-over";
import type { PlayerView, ResultView } from "./types";

const RESULT: ResultView = { winners: [], losers: [], reason: "draw" };

function over(result: Partial<ResultView>, ...players: Partial<PlayerView>[]) {
  return aView(null, { result: { ...RESULT, ...result }, players: players.map((one, seat) => aPlayer(seat, one)) });
}

test("a draw of all who have lost is told from one by who runs the site", () => {
  expect(reasonWords(over({}, { lost: true, influence: 0 }, { lost: true, influence: -1 }))).toBe(
    "All lost at the same time.",
  );
  expect(reasonWords(over({ losers: [2] }, { influence: 4 }, { influence: 9 }, { lost: true }))).toBe(
    "Whoever runs the site has ended the match.",
  );
});

test("who drew or was still there stands before who had left, whatever influence they left with", () => {
  const drawn = over(
    { losers: [0] },
    { lost: true, influence: 9 },
    { lost: true, influence: 0 },
    { lost: true, influence: -1 },
  );
  expect(standingOf(drawn).map(({ seat }) => seat)).toEqual([1, 2, 0]);
  const won = over(
    { winners: [3], losers: [0, 1, 2], reason: "influence" },
    { lost: true, influence: 12 },
    { influence: 3 },
    { influence: 8 },
    { influence: 20 },
  );
  expect(standingOf(won).map(({ seat }) => seat)).toEqual([3, 2, 1, 0]);
});
