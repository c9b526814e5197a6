import { expect, it } from "vitest";
import { unknownCard } from "../cards/facts";
import { EMPTY, withCard } from "./content";
import { createEditor } from "./editor";

const viper = { ...unknownCard("A-1"), type: "ship" as const, name: "Viper" };
const base = { ...unknownCard("B-1"), type: "base" as const, name: "Galactica" };

it("undoes and does again, change by change", () => {
  const editor = createEditor();
  editor.set(viper, 4);
  editor.set(base, 1);
  editor.undo();
  expect(editor.store.get().content).toMatchObject({ counts: { "A-1": 4 }, base: "" });
  editor.undo();
  editor.undo();
  expect(editor.store.get().content).toEqual(EMPTY);
  editor.redo();
  editor.redo();
  expect(editor.store.get().content).toMatchObject({ counts: { "A-1": 4 }, base: "B-1" });
});

it("undoes typing as a whole", () => {
  const editor = createEditor();
  for (const name of ["V", "Vi", "Vip"]) editor.amend({ ...EMPTY, name });
  editor.set(viper, 1);
  editor.amend({ ...editor.store.get().content, name: "Vipe" });
  editor.undo();
  expect(editor.store.get().content.name).toBe("Vip");
  editor.undo();
  editor.undo();
  expect(editor.store.get().content).toEqual(EMPTY);
});

it("forgets what was undone when something else is done", () => {
  const editor = createEditor();
  editor.set(viper, 4);
  editor.undo();
  editor.set(viper, 2);
  editor.redo();
  expect(editor.store.get().content.counts).toEqual({ "A-1": 2 });
});

it("says what was done", () => {
  const editor = createEditor();
  editor.set(viper, 3);
  expect(editor.store.get().heard).toBe("Viper: 3 in the deck");
  editor.set(viper, 2, "considering");
  expect(editor.store.get().heard).toBe("Viper: 2 considered");
  editor.set(base, 1);
  expect(editor.store.get().heard).toBe("Galactica is the base");
});

it("takes tags away with the last copy of their card", () => {
  const tagged = { ...EMPTY, counts: { "A-1": 1 }, considering: { "A-1": 1 }, tags: { "A-1": ["core"] } };
  const considered = withCard(tagged, viper, 0);
  expect(considered.tags).toEqual({ "A-1": ["core"] });
  expect(withCard(considered, viper, 0, "considering").tags).toEqual({});
});

it("keeps no more than 99 copies, and none below zero", () => {
  expect(withCard(EMPTY, viper, 1000).counts).toEqual({ "A-1": 99 });
  expect(withCard(EMPTY, viper, -1).counts).toEqual({});
});
