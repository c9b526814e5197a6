import { beforeEach, describe, expect, test } from "vitest";
import { cardFacts } from "./catalog";
import { costWords, describeCard, describePiece } from "./describe";
import { requirementWords } from "./facts";
import { testPiece, useTestCards } from "./testing";

beforeEach(useTestCards);

describe("a piece is named", () => {
  test("by title, traits, power, place and what it can do", () => {
    expect(describePiece(testPiece("T-1"), "alert", ["can challenge"])).toBe(
      "Apollo, Pilot, power 2, alert, can challenge",
    );
  });

  test("with how its power differs from the print", () => {
    expect(describePiece(testPiece("T-1", { power: 4 }))).toContain("power 4, raised from 2");
    expect(describePiece(testPiece("T-1", { power: 0 }))).toContain("power 0, lowered from 2");
  });

  test("with everything that lies with it", () => {
    const piece = testPiece("T-1", {
      beneath: ["T-1"],
      links: [{ id: 9, card: "T-4", owner: 0, exhausted: false }],
      exhausted: true,
    });
    expect(describePiece(piece, "reserve")).toBe(
      "Apollo, Pilot, power 2, stack of 2, with Long Way Home, reserve, exhausted",
    );
  });

  test("as a resource stack by what it makes now", () => {
    const base = testPiece("T-5", { supplies: 2, yields: 3 });
    expect(describePiece(base)).toBe("Old Hull, base, makes 3 security, 2 supply cards");
    expect(describePiece({ ...base, exhausted: true })).toBe("Old Hull, base, makes security, 2 supply cards, spent");
  });

  test("as a Cylon threat by the power of the threat", () => {
    expect(describePiece(testPiece("T-2", { role: "threat", power: 3, pending: false }))).toBe(
      "Viper 1, Cylon threat, power 3",
    );
  });

  test("with a warning where its ability is not played yet", () => {
    expect(describePiece(testPiece("T-2"))).toContain("ability not yet played");
  });

  test("by its id where the catalogue does not know it", () => {
    expect(describePiece(testPiece("T-99", { role: "personnel", power: 1 }))).toContain("T-99");
  });
});

describe("a card is described", () => {
  test("by its facts, in one sentence", () => {
    expect(describeCard(cardFacts("T-1"), ["can be played"])).toBe(
      "Apollo, Test Pilot, Pilot personnel, costs 1 persuasion and 3 security, power 2, mystic value 2, Cylon threat 1, makes security, can be played",
    );
  });

  test("with what a mission asks for", () => {
    expect(describeCard(cardFacts("T-4"))).toContain("resolved with 2 Officers and 1 Civilian unit");
  });
});

test("costs are told in the order persuasion, logistics, security", () => {
  expect(costWords({ security: 1, logistics: 2, persuasion: 3 })).toBe("3 persuasion, 2 logistics and 1 security");
  expect(costWords({})).toBe("nothing");
});

test("requirements are counted and put in the plural", () => {
  expect(requirementWords(["Pilot"])).toBe("1 Pilot");
  expect(requirementWords(["Cylon personnel", "Cylon personnel"])).toBe("2 Cylon personnel");
  expect(requirementWords([])).toBe("");
});
