// @vitest-environment happy-dom
import { beforeEach, expect, it } from "vitest";
import { type CardFacts, unknownCard } from "../cards/facts";
import { cardMenuOf } from "./card-menu";
import { createEditor, type Editor } from "./editor";
import type { Known, Rules } from "./legality";

const viper = { ...unknownCard("A-1"), type: "ship" as const, name: "Viper" };
const base = { ...unknownCard("B-1"), type: "base" as const, name: "Galactica" };
const known: Known = { cards: new Map<string, CardFacts>([viper, base].map((card) => [card.id, card])), withdrawn: {} };
const rules: Rules = {
  standard: "s",
  formats: [{ code: "s", name: "Standard", editions: [] }],
  others: {},
  words: {},
} as unknown as Rules;

let editor: Editor;
beforeEach(() => {
  editor = createEditor();
});

const lines = (card: string) => cardMenuOf({ editor, rules, known })(card);
const words = (card: string): string[] => lines(card).map((line) => line.words);
const choose = (card: string, start: string): void =>
  lines(card)
    .find((line) => line.words.startsWith(start))
    ?.act?.();

it("adds, takes out and considers, and says how many there are", () => {
  choose("A-1", "One more");
  choose("A-1", "One more");
  choose("A-1", "One less");
  choose("A-1", "Consider");
  expect(editor.store.get().content).toMatchObject({ counts: { "A-1": 1 }, considering: { "A-1": 1 } });
  expect(words("A-1")[0]).toBe("One more (1 in the deck)");
  expect(editor.store.get().heard).toBe("Viper: 1 considered");
});

it("takes out only what is in the deck", () => {
  expect(words("A-1")).not.toContain("One less");
});

it("adds no more than the format lets, and says so", () => {
  for (let copy = 0; copy < 5; copy++) choose("A-1", "One more");
  expect(editor.store.get().content.counts).toEqual({ "A-1": 4 });
  expect(editor.store.get().notice?.words).toContain("4 of 4");
});

it("chooses a base, and takes it out again", () => {
  choose("B-1", "Choose it as the base");
  expect(editor.store.get().content.base).toBe("B-1");
  choose("B-1", "Take it out");
  expect(editor.store.get().content.base).toBe("");
});

it("has nothing for a card that is in no set any more", () => {
  expect(lines("GONE-1")).toEqual([]);
});
