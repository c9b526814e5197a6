import { readdirSync, readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";

const source = readFileSync(new URL("./tokens.css", import.meta.url), "utf8").split("@media")[0] ?? "";

type Scheme = "light" | "dark";

/** The value of a token in one of the two themes, as #rrggbb; a token that points to another is followed. */
function token(name: string, scheme: Scheme): string {
  const value = new RegExp(`--${name}:\\s*([^;]+);`).exec(source)?.[1] ?? "";
  const link = /^var\(--([\w-]+)\)$/.exec(value)?.[1];
  if (link) return token(link, scheme);
  const pair = /light-dark\((#[0-9a-f]{6}),\s*(#[0-9a-f]{6})\)/.exec(value);
  return (pair ? pair[scheme === "light" ? 1 : 2] : value) ?? "";
}

/** Relative luminance and contrast as WCAG 2 defines them. */
function luminance(colour: string): number {
  const [r = 0, g = 0, b = 0] = [1, 3, 5].map((at) => {
    const share = Number.parseInt(colour.slice(at, at + 2), 16) / 255;
    return share <= 0.04045 ? share / 12.92 : ((share + 0.055) / 1.055) ** 2.4;
  });
  return 0.2126 * r + 0.7152 * g + 0.0722 * b;
}

function contrast(one: string, other: string): number {
  const [high = 0, low = 0] = [luminance(one), luminance(other)].sort((a, b) => b - a);
  return (high + 0.05) / (low + 0.05);
}

const PLANES = ["ground", "panel", "raised"];
const TEXTS = [
  ...["text", "text-2", "text-3", "lamp", "ice", "good", "bad"],
  ...["personnel-text", "ship-text", "event-text", "mission-text", "base-text"],
  ...["persuasion", "logistics", "security", "mystic", "threat", "influence"],
  ...[1, 2, 3, 4, 5, 6, 7, 8].map((seat) => `seat-${seat}`),
];

describe.each<Scheme>(["dark", "light"])("in the %s theme", (scheme) => {
  test.each(TEXTS)("%s can be read on every plane", (name) => {
    for (const plane of PLANES)
      expect(contrast(token(name, scheme), token(plane, scheme)), plane).toBeGreaterThanOrEqual(4.5);
  });

  test("words on the lamp can be read", () => {
    expect(contrast(token("on-lamp", scheme), token("lamp", scheme))).toBeGreaterThanOrEqual(4.5);
  });

  test.each(["personnel", "ship", "event", "mission", "base", "line-strong"])(
    "%s is seen as a line or an icon",
    (name) => {
      for (const plane of PLANES)
        expect(contrast(token(name, scheme), token(plane, scheme)), plane).toBeGreaterThanOrEqual(3);
    },
  );
});

test.each(["mystic", "threat", "power", "power-raised", "power-lowered"])(
  "white is read on the %s box of a card",
  (box) => {
    expect(contrast("#ffffff", token(`box-${box}`, "dark"))).toBeGreaterThanOrEqual(4.5);
  },
);

/** The text of all files below these folders of the project whose names end so. */
const texts = (ends: RegExp): string[] =>
  ["ccg/client/src", "ccg/server", "cards_data", "decks", "matches"].flatMap((folder) => {
    const place = new URL(`../../../../${folder}/`, import.meta.url);
    const names = readdirSync(place, { recursive: true }).map(String);
    return names.filter((name) => ends.test(name)).map((name) => readFileSync(new URL(name, place), "utf8"));
  });

test("every value that a style takes is set somewhere, or has one in its place", () => {
  const set = texts(/\.(css|html|tsx?)$/).flatMap((text) => [...text.matchAll(/(--[\w-]+)(?:"?:|",)/g)]);
  const known = new Set(set.map(([, name]) => name));
  const taken = texts(/\.css$/).flatMap((text) => [...text.matchAll(/var\((--[\w-]+)\)/g)]);
  expect(taken.length).toBeGreaterThan(1000);
  expect([...new Set(taken.map(([, name]) => name))].filter((name) => !known.has(name))).toEqual([]);
});
