import { describe, expect, test } from "vitest";
import { SHAPES } from "../protocol";
import { aPlayer, aTable, aView } from "./fixtures/small";
import { whole } from "./whole";

/** Leave out what a server leaves out. */
function lean(name: string, value: unknown): unknown {
  const shape = SHAPES[name];
  if (!shape || typeof value !== "object" || value === null) return value;
  if (Array.isArray(value)) return value.map((one) => lean(name, one));
  const usual = (field: string, is: unknown): boolean =>
    field in shape.defaults && JSON.stringify(is) === JSON.stringify(shape.defaults[field]);
  const kept = Object.entries(value).filter(([field, is]) => !usual(field, is));
  return Object.fromEntries(kept.map(([field, is]) => [field, lean(shape.holds[field] ?? "", is)]));
}

describe("a message is made whole", () => {
  test("a piece gets the fields that were left out, and keeps the others", () => {
    const piece = whole("PieceView", {
      id: 7,
      card: "BSG1-099",
      controller: 1,
      role: "ship",
      power: 3,
      traits: ["Fighter"],
    });
    expect(piece).toMatchObject({
      id: 7,
      power: 3,
      traits: ["Fighter"],
      threat: 0,
      links: [],
      exhausted: false,
      makes: null,
    });
  });

  test("so do those that it holds", () => {
    const piece = whole("PieceView", { id: 7, links: [{ id: 8, card: "BSG1-016", owner: 0 }] });
    expect(piece).toMatchObject({ links: [{ id: 8, exhausted: false }] });
  });

  test("a table is after that what it was before", () => {
    const table = aTable(4, aView(null, { players: [aPlayer(0, { lost: true, discard: ["BSG1-016"] }), aPlayer(1)] }));
    const sent = lean("table", table);
    expect(JSON.stringify(sent).length).toBeLessThan(JSON.stringify(table).length / 1.5);
    expect(whole("table", sent)).toEqual(table);
  });

  test("null stays null, and an unknown shape what it is", () => {
    expect(whole("ChallengeView", null)).toBeNull();
    expect(whole("pong", { type: "pong" })).toEqual({ type: "pong" });
  });
});
