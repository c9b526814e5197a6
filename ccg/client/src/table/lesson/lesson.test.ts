import { describe, expect, it } from "vitest";
import {
  answerTo,
  BEGINNING,
  counted,
  holds,
  type Lesson,
  type LessonStep,
  partsOf,
  readProgress,
  saveProgress,
  standing,
} from "./lesson";

const step = (at: number, more: Partial<LessonStep> = {}): LessonStep => ({
  at,
  say: "Look.",
  point: [],
  option: "",
  quiet: false,
  refused: {},
  notYet: "",
  ...more,
});

/** Read, keep; the computer keeps; read, play, pay quietly; the computer passes; read the end. */
const LESSON: Lesson = {
  slug: "first-match",
  title: "Your first match",
  steps: [
    step(0),
    step(0, { option: "keep", refused: { redraw: "Not yet: this hand is good." } }),
    step(2),
    step(2, { option: "play A", notYet: "Not yet: A first." }),
    step(3, { option: "pay 1", quiet: true }),
    step(5),
  ],
  next: null,
  others: "/play/others/",
};

const at = (moves: number | null, read: number) => standing(LESSON, moves, { read, free: false });

describe("which step is due", () => {
  it("is the first at this position that has not been read", () => {
    expect(at(0, 0)).toMatchObject({ kind: "step", place: 0 });
    expect(at(0, 1)).toMatchObject({ kind: "step", place: 1 });
    expect(at(2, 2)).toMatchObject({ kind: "step", place: 2 });
  });

  it("is none while the computer acts, outside the lesson, and after the last step", () => {
    expect(at(1, 2).kind).toBe("wait");
    expect(at(null, 2).kind).toBe("left");
    expect(at(5, 6).kind).toBe("done");
    expect(at(null, 6).kind).toBe("done");
  });

  it("is the move again after it was taken back", () => {
    expect(at(2, 5)).toMatchObject({ kind: "step", place: 3 });
  });

  it("is found at a position that another browser has come to", () => {
    expect(at(2, 0)).toMatchObject({ kind: "step", place: 2 });
  });
});

describe("what is answered to a choice", () => {
  it("nothing to the move that is due", () => {
    expect(answerTo(at(0, 1), BEGINNING, "keep")).toBeNull();
  });

  it("the reason of the step to a move that it has foreseen, and its general one to others", () => {
    expect(answerTo(at(0, 1), BEGINNING, "redraw")).toBe("Not yet: this hand is good.");
    expect(answerTo(at(2, 3), BEGINNING, "pass")).toBe("Not yet: A first.");
    expect(answerTo(at(0, 1), BEGINNING, "pass")).toMatch(/^Not yet: /);
  });

  it("to read on first, where there is something to read", () => {
    expect(answerTo(at(0, 0), BEGINNING, "keep")).toMatch(/press Next/);
  });

  it("nothing to who plays freely, or has left the lesson", () => {
    expect(answerTo(at(0, 0), { read: 0, free: true }, "redraw")).toBeNull();
    expect(answerTo(at(null, 3), BEGINNING, "pass")).toBeNull();
    expect(answerTo(at(5, 6), BEGINNING, "pass")).toBeNull();
  });
});

it("nothing is passed by itself until the lesson is over or left", () => {
  expect(holds(at(0, 0), BEGINNING)).toBe(true);
  expect(holds(at(1, 2), BEGINNING)).toBe(true);
  expect(holds(at(null, 2), BEGINNING)).toBe(false);
  expect(holds(at(5, 6), BEGINNING)).toBe(false);
  expect(holds(at(0, 0), { read: 0, free: true })).toBe(false);
});

it("steps are counted without those that nobody sees", () => {
  expect(counted(LESSON, 0)).toEqual({ number: 1, of: 5 });
  expect(counted(LESSON, 5)).toEqual({ number: 5, of: 5 });
});

it("words of the game are told from the text around them", () => {
  expect(partsOf("To pay, you *exhaust* it.")).toEqual([
    { text: "To pay, you ", word: false },
    { text: "exhaust", word: true },
    { text: " it.", word: false },
  ]);
});

describe("how far one has come", () => {
  const keeper = () => {
    const kept = new Map<string, string>();
    return {
      getItem: (key: string) => kept.get(key) ?? null,
      setItem: (key: string, value: string) => void kept.set(key, value),
    };
  };

  it("is kept for a match", () => {
    const storage = keeper();
    saveProgress(storage, "m1", { read: 4, free: true });
    expect(readProgress(storage, "m1")).toEqual({ read: 4, free: true });
    expect(readProgress(storage, "m2")).toEqual(BEGINNING);
  });

  it("is the beginning where nothing or nonsense is kept", () => {
    const storage = keeper();
    expect(readProgress(storage, "m1")).toEqual(BEGINNING);
    storage.setItem("ragtag-fleet.lesson", '{"match":"m1","read":"x"}');
    expect(readProgress(storage, "m1")).toEqual(BEGINNING);
    storage.setItem("ragtag-fleet.lesson", "{");
    expect(readProgress(storage, "m1")).toEqual(BEGINNING);
    expect(readProgress(null, "m1")).toEqual(BEGINNING);
  });
});
