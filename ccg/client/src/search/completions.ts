/** What could be written next: names of fields, and behind one the words that it knows. */

import { LANGUAGE } from "./language";
import { fieldNamed, fold, quoted, type Vocabulary } from "./query";
import { tokens } from "./syntax";

export interface Completion {
  /** What stands in the query from `start` to `end` afterwards. */
  word: string;
  meaning: string;
}

export interface Completions {
  start: number;
  end: number;
  words: Completion[];
}

const MOST = 12;

/** What could stand where the cursor is, in place of the word that it is behind; none inside a phrase. */
export function completions(query: string, cursor: number, vocabulary: Vocabulary): Completions {
  const none = { start: cursor, end: cursor, words: [] };
  let before: ReturnType<typeof tokens>;
  try {
    before = tokens(query.slice(0, cursor));
  } catch {
    return none;
  }
  const last = before.at(-1);
  const typing = last?.type === "WORD" && last.end === cursor ? before.pop() : undefined;
  const start = typing?.start ?? cursor;
  const typed = fold(typing?.text ?? "");
  const field = fieldAsked(before);
  if (!field && !typing) return none;
  const words = field ? wordsOf(field, vocabulary) : names();
  return { start, end: cursor, words: words.filter(({ word }) => fold(word).startsWith(typed)).slice(0, MOST) };
}

/** The field whose values are being written, if the signs before the cursor say so. */
function fieldAsked(before: ReturnType<typeof tokens>): string | null {
  for (let at = before.length - 1; at > 0; at--) {
    const type = before[at]?.type;
    if (type === "OPERATOR") return before[at - 1]?.text ?? null;
    const isBetween = type === "BAR" || type === "AMPERSAND";
    // A value is only passed on the way back to its field where a sign ties the next one to it.
    const isTied = before[at + 1]?.type === "BAR" || before[at + 1]?.type === "AMPERSAND";
    if (!isBetween && !isTied) return null;
  }
  return null;
}

const names = (): Completion[] => LANGUAGE.fields.map(({ name, meaning }) => ({ word: `${name}:`, meaning }));

function wordsOf(name: string, vocabulary: Vocabulary): Completion[] {
  const field = fieldNamed(name);
  if (!field) return [];
  if (field.kind === "presence") {
    return LANGUAGE.fields.filter((one) => one.optional).map((one) => ({ word: one.name, meaning: one.meaning }));
  }
  const words = [
    ...(vocabulary[field.name] ?? field.words ?? []),
    ...Object.keys(field.synonyms ?? {}),
    ...Object.keys(field.meanings ?? {}),
  ];
  return words.map((word) => ({ word: quoted(fold(word)), meaning: "" }));
}
