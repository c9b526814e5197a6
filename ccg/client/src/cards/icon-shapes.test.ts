import { expect, test } from "vitest";
import { ICON_SHAPES, type IconShape, iconSheet, isIconName } from "./icon-shapes";

const icons = Object.entries<readonly IconShape[]>(ICON_SHAPES);

test.each(icons)("%s stays on its grid of 24", (_, shapes) => {
  for (const { d } of shapes) {
    expect(d).toMatch(/^[Mm][\d\s.,a-zA-Z-]+$/);
    // Absolute starting points of each part; the rest is relative to them.
    for (const [, x, y] of d.matchAll(/M(-?[\d.]+)[ ,]?(-?[\d.]+)/g)) {
      expect(Number(x)).toBeGreaterThanOrEqual(0);
      expect(Number(x)).toBeLessThanOrEqual(24);
      expect(Number(y)).toBeGreaterThanOrEqual(0);
      expect(Number(y)).toBeLessThanOrEqual(24);
    }
  }
});

test("every resource, number and type of the rules has an icon", () => {
  for (const name of ["persuasion", "logistics", "security", "power", "threat", "mystic", "influence"])
    expect(isIconName(name)).toBe(true);
  for (const type of ["base", "personnel", "ship", "event", "mission"]) expect(isIconName(type)).toBe(true);
  for (const seat of [1, 2, 3, 4, 5, 6, 7, 8]) expect(isIconName(`seat-${seat}`)).toBe(true);
});

test("names that objects have anyway are no icons", () => expect(isIconName("constructor")).toBe(false));

test("the sheet holds each icon once, and the emblem", () => {
  const ids = [...iconSheet().matchAll(/<symbol id="([^"]+)"/g)].map((found) => found[1]);
  expect(ids).toEqual([...icons.map(([name]) => name), "emblem"]);
});
