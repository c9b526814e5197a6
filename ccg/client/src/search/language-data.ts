/** What `language.ts` has: the search language as the server knows it (`cards_data/search`). */

export type Operator = ":" | "=" | "!=" | "<" | "<=" | ">" | ">=";
export type KindName = "text" | "number" | "words" | "presence" | "group" | "count" | "companion" | "display" | "date";

export interface FieldData {
  name: string;
  kind: KindName;
  operators: readonly string[];
  meaning: string;
  aliases?: readonly string[];
  /** Words of the language's own; those that come with the cards are read from them. */
  words?: readonly string[];
  /** Other words for one or several of those. */
  synonyms?: Readonly<Record<string, readonly string[]>>;
  /** Words that have an order, lowest first. */
  rising?: readonly string[];
  /** Words that stand for a query. */
  meanings?: Readonly<Record<string, string>>;
  /** The code of the error where nobody has handed in what is asked for. */
  missing?: string;
  /** Where the values are among the facts of a card, with dots between keys. */
  paths?: readonly string[];
  /** Types of card that always have the number, 0 where the facts say nothing. */
  of?: readonly string[];
  /** Words that hold where all of their paths say something. */
  flags?: Readonly<Record<string, readonly string[]>>;
  marked?: boolean;
  optional?: boolean;
}

export interface LanguageData {
  /** Names and patterns, in the order in which they are tried. */
  terminals: readonly (readonly [string, string])[];
  start: number;
  end: number;
  /** "what: of what". */
  rules: readonly string[];
  /** A state to go to, or -1 and below for the rule that ends. */
  states: readonly Readonly<Record<string, number>>[];
  tokens: Readonly<Record<string, string>>;
  messages: Readonly<Record<string, string>>;
  bounds: { characters: number; terms: number; depth: number; number: number; listed: number; cards: number };
  /** Orders of results, and whether the greatest comes first. */
  orders: Readonly<Record<string, boolean>>;
  fields: readonly FieldData[];
}
