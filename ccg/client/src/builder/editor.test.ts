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

it("leaves what others did to the same card when one's own change of it is undone", () => {
  const with_ = (copies: number) => withCard(EMPTY, viper, copies);
  const news = { part: "counts" as const, card: "A-1", was: 2, now: 3, kept: null };
  const editor = createEditor(with_(1));
  editor.set(base, 1);
  editor.set(viper, 2);
  editor.heardOf({ ...with_(2), base: "B-1" }, { ...with_(3), base: "B-1" }, [news]); // they made three of it
  expect(editor.store.get().content).toEqual({ ...with_(3), base: "B-1" });
  editor.undo();
  expect(editor.store.get().content, "a step that changes nothing is passed over").toEqual(with_(3));
  editor.redo();
  expect(editor.store.get().content).toEqual({ ...with_(3), base: "B-1" });

  const own = createEditor(with_(1));
  own.set(viper, 2);
  own.heardOf(with_(2), with_(2), [{ ...news, was: 1, kept: 2 }]); // they had made three of it, over which two stands
  expect(own.store.get().content).toEqual(with_(2));
  own.undo();
  expect(own.store.get().content).toEqual(with_(3));
  own.redo();
  expect(own.store.get().content).toEqual(with_(2));
});

it("leaves what stands over what others did to a card where another change is undone", () => {
  const [here, raptor] = [withCard(EMPTY, viper, 1), { ...viper, id: "R-2" }];
  const editor = createEditor(here); // the one of it is a change that was taken back before this page was opened
  editor.set(raptor, 2);
  const sent = editor.store.get().content;
  editor.heardOf(sent, sent, [{ part: "counts", card: viper.id, was: 1, now: 3, kept: 1 }]);
  editor.undo();
  expect(editor.store.get().content.counts).toEqual({ [viper.id]: 1 });
});

it("tells what others did beside what is told later, until somebody closes it", () => {
  const news = { part: "counts" as const, card: "A-1", was: 2, now: 3, kept: null };
  const editor = createEditor(withCard(EMPTY, viper, 2));
  const told = () => editor.store.get().notice;
  editor.heardOf(withCard(EMPTY, viper, 2), withCard(EMPTY, viper, 3), [news]);
  editor.change(EMPTY);
  editor.show({ notice: { words: "The deck is empty again.", undo: true } });
  const words = "The deck is empty again. Merged with changes from another window.";
  expect(told()).toEqual({ words, undo: true, brought: [news] });
  editor.set(base, 1);
  expect(told()).toEqual({ words: "Merged with changes from another window.", brought: [news] });
  editor.show({ tab: "deck" });
  expect(told()?.brought).toEqual([news]);
  editor.show({ notice: null });
  editor.show({ notice: { words: "Viper: 4 of 4." } });
  expect(told()).toEqual({ words: "Viper: 4 of 4." });
});
