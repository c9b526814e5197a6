import { expect, test } from "vitest";
import { anEvent, aPlayer, aView } from "./fixtures/small";
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

test("who lost all influence stands before who left, and of either the later the better, as ratings have it", () => {
  const won = over(
    { winners: [0], losers: [1, 2, 3, 4], reason: "last" },
    { influence: 5 },
    { lost: true, influence: 12 },
    { lost: true, influence: 10 },
    { lost: true, influence: 0 },
    { lost: true, influence: 8 },
  );
  // That the last of them left is so long ago that it is in the log no more.
  const log = [1, 3, 2].map((player) => ({ id: `${player}`, event: anEvent("Lost.", { kind: "lose", player }) }));
  expect(standingOf(won, log).map(({ seat }) => seat)).toEqual([0, 3, 2, 1, 4]);
});
