/**
 * The words of the game: what each means, and where they stand in a text.
 *
 * They are data (`docs/rules/glossary.json`), fetched after the page is there; until then texts are shown without them.
 */

import address from "../../../../docs/rules/glossary.json?url";
import { createStore, useStore } from "../store";

export interface Term {
  word: string;
  /** Other forms in which it stands in texts. */
  forms: string[];
  /** A sentence or two. */
  meaning: string;
  /** The clause that it comes from, or a ruling: `ruling-24`. */
  clause: string;
  /** A word of everyday English too: explained only where the game is spoken of. */
  everyday?: boolean;
}

/** A piece of text, with the term that it is a form of, if it is. */
export interface TextPart {
  text: string;
  term: Term | null;
}

export interface Glossary {
  terms: Term[];
  /** The term of which `word` is a form, in large or small letters. */
  find(word: string): Term | null;
  /** Take a text apart at its terms; without `everyday` only those that mean nothing else. */
  parts(text: string, everyday?: boolean): TextPart[];
}

const current = createStore<Glossary | null>(null);
let loading: Promise<Glossary> | null = null;

/** Load the words and let all texts know them; calling again costs nothing. Rejects where they cannot be had. */
export function loadGlossary(): Promise<Glossary> {
  loading ??= fetchGlossary().catch((error: unknown) => {
    loading = null;
    throw error;
  });
  return loading;
}

async function fetchGlossary(): Promise<Glossary> {
  const answer = await fetch(address);
  if (!answer.ok) throw new Error(`The words of the game: ${answer.status}`);
  const glossary = glossaryOf((await answer.json()) as Term[]);
  current.set(glossary);
  return glossary;
}

/** The words, once they are here; the component is drawn again then. */
export const useGlossary = (): Glossary | null => useStore(current);

export function glossaryOf(terms: Term[]): Glossary {
  const byForm = new Map(terms.flatMap((term) => [term.word, ...term.forms].map((form) => [form.toLowerCase(), term])));
  // Longer ones first: "threat level" is not a threat.
  const forms = [...byForm.keys()].sort((a, b) => b.length - a.length);
  const anywhere = new RegExp(`(?<![\\w-])(?:${forms.join("|")})(?![\\w-])`, "gi");
  const find = (word: string): Term | null => byForm.get(word.toLowerCase()) ?? null;
  return {
    terms,
    find,
    parts(text, everyday = true) {
      const parts: TextPart[] = [];
      let from = 0;
      for (const found of text.matchAll(anywhere)) {
        const term = find(found[0]);
        if (!term || (term.everyday && !everyday)) continue;
        if (found.index > from) parts.push({ text: text.slice(from, found.index), term: null });
        parts.push({ text: found[0], term });
        from = found.index + found[0].length;
      }
      if (from < text.length) parts.push({ text: text.slice(from), term: null });
      return parts;
    },
  };
}
