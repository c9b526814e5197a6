import { describe, expect, it } from "vitest";
import { lineLost, lineOpened, mannerAsked, messageReceived } from "./actions";
import { passesAlone } from "./auto-pass";
import { timeLeft, timeWords } from "./clock";
import { aTable, aView } from "./fixtures/small";
import { emptyTable, mayChoose, type TableState } from "./store";
import type { TableClocks } from "./types";

const MINUTE = 60_000;

function clocks(left: number, more: Partial<TableClocks> = {}): TableClocks {
  return {
    tempo: "live 600+10",
    low: MINUTE,
    paused: false,
    resuming: [],
    pause_left: null,
    seats: [
      { seat: 0, left, bank: left, running: !more.paused, vacation: false },
      { seat: 1, left: 10 * MINUTE, bank: 10 * MINUTE, running: false, vacation: false },
    ],
    ...more,
  };
}

const heard = (state: TableState, left: number, at: number): TableState =>
  messageReceived(state, aTable(1, aView(null), { clocks: clocks(left) }), at).state;

describe("clocks", () => {
  it("count down from when they were heard, for who must decide", () => {
    const state = heard(emptyTable(), 5 * MINUTE, 1_000);
    expect(timeLeft(state, 0, 31_000)).toBe(4.5 * MINUTE);
    expect(timeLeft(state, 1, 31_000)).toBe(10 * MINUTE);
  });

  it("never show less than nothing", () => {
    expect(timeLeft(heard(emptyTable(), 500, 0), 0, 10_000)).toBe(0);
  });

  it("are set right by a heartbeat of the same version, and not by one of another", () => {
    const state = heard(emptyTable(), 5 * MINUTE, 0);
    const beat = { type: "heartbeat", version: 1, present: [], rematch: null, onlookers: 0, absent: [] } as const;
    const right = messageReceived(state, { ...beat, present: [], absent: [], clocks: clocks(2 * MINUTE) }, 9_000).state;
    expect(timeLeft(right, 0, 9_000)).toBe(2 * MINUTE);
    const other = messageReceived(state, { ...beat, version: 2, present: [], absent: [], clocks: clocks(7) }, 9_000);
    expect(timeLeft(other.state, 0, 0)).toBe(5 * MINUTE);
  });

  it("are there only in a match that has them", () => {
    const state = messageReceived(emptyTable(), aTable(1, aView(null)), 0).state;
    expect(timeLeft(state, 0, 0)).toBeNull();
  });

  it.each([
    [0, "0:00"],
    [59_999, "0:59"],
    [600_000, "10:00"],
    [3_661_000, "1:01:01"],
    [11 * 3_600_000, "11 h 0 min"],
    [3 * 24 * 3_600_000 + 5 * 3_600_000, "3 d 5 h"],
  ])("tell %i ms as %s", (left, words) => {
    expect(timeWords(left)).toBe(words);
  });
});

describe("manners", () => {
  const decision = {
    ...({ seat: 0, kind: "action", prompt: "", chain: [], owed: {}, can_take_back: false } as const),
    options: [{ key: "pass", verb: "pass", text: "Pass" }],
  } as unknown as NonNullable<ReturnType<typeof aView>["decision"]>;
  const table = (more: Parameters<typeof aTable>[2]): TableState =>
    messageReceived({ ...emptyTable(), line: "open" }, aTable(1, aView(decision), more), 0).state;

  it("nothing is chosen while the match is paused", () => {
    expect(mayChoose(table({ clocks: clocks(MINUTE) }))).toBe(true);
    expect(mayChoose(table({ clocks: clocks(MINUTE, { paused: true }) }))).toBe(false);
  });

  it("nothing is passed by itself while somebody waits for an answer", () => {
    expect(passesAlone(table({}))).toBe(true);
    expect(passesAlone(table({ offers: [{ what: "draw", seat: 1, agreed: [1], of: null }] }))).toBe(false);
    expect(passesAlone(table({ offers: [{ what: "draw", seat: 0, agreed: [0], of: null }] }))).toBe(true);
  });

  it("an offer is sent, and its refusal is told", () => {
    const step = mannerAsked(table({}), { type: "offer", what: "draw" }, { id: "x", now: 0 });
    expect(step.send).toEqual([{ type: "offer", what: "draw", id: "x" }]);
    const refused = { type: "refused", id: "x", code: "not_allowed", message: "Not now.", version: 1 } as const;
    expect(messageReceived(step.state, refused).state.notice?.text).toBe("Not now.");
  });

  it("what a line has swallowed is sent once more when the next one opens, until it is answered", () => {
    const offer = { type: "offer", what: "draw", id: "x" } as const;
    const asked = mannerAsked(table({}), { type: "offer", what: "draw" }, { id: "x", now: 0 }).state;
    const back = lineOpened(lineLost(asked, 5).state, 9);
    expect(back.send).toEqual([{ type: "hello", since: 1 }, offer]);
    const accepted = messageReceived(back.state, { type: "accepted", id: "x", version: 2 }).state;
    expect(lineOpened(lineLost(accepted, 20).state, 25).send).toEqual([{ type: "hello", since: 1 }]);
  });

  it("what was asked for long ago is not sent any more, and that is said", () => {
    const asked = mannerAsked(table({}), { type: "agree", what: "draw" }, { id: "x", now: 0 }, 1_000).state;
    const late = lineOpened(lineLost(asked, 5).state, 9, 3_600_000);
    expect(late.send).toEqual([{ type: "hello", since: 1 }]);
    expect(late.state.notice?.text).toMatch(/not sent: ask again/);
    const soon = lineOpened(lineLost(asked, 5).state, 9, 20_000);
    expect(soon.send).toHaveLength(2);
  });

  it("what a standing order brings does not answer an offer", () => {
    const asked = mannerAsked(table({}), { type: "offer", what: "draw" }, { id: "x", now: 0 }).state;
    const told = messageReceived(asked, { type: "orders", version: 1, orders: [], offered: [] }).state;
    const refused = { type: "refused", id: "x", code: "not_allowed", message: "Not now.", version: 1 } as const;
    expect(messageReceived(told, refused).state.notice?.text).toBe("Not now.");
  });

  it("what is asked by nobody's hand as the line opens does not take its place, nor is it asked twice", () => {
    const asked = mannerAsked(table({}), { type: "offer", what: "draw" }, { id: "x", now: 0 }).state;
    const orders = mannerAsked(asked, { type: "read_orders" }, { id: "y", now: 0 }).state;
    const refused = { type: "refused", id: "x", code: "not_allowed", message: "Not now.", version: 1 } as const;
    expect(messageReceived(orders, refused).state.notice?.text).toBe("Not now.");
    const read = mannerAsked(table({}), { type: "read_orders" }, { id: "y", now: 0 }).state;
    const told = messageReceived(read, { type: "orders", version: 1, orders: [], offered: [] }).state;
    expect(lineOpened(lineLost(told, 5).state, 9).send).toEqual([{ type: "hello", since: 1 }]);
  });

  it("is not sent while the line is down", () => {
    const step = mannerAsked({ ...table({}), line: "lost" }, { type: "resume" }, { id: "x", now: 0 });
    expect(step.send).toEqual([]);
    expect(step.state.notice?.text).toContain("Not connected");
  });
});
