import { expect, it } from "vitest";
import { EMPTY } from "./content";
import { discardsOf, forgetWhatIsBack, withDiscarded } from "./discarded";
import { createEditor } from "./editor";

const DAY = 86_400_000;
const content = { ...EMPTY, name: "Gone", counts: { "P-1": 4 } };

function kept(): Pick<Storage, "getItem" | "setItem" | "removeItem"> & { all: Map<string, string> } {
  const all = new Map<string, string>();
  return {
    all,
    getItem: (key) => all.get(key) ?? null,
    setItem: (key, value) => void all.set(key, value),
    removeItem: (key) => void all.delete(key),
  };
}

it("offers what was discarded, of this draft, to who discarded it", () => {
  const storage = kept();
  discardsOf(
    storage,
    () => "one",
    "7",
    () => 5,
  ).keep(content, EMPTY);
  expect(
    discardsOf(
      storage,
      () => "one",
      "7",
      () => DAY,
    ).offered(),
  ).toEqual({ content, left: EMPTY, at: 5 });
  expect(
    discardsOf(
      storage,
      () => "other",
      "7",
      () => DAY,
    ).offered(),
  ).toBeNull();
  expect(
    discardsOf(
      storage,
      () => "one",
      "8",
      () => DAY,
    ).offered(),
  ).toBeNull();
  discardsOf(
    storage,
    () => "one",
    "7",
    () => DAY,
  ).forget();
  expect(storage.all.size).toBe(0);
});

it("forgets it after a while, and does without a store", () => {
  const storage = kept();
  discardsOf(
    storage,
    () => "one",
    "",
    () => 0,
  ).keep(content, EMPTY);
  expect(
    discardsOf(
      storage,
      () => "one",
      "",
      () => 14 * DAY,
    ).offered()?.content,
  ).toEqual(content);
  expect(
    discardsOf(
      storage,
      () => "one",
      "",
      () => 15 * DAY,
    ).offered(),
  ).toBeNull();
  expect(storage.all.size).toBe(0);
  storage.setItem("ragtag-fleet.discarded.one", "{");
  expect(
    discardsOf(
      storage,
      () => "one",
      "",
      () => 0,
    ).offered(),
  ).toBeNull();
  expect(
    discardsOf(
      null,
      () => "one",
      "",
      () => 0,
    ).offered(),
  ).toBeNull();
});

it("forgets it once it is back, and keeps it again once that is redone", () => {
  const discards = discardsOf(
    kept(),
    () => "one",
    "7",
    () => 5,
  );
  const editor = createEditor(content);
  forgetWhatIsBack(editor.store, discards);
  discards.keep(content, EMPTY);
  editor.change(EMPTY);
  expect(discards.offered()?.content).toEqual(content);
  editor.undo();
  expect(discards.offered()).toBeNull();
  editor.redo();
  expect(discards.offered()?.content).toEqual(content);
  editor.undo();
  editor.change({ ...content, name: "Kept" });
  expect(discards.offered()).toBeNull();
});

it("brings back what was discarded, and undoes nothing of what was done since", () => {
  const storage = kept();
  const discards = discardsOf(
    storage,
    () => "one",
    "7",
    () => 5,
  );
  const left = { ...EMPTY, counts: { "P-1": 4, "P-2": 1 } };
  discards.keep({ ...left, name: "Wing", counts: { "P-1": 2, "P-3": 3 } }, left);
  const since = { ...left, name: "Raptors", counts: { "P-1": 4, "P-2": 1, "P-4": 2 } }; // on another device
  const offered = discards.offered();
  if (!offered) throw new Error("It is kept");
  const back = withDiscarded(offered, since);
  expect(back).toEqual({ ...EMPTY, name: "Raptors", counts: { "P-1": 2, "P-3": 3, "P-4": 2 } });

  const editor = createEditor(since, { past: [back] });
  forgetWhatIsBack(editor.store, discards);
  editor.undo();
  expect(discards.offered()).toBeNull();
  editor.redo();
  expect(editor.store.get().content).toEqual(since);
  expect(discards.offered()).toEqual({ content: back, left: since, at: 5 });

  storage.setItem(
    "ragtag-fleet.discarded.one",
    JSON.stringify({ user: "7", content: { counts: { "P-3": 3 } }, at: 5 }),
  );
  const older = discards.offered(); // from before what was left was kept
  expect(older && withDiscarded(older, since).counts).toEqual({ ...since.counts, "P-3": 3 });
});
