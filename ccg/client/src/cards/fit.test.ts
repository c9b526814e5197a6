import { describe, expect, test } from "vitest";
import { fitText, lineCount, textWidth } from "./fit";

describe("the width of a text", () => {
  test("grows with its letters, with capitals and with tracking", () => {
    expect(textWidth("ill")).toBeLessThan(textWidth("mmm"));
    expect(textWidth("apollo", { capitals: true })).toBeGreaterThan(textWidth("apollo"));
    expect(textWidth("apollo", { tracking: 0.1 })).toBeCloseTo(textWidth("apollo") + 0.6);
  });
});

describe("lines", () => {
  test("break between words", () => {
    expect(lineCount("one two", 1000, 12)).toBe(1);
    expect(lineCount("seven seven seven", 34, 12)).toBe(3);
  });

  test("cannot hold a word that is wider than they are", () => {
    expect(lineCount("Quartararo", 10, 12)).toBe(Number.POSITIVE_INFINITY);
  });
});

describe("a text is set", () => {
  const choices: [number, number][] = [
    [20, 1],
    [16, 1],
    [12, 2],
  ];

  test("as large as fits", () => {
    expect(fitText("CAG", 100, choices).size).toBe(20);
    expect(fitText("Commander Air", 100, choices).size).toBe(16);
  });

  test("on more lines before it would be cut", () => {
    expect(fitText("Commander Air Group Leader", 100, choices)).toEqual({ size: 12, lines: 2 });
  });

  test("at the smallest size where nothing fits", () => {
    expect(fitText("word ".repeat(40).trim(), 100, choices).size).toBe(12);
  });
});
