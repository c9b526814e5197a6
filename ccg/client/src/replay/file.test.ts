import { expect, test } from "vitest";
import { aDecision, anEvent, anOption, aPlayer, aView } from "../table/fixtures/small";
import { changed, type ReplayFile, recordingOf } from "./file";
import { readPlace, writePlace } from "./place";

const options = [anOption("pass"), anOption("challenge 12 p1")];
const view = { ...aView(aDecision(options), { players: [aPlayer(0), aPlayer(1)] }), viewer: null };

const file: ReplayFile = {
  match: "m",
  sees: "all",
  seat: null,
  may_see_all: true,
  players: [
    { seat: 0, name: "Alice", kind: "person", level: null },
    { seat: 1, name: "Computer", kind: "computer", level: "easy" },
  ],
  turns: [{ turn: 1, move: 1 }],
  moves: [
    { changes: [{ at: [], to: view }] },
    {
      by: 0,
      option: "pass",
      does: "Pass",
      changes: [
        { at: ["turn"], to: 5 },
        { at: ["players", 1, "influence"], to: 3 },
      ],
    },
    { by: 1, events: [anEvent("Ready phase", { kind: "phase" }), anEvent("draw")], changes: [{ at: ["decision"] }] },
  ],
};

test("a change touches only what it names", () => {
  const before = { a: [1, { b: 2 }], c: { d: 3 } };
  const after = changed(before, { at: ["a", 1, "b"], to: 4 }) as typeof before;
  expect(after).toEqual({ a: [1, { b: 4 }], c: { d: 3 } });
  expect(before.a[1]).toEqual({ b: 2 });
  expect(after.c).toBe(before.c);
  expect(changed(before, { at: ["c", "d"], gone: true })).toEqual({ a: before.a, c: {} });
  expect(changed(before, { at: ["c"] })).toEqual({ a: before.a, c: null });
  expect(changed(before, { at: [], to: 7 })).toBe(7);
});

test("every position is that of the one before with its changes made", () => {
  const { moments, turns, name } = recordingOf(file);
  expect(name).toBe("Alice vs Computer");
  expect(turns).toEqual(file.turns);
  expect(moments.map((moment) => moment.table.view.turn)).toEqual([view.turn, 5, 5]);
  expect(moments[1]?.table.view.players[1]?.influence).toBe(3);
  expect(moments[2]?.table.view.decision).toBeNull();
  expect(moments.map((moment) => moment.table.over)).toEqual([false, false, true]);
});

test("of the options only the one that is taken next is left, so that it is marked", () => {
  const { moments } = recordingOf(file);
  expect(moments[0]?.table.view.decision?.options.map((one) => one.key)).toEqual(["pass"]);
  expect(moments[1]?.table.view.decision?.options).toEqual([]);
});

test("where it is not known what was chosen, what came of it is told", () => {
  const { moments } = recordingOf(file);
  expect(moments[1]?.told).toBe("");
  expect(moments[2]?.told).toBe(anEvent("draw").text);
});

test("a replay of what a seat knew is that seat's, any other lies as for somebody who looks on", () => {
  const own = recordingOf({ ...file, sees: "seat", seat: 1 });
  expect(own.moments[0]?.table.you).toBe(1);
  expect(own.moments[0]?.table.view.near).toBe(1);
  const all = recordingOf({ ...file, sees: "all", seat: 1 });
  expect(all.moments[0]?.table.you).toBeNull();
  expect(all.moments[0]?.table.view.near).toBe(1);
});

test("the address says how far and how much", () => {
  expect(readPlace("#move=37&all")).toEqual({ move: 37, all: true });
  expect(readPlace("")).toEqual({ move: 0, all: false });
  expect(readPlace("#move=-3")).toEqual({ move: 0, all: false });
  expect(readPlace("#move=none")).toEqual({ move: 0, all: false });
  expect(writePlace({ move: 37, all: true })).toBe("#move=37&all");
  expect(readPlace(writePlace({ move: 5, all: false }))).toEqual({ move: 5, all: false });
});
