import { expect, test } from "vitest";
import { keepLeft, takeLeft } from "./resuming";

function storage(): Pick<Storage, "getItem" | "setItem" | "removeItem"> {
  const kept = new Map<string, string>();
  return {
    getItem: (key) => kept.get(key) ?? null,
    setItem: (key, value) => void kept.set(key, value),
    removeItem: (key) => void kept.delete(key),
  };
}

const left = { kind: "publish" as const, typed: { note: "First", tags: "rush", visibility: "unlisted" } };

test("a window that was left is opened once, as it was filled in", () => {
  const kept = storage();
  keepLeft(kept, "one", left);
  expect(takeLeft(kept, "one")).toEqual(left);
  expect(takeLeft(kept, "one")).toBeNull();
});

test("a window of another deck stays closed, and so does one that cannot be read", () => {
  const kept = storage();
  keepLeft(kept, "one", left);
  expect(takeLeft(kept, "other")).toBeNull();
  kept.setItem("ragtag-fleet.left", "{");
  expect(takeLeft(kept, "one")).toBeNull();
  expect(takeLeft(null, "one")).toBeNull();
});
