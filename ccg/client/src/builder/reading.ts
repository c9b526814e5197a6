/** Lists as the server reads them: in any form, line by line; nothing is stored. */

import type { CardId } from "../cards";
import { patiently } from "../patience";
import { type Content, EMPTY } from "./content";

/** A line of a list, and what it was read as; `notes` are sentences about it. */
export interface Line {
  number: number;
  text: string;
  kind: string;
  cards: CardId[];
  notes: string[];
}

/** What `/api/v1/legality/` says of a pasted list. */
export interface Reading {
  deck: { name: string; format: string; bases: CardId[] } & Pick<Content, "counts" | "considering" | "tags">;
  lines: Line[];
  undecided: number[];
}

/** The deck that was read; its base is the first of those that are named. */
export function contentOf({ deck: { bases, ...deck } }: Reading): Content {
  return { ...EMPTY, ...deck, base: bases[0] ?? "" };
}

/** A list could not be read yet; it can be asked for again after so many seconds. */
export class NotYet extends Error {
  constructor(
    words: string,
    readonly seconds: number,
  ) {
    super(words);
  }
}

const LATER_SECONDS = 5;
const LATEST_SECONDS = 60;
/** Milliseconds for an answer: on a bad line a request may hang for minutes, and nobody would be told meanwhile. */
const PATIENCE = 12_000;

/**
 * What the server answers, and the JSON in it (null where there is none); a NotYet says in `words` that it cannot be
 * reached, or answers nothing for too long. `signal` ends it.
 */
async function answerOf(
  address: string,
  init: RequestInit,
  words: string,
  signal: AbortSignal,
): Promise<{ answer: Response; told: unknown }> {
  try {
    return await patiently(PATIENCE, signal, async (ending) => {
      const answer = await fetch(address, { ...init, signal: ending });
      const told: unknown = await answer.json().catch((error: unknown) => {
        if (ending.aborted) throw error;
        return null;
      });
      return { answer, told };
    });
  } catch (error) {
    if (signal.aborted) throw error;
    throw new NotYet(words, LATER_SECONDS);
  }
}

/**
 * The JSON that `address` answers. An Error says in a sentence why there is none, the server's own or `otherwise`; a
 * NotYet that there may be later, in `words` where the server cannot be reached.
 */
export async function asked<T>(
  address: string,
  init: RequestInit,
  { words, otherwise }: { words: string; otherwise: string },
  signal: AbortSignal,
): Promise<T> {
  const { answer, told } = await answerOf(address, init, words, signal);
  if (answer.ok && told !== null) return told as T;
  const why = (told as { detail?: string } | null)?.detail ?? otherwise;
  if (!answer.ok && answer.status !== 429 && answer.status < 500) throw new Refusal(why, answer.status);
  const seconds = Number(answer.headers.get("Retry-After")) || LATER_SECONDS;
  throw new NotYet(why, Math.min(seconds, LATEST_SECONDS));
}

/** The server will not answer what was asked, now or later. */
export class Refusal extends Error {
  constructor(
    words: string,
    readonly status: number,
  ) {
    super(words);
  }
}

/**
 * Read `text` with what was picked for lines that are not clear; an Error says in a sentence why it cannot be, a NotYet
 * that it may be later.
 */
export function read(text: string, picks: Picks, signal: AbortSignal): Promise<Reading> {
  const chosen = Object.fromEntries(Object.entries(picks).filter(([, pick]) => pick !== ""));
  return asked(
    "/api/v1/legality/",
    {
      method: "POST",
      headers: { "Content-Type": "application/json" },
      body: JSON.stringify({ text, picks: chosen }),
    },
    {
      words: "Lists are read by the server, which cannot be reached now. Your text is still here, and is read later.",
      otherwise: "The list could not be read.",
    },
    signal,
  );
}

/** What was picked for lines that are not clear, by their numbers. */
export type Picks = Record<number, string>;

/** The picks for the lines of `text`, which was changed: they go with their lines, and with those that have gone. */
export function carried(picks: Picks, { lines }: Reading, text: string): Picks {
  const before = placesOf(lines.map((line) => line.text));
  const kept: Picks = {};
  for (const [words, now] of placesOf(text.split("\n"))) {
    const then = before.get(words) ?? [];
    // Equal lines stay in their order; where one of them has gone, those are left that stand where they stood.
    const stayed = now.length < then.length && now.every((at) => then.includes(at));
    now.forEach((at, nth) => {
      const pick = picks[(stayed ? at : (then[nth] ?? -1)) + 1];
      if (pick) kept[at + 1] = pick;
    });
  }
  return kept;
}

/** Where each line stands among `lines`, by its words in single spaces. */
function placesOf(lines: readonly string[]): Map<string, number[]> {
  const places = new Map<string, number[]>();
  lines.forEach((line, at) => {
    const words = line.trim().replace(/\s+/g, " ");
    places.set(words, [...(places.get(words) ?? []), at]);
  });
  return places;
}

/** The reading with all cards that a line may mean also where one was picked, which the server then tells alone. */
export function withChoices(found: Reading, before: Reading | null): Reading {
  const meant = new Map(before?.lines.map(({ text, cards }) => [text, cards]));
  const lines = found.lines.map((line) => {
    const cards = meant.get(line.text) ?? [];
    return cards.length > line.cards.length && line.cards.every((card) => cards.includes(card))
      ? { ...line, cards }
      : line;
  });
  return { ...found, lines };
}

/** Bytes of a file that the server looks at (`decks/exchange/registry.py`). */
const MAX_FILE = 192 * 1024;

/** What a file says: text in UTF-8, or in UTF-16 with its mark; an Error says in a sentence why it says nothing. */
export async function textOfFile(file: Blob): Promise<string> {
  if (file.size > MAX_FILE) throw new Error(`A deck may be ${MAX_FILE / 1024} KiB long at most, in any form.`);
  const bytes = new Uint8Array(await file.arrayBuffer());
  const mark = ((bytes[0] ?? 0) << 8) | (bytes[1] ?? 0);
  const coding = mark === 0xfffe ? "utf-16le" : mark === 0xfeff ? "utf-16be" : "utf-8";
  let text: string;
  try {
    text = new TextDecoder(coding, { fatal: true }).decode(bytes);
  } catch {
    throw new Error("This file is not text in UTF-8. Save it as UTF-8, or paste what is in it.");
  }
  if (text.includes("\0")) throw new Error("This file is not text.");
  return text;
}
