// How a game ended, in a sentence.

import { describe, expect, it } from "vitest";
import { aPlayer, aView } from "./fixtures/small";
import { drawnSeats, resultWords } from "./result";
import type { ResultView } from "./types";

const NAMES = ["Ana", "Ben", "Cal"];

function ended(result: ResultView) {
  return { ...aView(null, { viewer: 0, result }), players: NAMES.map((name, seat) => aPlayer(seat, { name })) };
}

describe("the result", () => {
  it("names who won", () => {
    expect(resultWords(ended({ winners: [1], losers: [0, 2], reason: "last" }))).toBe("Ben wins.");
  });

  it("names who drew, and not who had lost before", () => {
    const view = ended({ winners: [], losers: [2], reason: "draw" });
    expect(drawnSeats(view)).toEqual([0, 1]);
    expect(resultWords(view)).toBe("Nobody wins: you and Ben draw.");
  });
});
