/** What a query means: conditions that are true or false of every card. See `search/language.py` and `kinds.py`. */

import { nearest, QueryError } from "./errors";
import { LANGUAGE } from "./language";
import type { FieldData } from "./language-data";
import { read, type Term, type Text, type Written } from "./syntax";

export type Node =
  | { is: "all" | "any"; parts: Node[] }
  | { is: "not"; part: Node }
  | { is: "present"; field: string }
  | { is: "contains" | "equals" | "has"; field: string; word: string }
  | { is: "only"; field: string; words: string[] }
  | { is: "between"; field: string; low: number; high: number }
  | { is: "among"; field: string; group: string }
  | { is: "counted"; field: string; low: number; high: number };

export interface Query {
  text: string;
  node: Node;
  /** How results are shown: `order`, `dir`, `view`. */
  display: Readonly<Record<string, string>>;
}

/** The words that the cards have, by field. */
export type Vocabulary = Readonly<Record<string, readonly string[]>>;

/** What is known of cards beyond what is printed on them, by whoever asks. See `search/known.py`. */
export interface Known {
  /** Ids of cards by field, and by the word that is asked for them. */
  groups?: Readonly<Record<string, Readonly<Record<string, ReadonlySet<string>>>>>;
  /** Numbers by field and card id; cards that are not named have 0. */
  counts?: Readonly<Record<string, Readonly<Record<string, number>>>>;
}

const FIELDS = new Map(
  LANGUAGE.fields.flatMap((field) => [field.name, ...(field.aliases ?? [])].map((name) => [name, field])),
);
const OPTIONAL = LANGUAGE.fields.filter((field) => field.optional).map((field) => field.name);
/** The names of fields that can be missing, by their other names. */
const ALIASES = LANGUAGE.fields.flatMap((field) =>
  field.optional ? (field.aliases ?? []).map((alias) => [alias, field.name] as const) : [],
);

/** The field of this name or alias. */
export const fieldNamed = (name: string): FieldData | undefined => FIELDS.get(name.toLowerCase());

/** `fold` of the server: a name as names are compared, no case, accents or punctuation; initials stand together. */
export const fold = (text: string): string =>
  text
    .replace(/[´`]/g, "'")
    .replace(/[ßẞ]/g, "ss")
    .normalize("NFKD")
    .replace(/[\u2010-\u2015\u2212]/g, "-")
    .replace(/[^\0-\x7f]/g, "")
    .toLowerCase()
    .replaceAll("'", "")
    .replace(/[^a-z0-9]+/g, " ")
    .trim()
    .replace(/\b[a-z](?: [a-z]\b)+/g, (initials) => initials.replaceAll(" ", ""));

/** Read `text`; throws QueryError. `names` are the folded names of the cards. */
export function readQuery(
  text: string,
  vocabulary: Vocabulary,
  known: Known = {},
  names: () => ReadonlyMap<string, string> = () => new Map(),
): Query {
  const written = read(text);
  const reader = new Reader(vocabulary, known, names);
  const display: Record<string, string> = {};
  const parts: Node[] = [];
  for (const part of written ? apart(written) : []) {
    if (part.kind === "off") continue;
    const shown = reader.display(part);
    if (shown) display[shown[0]] = shown[1];
    else parts.push(reader.node(part));
  }
  return { text, node: { is: "all", parts }, display };
}

const sideBySide = (written: Written): Written[] => (written.kind === "all" ? written.parts : [written]);

const onlyShows = (part: Written): boolean =>
  part.kind === "term" && part.field.text !== "" && fieldNamed(part.field.text)?.kind === "display";

/**
 * What stands side by side, with what only shows results taken out of the sides of an "or": an order holds for all that
 * is found. A side that asks for nothing besides is left as it is, and refused later.
 */
export function apart(written: Written): Written[] {
  if (written.kind !== "any") return sideBySide(written);
  const sides = written.parts.map(sideBySide);
  const asking = sides.map((side) => side.filter((part) => !onlyShows(part)));
  const showing = sides.flat().filter(onlyShows);
  if (showing.length === 0 || asking.some((side) => side.length === 0)) return [written];
  return [{ ...written, parts: asking.map(together) }, ...showing];
}

const together = (parts: Written[]): Written => {
  const [first, last] = [parts[0], parts.at(-1)];
  if (!first || !last) throw new Error("nothing stands together");
  return parts.length === 1 ? first : { kind: "all", parts, start: first.start, end: last.end };
};

class Reader {
  constructor(
    private readonly vocabulary: Vocabulary,
    private readonly known: Known,
    private readonly names: () => ReadonlyMap<string, string>,
  ) {}

  node(written: Written): Node {
    switch (written.kind) {
      case "term":
        return this.term(written);
      case "without":
        return { is: "not", part: this.node(written.part) };
      case "parenthesis":
        return this.node(written.part);
      case "off":
        throw new QueryError("not inside", written.start, written.end, { field: "~" });
      default:
        return { is: written.kind, parts: written.parts.map((part) => this.node(part)) };
    }
  }

  /** The name and value of a term that only says how results are shown. */
  display(part: Written): [string, string] | null {
    if (part.kind !== "term") return null;
    const field = this.field(part);
    const value = part.groups.at(-1)?.at(-1);
    if (field.kind !== "display" || !value) return null;
    const word = this.wordOf(value, field, byFold([...(field.words ?? []), ...Object.keys(field.synonyms ?? {})]));
    return [field.name, field.synonyms?.[word]?.[0] ?? word];
  }

  private term(term: Term): Node {
    const field = this.field(term);
    if (field.kind === "display") throw new QueryError("not inside", term.start, term.end, { field: term.field.text });
    const operator = term.operator.text === "!=" ? "=" : term.operator.text;
    const node = any(term.groups.map((group) => this.group(field, operator, group)));
    if (term.operator.text !== "!=") return node;
    return all([
      { is: "present", field: field.name },
      { is: "not", part: node },
    ]);
  }

  private field(term: Term): FieldData {
    const name = term.field;
    const field = name.text === "" ? LANGUAGE.fields[0] : fieldNamed(name.text);
    if (!field) {
      const suggestion = fieldNamed(nearest(name.text, FIELDS.keys()))?.name ?? "";
      const expected = LANGUAGE.fields.map((one) => one.name);
      throw new QueryError("unknown field", name.start, name.end, { found: name.text }, { expected, suggestion });
    }
    const { text, start, end } = term.operator;
    if (!field.operators.includes(text)) {
      const facts = { field: name.text, found: text };
      throw new QueryError("unknown operator", start, end, facts, { expected: field.operators, suggestion: ":" });
    }
    return field;
  }

  private group(field: FieldData, operator: string, values: Text[]): Node {
    if (field.kind === "words" && operator === "=" && values.length > 1) {
      const known = byFold(this.words(field));
      return only(field, [...new Set(values.map((value) => this.wordOf(value, field, known)))]);
    }
    if (field.missing) return this.beside(field, field.missing, operator, values);
    return all(values.map((value) => this.one(field, operator, value)));
  }

  /** What is asked of things that are known beside the cards. */
  private beside(field: FieldData, missing: string, operator: string, values: Text[]): Node {
    const groups = this.known.groups?.[field.name];
    const refuseUnknown = (): void => {
      if (groups || this.known.counts?.[field.name]) return;
      const [start, end] = [values[0]?.start ?? 0, values.at(-1)?.end ?? 0];
      throw new QueryError(missing, start, end, { field: field.name });
    };
    if (field.kind === "count") {
      const numbers = values.map((value) => number(field, operator, value));
      refuseUnknown();
      return all(numbers.map((one) => (one.is === "between" ? { ...one, is: "counted" } : one)));
    }
    if (!field.words) refuseUnknown();
    const among = (group: string): Node => ({ is: "among", field: field.name, group });
    if (field.kind === "companion") {
      return all(values.map((value) => among(this.cardsNamed(field, operator, value).join(" "))));
    }
    const words = byFold(field.words ?? Object.keys(groups ?? {}));
    const asked = values.map((value) => this.wordOf(value, field, words));
    refuseUnknown();
    return all(asked.map(among));
  }

  /** Whether there is a value of a field, or something that is known beside the cards. */
  private presence(field: FieldData, value: Text): Node {
    const groups = this.known.groups?.[field.name] ?? {};
    const word = this.wordOf(value, field, new Map([...byFold([...OPTIONAL, ...Object.keys(groups)]), ...ALIASES]));
    return word in groups ? { is: "among", field: field.name, group: word } : { is: "present", field: word };
  }

  /** The ids of the cards that `value` names: by a part of the name, or with `=` by the whole of it. */
  private cardsNamed(field: FieldData, operator: string, value: Text): string[] {
    const wanted = folded(value);
    const isMeant = (name: string): boolean => (operator === "=" ? name === wanted : name.includes(wanted));
    const found = [...this.names()].flatMap(([card, name]) => (isMeant(name) ? [card] : []));
    const facts = { found: value.text, field: field.name, cards: LANGUAGE.bounds.cards };
    if (found.length > facts.cards) throw new QueryError("too many cards", value.start, value.end, facts);
    if (found.length > 0) return found;
    const near = nearest(wanted, this.names().values());
    throw new QueryError("unknown value", value.start, value.end, facts, { suggestion: near && quoted(near) });
  }

  private one(field: FieldData, operator: string, value: Text): Node {
    switch (field.kind) {
      case "text":
        return { is: operator === "=" ? "equals" : "contains", field: field.name, word: folded(value) };
      case "number":
        return number(field, operator, value);
      case "presence":
        return this.presence(field, value);
      default:
        return this.word(field, operator, value);
    }
  }

  private word(field: FieldData, operator: string, value: Text): Node {
    const { synonyms = {}, meanings = {} } = field;
    const word = this.wordOf(
      value,
      field,
      byFold([...this.words(field), ...Object.keys(synonyms), ...Object.keys(meanings)]),
    );
    if (/[<>]/.test(operator)) return any(ordered(field, operator, word, value).map((one) => has(field, one)));
    const meaning = meanings[word];
    const written = meaning === undefined ? null : read(meaning);
    if (written) return this.node(written);
    const meant = synonyms[word] ?? [word];
    return any(meant.map((one) => (operator === "=" ? only(field, [one]) : has(field, one))));
  }

  private words(field: FieldData): readonly string[] {
    return this.vocabulary[field.name] ?? field.words ?? [];
  }

  private wordOf(value: Text, field: FieldData, known: ReadonlyMap<string, string>): string {
    const typed = fold(value.text);
    const found = known.get(typed);
    if (found !== undefined) return found;
    const near = nearest(typed, known.keys());
    throw new QueryError(
      "unknown value",
      value.start,
      value.end,
      { found: value.text, field: field.name },
      { expected: [...known.keys()].map(quoted), suggestion: near && quoted(near) },
    );
  }
}

const all = (parts: Node[]): Node => ({ is: "all", parts });
const any = (parts: Node[]): Node => ({ is: "any", parts });
const has = (field: FieldData, word: string): Node => ({ is: "has", field: field.name, word });
const only = (field: FieldData, words: string[]): Node => ({ is: "only", field: field.name, words });
const byFold = (words: readonly string[]): Map<string, string> => new Map(words.map((word) => [fold(word), word]));

/** `word` as a query writes it: in quotation marks where it needs them. */
export const quoted = (word: string): string =>
  /^[a-z0-9][a-z0-9.-]*$/.test(word) && word !== "or" && word !== "and" ? word : `"${word}"`;

function folded(value: Text): string {
  const word = fold(value.text);
  if (word === "") throw new QueryError("nothing to find", value.start, value.end, { found: value.text });
  return word;
}

function ordered(field: FieldData, operator: string, word: string, value: Text): readonly string[] {
  const rising = field.rising ?? [];
  const at = rising.indexOf(word);
  if (at < 0) throw new QueryError("no order", value.start, value.end, { found: value.text }, { expected: rising });
  const same = operator.endsWith("=") ? 1 : 0;
  return operator.startsWith("<") ? rising.slice(0, at + same) : rising.slice(at + 1 - same);
}

function number(field: FieldData, operator: string, value: Text): Node {
  const between = (low: number, high: number): Node => ({ is: "between", field: field.name, low, high });
  const dots = value.text.indexOf("..");
  if (dots >= 0 && (operator === ":" || operator === "=")) {
    const [low, high] = [digits(value.text.slice(0, dots), value), digits(value.text.slice(dots + 2), value)];
    if (low <= high) return between(low, high);
    throw new QueryError(
      "empty range",
      value.start,
      value.end,
      { found: value.text },
      { suggestion: `${high}..${low}` },
    );
  }
  const wanted = digits(value.text, value);
  const same = operator.endsWith("=") ? 0 : 1;
  if (operator.startsWith("<")) return between(Number.NEGATIVE_INFINITY, wanted - same);
  if (operator.startsWith(">")) return between(wanted + same, Number.POSITIVE_INFINITY);
  return between(wanted, wanted);
}

function digits(text: string, value: Text): number {
  if (/^[0-9]{1,4}$/.test(text)) return Number(text);
  const expected = [`0..${LANGUAGE.bounds.number}`];
  throw new QueryError("no number", value.start, value.end, { found: value.text }, { expected });
}
