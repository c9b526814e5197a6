/** Searching cards where they are: what a query asks, of the facts in the catalogue. See `search/memory.py`. */

import type { CardFacts } from "../cards/facts";
import { plainText } from "../cards/marked-text";
import { LANGUAGE } from "./language";
import type { FieldData } from "./language-data";
import { fieldNamed, fold, type Known, type Node, type Query, readQuery, type Vocabulary } from "./query";

/** What one card has in one field: folded text as a whole, words, or numbers; empty where it is missing. */
type Values = readonly (string | number)[];

export class SearchableCards {
  readonly vocabulary: Vocabulary;
  private readonly columns = new Map<string, Values[]>();
  private folded: ReadonlyMap<string, string> | null = null;

  constructor(readonly cards: readonly CardFacts[]) {
    this.vocabulary = {
      trait: sortedWords(cards.flatMap((card) => card.traits)),
      set: sortedWords(cards.flatMap((card) => [card.set, ...card.reprints.map((printing) => printing.set)])),
    };
  }

  /** The cards that `text` asks for, in the order it asks for; throws QueryError. */
  search(text: string, known: Known = {}): CardFacts[] {
    const query = readQuery(text, this.vocabulary, known, () => this.names());
    const found = this.cards.map((_, at) => at).filter((at) => this.holds(query.node, at, known));
    const sorted = this.sorted(found, query);
    const shown = query.display.unique ? this.firstOfTitles(sorted) : sorted;
    return shown.flatMap((at) => this.cards[at] ?? []);
  }

  /** The folded names of all cards, by id. */
  private names(): ReadonlyMap<string, string> {
    this.folded ??= new Map(this.cards.map((card) => [card.id, fold(card.name)]));
    return this.folded;
  }

  private holds(node: Node, at: number, known: Known): boolean {
    switch (node.is) {
      case "all":
        return node.parts.every((part) => this.holds(part, at, known));
      case "any":
        return node.parts.some((part) => this.holds(part, at, known));
      case "not":
        return !this.holds(node.part, at, known);
      case "among":
        return known.groups?.[node.field]?.[node.group]?.has(this.cards[at]?.id ?? "") ?? false;
      case "counted": {
        const count = known.counts?.[node.field]?.[this.cards[at]?.id ?? ""] ?? 0;
        return node.low <= count && count <= node.high;
      }
      default:
        return isTrue(node, this.values(node.field, at));
    }
  }

  /** The values of a field are read when they are first asked for, and kept. */
  private values(name: string, at: number): Values {
    let column = this.columns.get(name);
    if (!column) {
      const field = fieldNamed(name);
      column = this.cards.map((card) => (field ? valuesOf(field, card) : []));
      this.columns.set(name, column);
    }
    return column[at] ?? [];
  }

  /** Of cards that share a title the first one; a card without a title shares none. */
  private firstOfTitles(sorted: number[]): number[] {
    const seen = new Set<string | number>();
    return sorted.filter((at) => {
      const title = this.values("title", at)[0];
      if (title === undefined) return true;
      const isFirst = !seen.has(title);
      seen.add(title);
      return isFirst;
    });
  }

  /** Cards that lack a value come last either way; those alike by name. */
  private sorted(found: number[], query: Query): number[] {
    const order = query.display.order ?? "number";
    const falling = query.display.dir ? query.display.dir === "desc" : LANGUAGE.orders[order];
    const value = (at: number) => (order === "number" ? this.cards[at]?.id : this.values(order, at)[0]);
    const compared = (a: number, b: number): number => {
      const [one, other] = [value(a), value(b)];
      if (one === other) return 0;
      if (one === undefined || other === undefined) return one === undefined ? 1 : -1;
      return one < other === falling ? 1 : -1;
    };
    const byName = (a: number, b: number): number => {
      const [one, other] = [this.values("name", a)[0] ?? "", this.values("name", b)[0] ?? ""];
      return one < other ? -1 : one > other ? 1 : a - b;
    };
    return found.sort((a, b) => compared(a, b) || byName(a, b));
  }
}

const sortedWords = (words: readonly string[]): string[] => [...new Set(words)].sort();

function isTrue(node: Exclude<Node, { is: "all" | "any" | "not" | "among" | "counted" }>, values: Values): boolean {
  switch (node.is) {
    case "present":
      return values.length > 0;
    case "contains":
      return values.some((value) => String(value).includes(node.word));
    case "only":
      return (
        node.words.every((word) => values.includes(word)) && values.every((value) => node.words.includes(String(value)))
      );
    case "between":
      return values.some((value) => node.low <= Number(value) && Number(value) <= node.high);
    default:
      return values.includes(node.word);
  }
}

function valuesOf(field: FieldData, card: CardFacts): Values {
  if (field.flags) {
    const holds = (path: string): boolean => at(card, path).some(Boolean);
    return Object.entries(field.flags).flatMap(([word, paths]) => (paths.every(holds) ? [word] : []));
  }
  const found = (field.paths ?? []).flatMap((path) => at(card, path));
  if (field.kind === "text") {
    const text = found.join(" ");
    return [fold(field.marked ? plainText(text) : text)].filter(Boolean);
  }
  if (field.kind === "number") return numbers(found, field, card);
  const words = found.flatMap((value) => (isRecord(value) ? Object.keys(value) : [value]));
  return words.filter((word): word is string => typeof word === "string" && word !== "");
}

/** The numbers among `found`, amounts summed up; 0 for a card of a type that always has one. */
function numbers(found: readonly unknown[], field: FieldData, card: CardFacts): Values {
  if (field.of && !field.of.includes(card.type)) return [];
  const known = found.filter((value) => value !== null && value !== undefined);
  const sums = known.map((value) =>
    isRecord(value) ? Object.values(value).reduce<number>((sum, amount) => sum + Number(amount), 0) : Number(value),
  );
  return sums.length > 0 || !field.of ? sums : [0];
}

const isRecord = (value: unknown): value is Record<string, unknown> => typeof value === "object" && value !== null;

/** What is at the end of `path`; a list on the way means each of its entries. */
const at = (value: unknown, path: string): readonly unknown[] => behind(value, path.split("."), 0);

function behind(value: unknown, keys: readonly string[], passed: number): readonly unknown[] {
  if (Array.isArray(value)) return passed < keys.length ? value.flatMap((one) => behind(one, keys, passed)) : value;
  const key = keys[passed];
  if (key === undefined) return [value];
  return isRecord(value) ? behind(value[key], keys, passed + 1) : [];
}
