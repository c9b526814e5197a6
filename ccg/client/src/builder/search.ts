/** Finding cards: the one place where the builder asks which cards a query means, in the language of the whole site. */

import type { CardFacts } from "../cards";
import {
  apart,
  completions,
  fieldNamed,
  fold,
  type Known,
  nearest,
  QueryError,
  quoted,
  read,
  SearchableCards,
  type Written,
} from "../search";

export interface Found {
  cards: readonly CardFacts[];
  /** What cannot be read in the query; null when all can. */
  wrong: Wrong | null;
  /** Where it finds nothing: the query with the nearest names, which finds something; "" where nothing is near. */
  meant: string;
}

/** What is wrong with a query: the part that cannot be read, with what stands around it, and why in a sentence. */
export interface Wrong {
  before: string;
  part: string;
  after: string;
  message: string;
  /** The whole query as it may have been meant; "" where nothing is near. */
  meant: string;
}

const prepared = new WeakMap<readonly CardFacts[], SearchableCards>();

/** The cards that `query` asks for; `known` is what can be asked of them beyond what is printed. */
export function search(query: string, cards: readonly CardFacts[], known: Known): Found {
  const found = find(query, cards, known);
  return found.wrong || found.cards.length > 0 ? found : { ...found, meant: nearestTo(query, cards, known) };
}

/** What could be written next: a word, what it means, and the whole query with it, up to its end at `cursor`. */
export interface Offer {
  word: string;
  meaning: string;
  query: string;
  cursor: number;
}

/** Letters of a name that are typed before names of fields are offered for it. */
const ENOUGH_LETTERS = 2;

/** What could stand where the cursor is: behind a field the words that it knows, else the fields that begin so. */
export function offered(query: string, cursor: number, cards: readonly CardFacts[], known: Known): Offer[] {
  const vocabulary = { ...searchableOf(cards).vocabulary };
  // What the builder knows beside the cards is worked out when a query asks for it.
  for (const field of Object.keys(known.groups ?? {}))
    Object.defineProperty(vocabulary, field, { get: () => Object.keys(known.groups?.[field] ?? {}) });
  const { start, end, words } = completions(query, cursor, vocabulary);
  const typed = query.slice(start, end);
  return words
    .filter(({ word }) => word !== typed && (!word.endsWith(":") || typed.length >= ENOUGH_LETTERS))
    .map(({ word, meaning }) => ({
      word,
      meaning,
      query: query.slice(0, start) + word + query.slice(end),
      cursor: start + word.length,
    }));
}

function searchableOf(cards: readonly CardFacts[]): SearchableCards {
  const searchable = prepared.get(cards) ?? new SearchableCards(cards);
  prepared.set(cards, searchable);
  return searchable;
}

function find(query: string, cards: readonly CardFacts[], known: Known): Found {
  try {
    return { cards: searchableOf(cards).search(query, known), wrong: null, meant: "" };
  } catch (error) {
    if (!(error instanceof QueryError)) throw error;
    const { start, end, suggestion, message } = error;
    const [before, part, after] = [query.slice(0, start), query.slice(start, end), query.slice(end)];
    const meant = suggestion && before + suggestion + after;
    return { cards: [], wrong: { before, part, after, message, meant }, meant: "" };
  }
}

/** `query` with the nearest names for words that no name has, as the page of cards offers it; "" if that finds nothing. */
function nearestTo(query: string, cards: readonly CardFacts[], known: Known): string {
  const names = cards.map(({ name }) => fold(name));
  const words = new Set([...names.flatMap((name) => name.match(/[\p{L}\p{N}_]{3,}/gu) ?? []), ...names]);
  let text = query;
  for (const { written } of partsOf(query).reverse()) {
    const word =
      written.kind === "term" && !written.field.text && written.operator.text === ":" && written.groups[0]?.[0];
    if (!word || names.some((name) => name.includes(fold(word.text)))) continue;
    const near = nearest(fold(word.text), words);
    if (near) text = text.slice(0, word.start) + quoted(near) + text.slice(word.end);
  }
  return text !== query && find(text, cards, known).cards.length > 0 ? text : "";
}

/** A part of a query outside of all parentheses, with its text. */
interface Part {
  written: Written;
  text: string;
}

/** What stands side by side in `query`; none where it cannot be read. */
function partsOf(query: string): Part[] {
  try {
    const written = read(query);
    return (written ? apart(written) : []).map((part) => ({ written: part, text: textOf(query, part) }));
  } catch (error) {
    if (error instanceof QueryError) return [];
    throw error;
  }
}

/** What is written of a part; of an "or" without the orders that stood among its sides. */
function textOf(query: string, part: Written): string {
  if (part.kind !== "any" && part.kind !== "all") return query.slice(part.start, part.end);
  return part.parts.map((one) => textOf(query, one)).join(part.kind === "any" ? " or " : " ");
}

/** The values of which each is enough by itself, if `part` asks `field` and nothing else. */
function valuesOf({ written }: Part, field: string): string[] {
  const asks = written.kind === "term" && written.field.text !== "" && /^[:=]$/.test(written.operator.text);
  if (!asks || fieldNamed(written.field.text) !== fieldNamed(field)) return [];
  if (written.groups.some((group) => group.length > 1)) return [];
  return written.groups.flatMap((group) => group.map(({ text }) => fold(text)));
}

/** The values that a query asks of `field`, in a term such as `t:ship|event` that stands by itself. */
export const chosen = (query: string, field: string): string[] =>
  partsOf(query).flatMap((part) => valuesOf(part, field));

/** `query` asking for `value` in `field` too, or no longer. What else it asks stays as it is. */
export function toggled(query: string, field: string, value: string): string {
  const parts = partsOf(query);
  const rest = parts.filter((part) => valuesOf(part, field).length === 0);
  const before = chosen(query, field);
  const after = before.includes(value) ? before.filter((one) => one !== value) : [...before, value];
  const asked = after.length > 0 ? [`${field}:${after.map(quoted).join("|")}`] : [];
  if (parts.length === 0) return [query.trim(), ...asked].filter(Boolean).join(" ");
  const alone = rest.length + asked.length === 1;
  const kept = rest.map(({ written, text }) => (written.kind === "any" && !alone ? `(${text})` : text));
  return [...kept, ...asked].join(" ");
}
