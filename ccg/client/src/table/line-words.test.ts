import { expect, test } from "vitest";
import { lineWords } from "./line-words";

const well = { line: "open", pending: false, waiting: "no", online: true } as const;

test("nothing is said while all is well", () => {
  expect(lineWords(well)).toBe("");
  expect(lineWords({ ...well, pending: true })).toBe("");
  expect(lineWords({ ...well, pending: true, waiting: "soon" })).toBe("Sending …");
});

test("a choice without an answer is said to be kept, and what to do", () => {
  for (const trouble of [{ waiting: "long" }, { line: "lost" }, { line: "connecting" }, { online: false }] as const) {
    const words = lineWords({ ...well, pending: true, ...trouble });
    expect(words).toMatch(/Your choice is kept and sent/);
    expect(words).toMatch(/Leave this page open\.$/);
  }
});

test("without a choice on its way nothing is lost", () => {
  expect(lineWords({ ...well, line: "lost" })).toMatch(/line to the server is down.*Nothing is lost/);
  expect(lineWords({ ...well, online: false })).toMatch(/You are offline.*Nothing is lost/);
});
