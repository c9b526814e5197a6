import { expect, test } from "vitest";
import { type RulesFile, searched, sectionsOf } from "./rules";

const clause = (id: string, section: string, rule: string, ruling: number | null = null) => ({
  id,
  section,
  rule,
  ruling,
});
const FILE: RulesFile = {
  clauses: [
    clause("WIN-1", "Victory Conditions", "Twenty influence wins."),
    clause("CHAL-1", "Challenge Procedure", "A unit challenges.", 24),
    clause("CHAL-5", "Challenge Procedure", "The higher total wins."),
    clause("CYLON-1", "Cylon Phase", "Threats are summed up."),
  ],
  rulings: [{ number: 24, text: "Only alert units challenge." }],
  phases: { cylon: ["Cylon Phase", "Not there"], challenge: ["Challenge Procedure"] },
};
const TERMS = [{ word: "asset", forms: ["assets"], meaning: "It heads a stack.", clause: "GLOS-ASSET" }];

test("what goes on now is on top, the rest in the order of the rulebook", () => {
  const sections = sectionsOf(FILE, TERMS, "cylon");
  expect(sections.map(({ name, now }) => [name, now])).toEqual([
    ["Cylon Phase", true],
    ["Victory Conditions", false],
    ["Challenge Procedure", false],
    ["Words of the game", false],
    ["Rulings", false],
  ]);
  expect(sections[2]?.entries[0]).toEqual({ id: "CHAL-1", name: "CHAL-1", text: "A unit challenges.", ruling: 24 });
  expect(sections[4]?.entries[0]?.id).toBe("ruling-24");
});

test("a search finds what has all of its words, by section too", () => {
  const sections = sectionsOf(FILE, TERMS, "cylon");
  const ids = (search: string) => searched(sections, search).flatMap(({ entries }) => entries.map(({ id }) => id));
  expect(ids("wins")).toEqual(["WIN-1", "CHAL-5"]);
  expect(ids("CHALLENGE unit")).toEqual(["CHAL-1", "ruling-24"]);
  expect(ids("asset")).toEqual(["word-asset"]);
  expect(ids("nothing of this")).toEqual([]);
  expect(ids("  ")).toHaveLength(6);
});
