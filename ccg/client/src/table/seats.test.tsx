// @vitest-environment happy-dom
// What a table of several says of who is away, and of who is out of the game.

import { afterEach, expect, test, vi } from "vitest";
import { openPage, type Page } from "./fixtures/page-kit";
import { aDecision, aPlayer, aView } from "./fixtures/small";

let page: Page;
afterEach(() => {
  page.close();
  vi.unstubAllGlobals();
});

const SEATS = [0, 1, 2, 3];

/** Three opponents, none of them at the table: Bob has to choose, Carol has not, Dave is out of the game. */
function threeAway(): void {
  const players = SEATS.map((seat) => aPlayer(seat, { lost: seat === 3 }));
  page = openPage(aView(aDecision([], { seat: 1 }), { players }), {
    people: SEATS.map((seat) => ({ seat, name: "X", kind: "person", level: null, stand_in: "" })),
    present: [0],
    clocks: {
      tempo: "live 600+10",
      low: 60_000,
      paused: false,
      resuming: [],
      pause_left: null,
      seats: SEATS.map((seat) => ({ seat, left: 600_000, bank: 600_000, running: seat === 1, vacation: false })),
    },
  });
}

test("who is away is marked so, also while they have to choose; who is out of the game is not", () => {
  threeAway();
  const marks = page.all(".player.is-compact").map((panel) => panel.querySelector(".turn-tab, .player-away"));
  expect(marks.map((mark) => mark?.textContent)).toEqual(["Away", "away", undefined]);
});

test("so it is on a phone, of who has to choose", () => {
  vi.stubGlobal("matchMedia", (asked: string) => ({
    matches: asked.includes("max-width: 820px"),
    addEventListener: () => undefined,
    removeEventListener: () => undefined,
  }));
  threeAway();
  expect(page.all(".player-row .turn-tab").map((mark) => mark.textContent)).toEqual(["Away"]);
});

test("who is out of the game has no clock", () => {
  threeAway();
  expect(page.all("[data-clock]").map((clock) => clock.dataset.clock)).toEqual(["1", "2", "0"]);
});
