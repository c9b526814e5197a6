import { expect, test } from "vitest";
import { pauseBefore } from "./pauses";

test("pauses double, are jittered between half and all of their length, and end at the longest", () => {
  const pauses = { first: 400, longest: 15_000 };
  expect(pauseBefore(0, pauses, () => 0)).toBe(200);
  expect(pauseBefore(0, pauses, () => 1)).toBe(400);
  expect(pauseBefore(3, pauses, () => 1)).toBe(3_200);
  expect(pauseBefore(30, pauses, () => 1)).toBe(15_000);
});
