// What an automatic pass tells, and does not tell, by its timing.

import { afterEach, describe, expect, test, vi } from "vitest";
import * as actions from "./actions";
import { passWait } from "./auto-pass";
import { aDecision, anEvent, anOption, aPlayer, aTable, aView } from "./fixtures/small";
import { onlyPassLeft } from "./options";
import { emptyTable, SETTINGS, type TableState } from "./store";
import { createTable, type Table } from "./table";
import type { ClientMessage, OptionView, Person } from "./types";

const pass = anOption("pass");
const friend: Person[] = [
  { seat: 0, name: "Alice", kind: "person", level: null, stand_in: "" },
  { seat: 1, name: "Bob", kind: "person", level: null, stand_in: "" },
];

function asked(kind: string, hand: string[], people?: Person[]): TableState {
  const own = aPlayer(0, { hand_cards: hand, hand: hand.length });
  const view = aView(aDecision([pass], { kind }), { players: [own, aPlayer(1)] });
  return actions.messageReceived(emptyTable(), aTable(5, view, { since: 0, ...(people && { people }) })).state;
}

test("what would only help an opponent is nothing to stop for", () => {
  const repair = anOption("play BSG1-027", { card: "BSG1-027", helps_opponent: true });
  const view = (options: OptionView[]) => aView(aDecision(options), { players: [aPlayer(0), aPlayer(1)] });
  expect(onlyPassLeft(view([repair, pass]))).toBe(true);
  expect(onlyPassLeft(view([{ ...repair, helps_opponent: false }, pass]))).toBe(false);
  expect(onlyPassLeft(view([repair]))).toBe(false);
});

describe("how long an automatic pass waits", () => {
  test("where the hand decides, by chance alone and not by the hand", () => {
    // Whoever holds a card to play against the challenger is asked about it before defending.
    for (const kind of ["action", "defend", "effects", "resource_card"]) {
      const waits = [["BSG1-027"], ["BSG1-099", "BSG1-027"]].map((hand) =>
        passWait(asked(kind, hand, friend), () => 0.5),
      );
      expect(new Set(waits).size).toBe(1);
      expect(passWait(asked(kind, ["BSG1-027"], friend), () => 0)).toBeLessThan(waits[0] ?? 0);
      expect(passWait(asked(kind, ["BSG1-027"], friend), () => 1)).toBeGreaterThan(waits[0] ?? 0);
    }
  });

  test("against the computer, or with no hand at all, only so long that one sees it", () => {
    const seen = passWait(asked("effects", ["BSG1-027"]), () => 0.5);
    expect(passWait(asked("effects", [], friend), () => 0.5)).toBe(seen);
    expect(seen).toBeLessThan(passWait(asked("effects", ["BSG1-027"], friend), () => 0));
  });
});

describe("at the table", () => {
  afterEach(() => vi.useRealTimers());

  /** A table that passes by itself, asked `kind` with nothing but `option`; and what it sent. */
  function waiting(kind: string, option = "pass", people = friend): [Table, ClientMessage[]] {
    vi.useFakeTimers();
    const sent: ClientMessage[] = [];
    const settings = { ...SETTINGS, autoPass: "alone", speed: "off" } as const;
    const table = createTable({ send: (message) => sent.push(message), settings, chance: () => 0.5, now: () => 0 });
    const own = aPlayer(0, { hand_cards: ["BSG1-027"], hand: 1 });
    const view = aView(aDecision([anOption(option)], { kind }), { players: [own, aPlayer(1)] });
    table.lineOpened();
    table.received(aTable(5, view, { since: 0, people }));
    return [table, sent];
  }

  const chosen = (sent: ClientMessage[]): string[] =>
    sent.flatMap((message) => (message.type === "choose" ? [message.option] : []));

  test("what costs influence is never passed unread, though nothing else is possible", () => {
    for (const kind of ["defend", "cylon"]) {
      const [, sent] = waiting(kind, "decline");
      vi.advanceTimersByTime(60_000);
      expect(chosen(sent)).toEqual([]);
    }
  });

  test("what the player does first is what counts", () => {
    const [table, sent] = waiting("effects");
    table.pass();
    vi.advanceTimersByTime(5000);
    expect(chosen(sent)).toEqual(["pass"]);
  });

  test("what is passed so is told to be no choice by hand; what the player passes is one", () => {
    const [, alone] = waiting("effects");
    vi.advanceTimersByTime(5000);
    const [table, asked] = waiting("effects");
    table.pass();
    const byHand = [alone, asked].map((sent) => sent.filter((one) => one.type === "choose").map((one) => one.by_hand));
    expect(byHand).toEqual([[false], [undefined]]);
  });

  test("after a takeback nothing is passed before the player has chosen", () => {
    const [table, sent] = waiting("effects");
    const again = aView(aDecision([pass], { kind: "effects" }), { players: [aPlayer(0), aPlayer(1)] });
    const told = anEvent("The table is again as it was.", { kind: "taken back" });
    table.received(aTable(6, again, { people: friend, events: [{ version: 6, events: [told] }] }));
    table.showFrame();
    vi.advanceTimersByTime(9000);
    expect(chosen(sent)).toEqual([]);
    table.pass();
    table.received(aTable(7, again, { people: friend }));
    table.received({
      type: "accepted",
      id: sent.flatMap((one) => (one.type === "choose" ? [one.id] : []))[0] ?? "",
      version: 7,
    });
    table.showFrame();
    vi.advanceTimersByTime(9000);
    expect(chosen(sent)).toEqual(["pass", "pass"]);
  });

  test("who switches it off meanwhile is not passed for", () => {
    const [table, sent] = waiting("effects");
    table.set({ autoPass: "never" });
    vi.advanceTimersByTime(9000);
    expect(chosen(sent)).toEqual([]);
  });
});
