import { describe, expect, test } from "vitest";
import { aPiece, aPlayer } from "./fixtures/small";
import { openSeats, usualSeats, wantedSeats } from "./folds";

const others = [1, 2, 3].map((seat) => aPlayer(seat, { alert: [aPiece(10 + seat)] }));

describe("which fleets are open", () => {
  test("the wanted ones, as long as there is room", () => {
    expect([...openSeats(others, new Set(), [3, 1, 2], 2)]).toEqual([3, 1]);
    expect([...openSeats(others, new Set(), [], 2)]).toEqual([]);
  });

  test("those involved before all others, even without room", () => {
    expect([...openSeats(others, new Set([2]), [1, 3], 2)]).toEqual([2, 1]);
    expect([...openSeats(others, new Set([1, 2, 3]), [1], 1)]).toEqual([1, 2, 3]);
  });

  test("who is involved takes the place of another one, where nobody has chosen", () => {
    expect(usualSeats([1, 2, 3], new Set([0, 2]), 1)).toEqual([]);
    expect(usualSeats([1, 2, 3], new Set([0]), 1)).toEqual([1]);
    expect(usualSeats([1, 2, 3], new Set([0, 2]), 3)).toEqual([1, 3]);
  });

  test("nobody who is out of the game", () => {
    const lost = [aPlayer(1, { lost: true }), ...others.slice(1)];
    expect([...openSeats(lost, new Set([1]), [1, 2, 3], 2)]).toEqual([2, 3]);
  });

  test("another one where the open one goes out of the game", () => {
    expect(wantedSeats(null, others, new Set(), 1)).toEqual([1]);
    const lost = [aPlayer(1, { lost: true }), ...others.slice(1)];
    expect(wantedSeats(null, lost, new Set(), 1)).toEqual([2]);
    expect(wantedSeats([1], lost, new Set(), 1)).toEqual([2]);
    expect(wantedSeats([3, 1], lost, new Set(), 1)).toEqual([3]);
  });

  test("none where one has folded them all", () => {
    expect(wantedSeats([], others, new Set(), 1)).toEqual([]);
  });
});
