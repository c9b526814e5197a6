/** The rules as the drawer shows them: what the server tells of clauses and rulings, searched and put in order. */

import type { Term } from "../cards/glossary";

export interface Clause {
  id: string;
  section: string;
  rule: string;
  ruling: number | null;
}

export interface Ruling {
  number: number;
  text: string;
}

/** The JSON of `/rules/data.json`. */
export interface RulesFile {
  clauses: Clause[];
  rulings: Ruling[];
  /** The sections that each phase is about, the nearest first; a challenge is one of its own. */
  phases: Record<string, string[]>;
}

export interface Section {
  name: string;
  /** Whether it is about what goes on now. */
  now: boolean;
  entries: Entry[];
}

/** A clause, a ruling or a word: its id as links have it, what it is called, and what it says. */
export interface Entry {
  id: string;
  name: string;
  text: string;
  /** A ruling that says more. */
  ruling: number | null;
}

const RULINGS = "Rulings";
const WORDS = "Words of the game";

/** All rules in sections: those about `phase` first, then the others as in the rulebook, rulings, words. */
export function sectionsOf(file: RulesFile, terms: readonly Term[], phase: string): Section[] {
  const near = file.phases[phase] ?? [];
  const names = [...new Set(file.clauses.map((clause) => clause.section))];
  const order = [...near.filter((name) => names.includes(name)), ...names.filter((name) => !near.includes(name))];
  const sections = order.map((name) => ({
    name,
    now: near.includes(name),
    entries: file.clauses.filter((clause) => clause.section === name).map(entryOf),
  }));
  const rulings = file.rulings.map(({ number, text }) => ({
    id: `ruling-${number}`,
    name: `Ruling ${number}`,
    text,
    ruling: null,
  }));
  const words = terms.map(({ word, meaning }) => ({ id: `word-${word}`, name: word, text: meaning, ruling: null }));
  return [...sections, { name: WORDS, now: false, entries: words }, { name: RULINGS, now: false, entries: rulings }];
}

const entryOf = ({ id, rule, ruling }: Clause): Entry => ({ id, name: id, text: rule, ruling });

/** Only what has every word of the search in its text, name or section. */
export function searched(sections: readonly Section[], search: string): Section[] {
  const words = search.toLowerCase().split(/\s+/).filter(Boolean);
  if (words.length === 0) return [...sections];
  const fits = (section: Section, { name, text }: Entry): boolean => {
    const whole = `${name} ${text} ${section.name}`.toLowerCase();
    return words.every((word) => whole.includes(word));
  };
  return sections
    .map((section) => ({ ...section, entries: section.entries.filter((entry) => fits(section, entry)) }))
    .filter(({ entries }) => entries.length > 0);
}

let loading: Promise<RulesFile> | null = null;

/** Load the rules once. Rejects where they cannot be had; the next call then tries again. */
export function loadRules(): Promise<RulesFile> {
  loading ??= fetchRules().catch((error: unknown) => {
    loading = null;
    throw error;
  });
  return loading;
}

async function fetchRules(): Promise<RulesFile> {
  const answer = await fetch("/rules/data.json", { headers: { Accept: "application/json" } });
  if (!answer.ok) throw new Error(`The rules could not be loaded (${answer.status}).`);
  return (await answer.json()) as RulesFile;
}
