import { readFileSync } from "node:fs";
import { describe, expect, test } from "vitest";
import type { Note } from "../site/words";
import { check, commitmentOf, hexOf, type ShuffleFile, Stream, sealOf, seedOf, told, Wrong } from "./check";

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
    ["another deck", (f) => f.seats[0]?.deck?.pop(), /brought/],
    ["a deck in another order", (f) => f.seats[0]?.deck?.reverse(), /brought in order/],
    ["words that are said not to be", (f) => Object.assign(f.seats[0] ?? {}, { gave_words: false }), /given words/],
    ["words of a computer", (f) => Object.assign(f.seats[1] ?? {}, { kind: "computer" }), /not a person/],
    ["a lot among more", (f) => Object.assign(f.drawings[2] ?? {}, { size: 9 }), /lot among seats/],
    ["a lot in a later move", (f) => Object.assign(f.drawings[2] ?? {}, { move: 7 }), /of that move/],
    ["another reason", (f) => Object.assign(f.drawings[3] ?? {}, { why: "search" }), /at this place/],
    ["a reason that is none", (f) => Object.assign(f.drawings[3] ?? {}, { why: "any" }), /at this place/],
    ["drawings before they are there", (f) => Object.assign(f, { state: "packing" }), /too early/],
    ["no later drawings than one", (f) => f.drawings.splice(1), /no shuffles/],
    ["an older version", (f) => Object.assign(f, { format: "ragtag-fleet/shuffles/1" }), /another version/],
    ["a shuffle that took more words", (f) => Object.assign(f.drawings[1] ?? {}, { at: 60 }), /before ended/],
    ["a private deck shown by half", (f) => Object.assign(f.drawings[0] ?? {}, { after: null }), /order/],
    ["nothing but commitments", (f) => Object.assign(f, { state: "running" }), /not over/],
  ])("%s is found", async (_, change, why) => {
    const changed = await sealed(change);
    await expect(check(changed)).rejects.toThrow(why);
    await expect(check(changed)).rejects.toThrow(Wrong);
  });

  test("seats are those that secrets and words give, whatever follows from others", async () => {
    const exchanged = await sealed((f) => {
      f.seats.reverse();
      for (const [place, seat] of f.seats.entries()) seat.seat = place;
    });
    exchanged.seed = hexOf(await seedOf(exchanged.seats));
    exchanged.seal = await sealOf(exchanged);
    await expect(check(exchanged)).rejects.toThrow(/seats are not those/);
  });

  test("a secret that is added at a seat without words is found", async () => {
    const late = await sealed((f) => Object.assign(f.seats[1] ?? {}, { words: "", gave_words: false }));
    late.seed = hexOf(await seedOf(late.seats));
    late.seal = await sealOf(late);
    await expect(check(late)).rejects.toThrow(/secret without words/);
  });

  test("what a file cannot show is said", async () => {
    const said = told(await check(await sealed((f) => f.drawings.pop())));
    expect(said).toContain("4 drawings follow");
    expect(said).toContain("cannot show that these are all drawings");
    const packing = await sealed((f) => Object.assign(f, { state: "packing", drawings: [] }));
    expect(told(await check(packing))).toContain("no order was checked");
    expect(told(await check(packing))).toContain("noted nothing of this match");
  });

  test("what was noted is good for one match", async () => {
    const { commitment, words } = file().seats[1] ?? {};
    const note: Note = { commitment: commitment ?? "", words: words ?? "" };
    await check(file(), [note]);
    expect(note.match).toBe(file().match);
    await expect(check(file(), [{ ...note, match: "another" }])).rejects.toThrow(/another match/);
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
