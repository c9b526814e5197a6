import { expect, test } from "vitest";
import { remember, remembered } from "./remembered";

function storage(kept = new Map<string, string>()): Pick<Storage, "getItem" | "setItem"> {
  return { getItem: (key) => kept.get(key) ?? null, setItem: (key, value) => void kept.set(key, value) };
}

test("order and groups are as they were left", () => {
  const kept = storage();
  expect(remembered(kept)).toEqual({});
  remember(kept, { order: "cost", grouping: "trait" });
  expect(remembered(kept)).toEqual({ order: "cost", grouping: "trait" });
});

test("what there is no more, or cannot be read, is left out", () => {
  const kept = storage();
  kept.setItem("ragtag-fleet.builder", '{"order": "colour", "grouping": "set"}');
  expect(remembered(kept)).toEqual({ grouping: "set" });
  kept.setItem("ragtag-fleet.builder", "{");
  expect(remembered(kept)).toEqual({});
  expect(remembered(null)).toEqual({});
});
