import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import { check, commitmentOf, type ShuffleFile, Stream, sealOf, told, Wrong } from "./check";

// A match that was played on a site of ours; the tests of Python check the same file with the script.
const FILE = readFileSync(new URL("../../../../tests/matches/shuffles/match.json", import.meta.url), "utf8");
const file = (): ShuffleFile => JSON.parse(FILE) as ShuffleFile;

async function sealed(change: (file: ShuffleFile) => void): Promise<ShuffleFile> {
  const changed = file();
  change(changed);
  changed.seal = await sealOf(changed);
  return changed;
}

describe("a published file", () => {
  test("holds as it was published", async () => {
    const found = await check(file());
    expect(found).toEqual({
      drawings: file().drawings.length,
      withCards: file().drawings.length,
      gaveWords: 2,
      noted: null,
    });
    expect(told(found)).toContain("All of it holds");
  });

  test("a changed bit anywhere is refused, or it is no file any more", async () => {
    const bytes = new TextEncoder().encode(FILE);
    for (let at = 0; at < bytes.length; at += 41) {
      const other = bytes.slice();
      other[at] = (other[at] ?? 0) ^ (1 << (at % 8));
      await expect(async () => check(JSON.parse(new TextDecoder().decode(other)) as ShuffleFile)).rejects.toThrow();
    }
  });

  // Whoever changes a file can seal it anew: what was promised has to be found wrong by itself.
  test.each<[string, (file: ShuffleFile) => void, RegExp]>([
    ["another secret", (f) => Object.assign(f.seats[0] ?? {}, { secret: "00".repeat(32) }), /bound to/],
    [
      "a secret chosen after the words, with a commitment made for it",
      (f) => Object.assign(f.seats[0] ?? {}, { secret: "00".repeat(32), commitment: ZEROS }),
      /seed/,
    ],
    ["other words", (f) => Object.assign(f.seats[1] ?? {}, { words: "mine" }), /seed/],
    ["two cards exchanged", (f) => f.drawings[0]?.after?.reverse(), /order/],
    ["a shuffle left out", (f) => f.drawings.splice(1, 1), /before ended/],
    ["another deck", (f) => f.seats[0]?.deck?.reverse(), /brought/],
    ["a shuffle that took more words", (f) => Object.assign(f.drawings[1] ?? {}, { at: 60 }), /before ended/],
    ["a private deck shown by half", (f) => Object.assign(f.drawings[0] ?? {}, { after: null }), /order/],
    ["nothing but commitments", (f) => Object.assign(f, { state: "running" }), /not over/],
  ])("%s is found", async (_, change, why) => {
    const changed = await sealed(change);
    await expect(check(changed)).rejects.toThrow(why);
    await expect(check(changed)).rejects.toThrow(Wrong);
  });

  test("what this browser noted as it sat down is compared", async () => {
    const { commitment, words } = file().seats[1] ?? {};
    const note = { commitment: commitment ?? "", words: words ?? "" };
    expect((await check(file(), [{ commitment: "f".repeat(64), words: "of another match" }, note])).noted).toBe(1);
    await expect(check(file(), [{ ...note, words: "what I said" }])).rejects.toThrow(/not those/);
  });

  test("a private deck is checked as far as it is shown", async () => {
    const hidden = await sealed((f) => {
      Object.assign(f.seats[0] ?? {}, { deck: null });
      for (const drawn of f.drawings)
        if (drawn.seat === 0 && drawn.why !== "first player") Object.assign(drawn, { before: null, after: null });
    });
    expect(told(await check(hidden))).toContain("the cards are private");
  });
});

const ZEROS = await commitmentOf(new Uint8Array(32));

test("the stream is that of the engine", async () => {
  const stream = new Stream(new TextEncoder().encode("battlestar"));
  const numbers = [];
  for (let n = 0; n < 6; n += 1) numbers.push(await stream.below(1000));
  expect(numbers).toEqual([257, 751, 932, 288, 272, 342]);
});
