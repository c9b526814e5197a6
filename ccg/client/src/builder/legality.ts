/**
 * Every reason why a deck may not be played, and what would mend it: `decks/lists/legality.py` once more, in the browser.
 *
 * The sentences, rules and formats are the server's own (the page brings them along), and a test holds both to the
 * same thousand decks. Rulebook: Deckbuilding.
 */

import type { CardFacts, CardId } from "../cards";
import { fold } from "../search";
import type { Content } from "./content";

export interface Sentence {
  code: string;
  text: string;
  fix: string;
  rule: string;
}

/** What a format asks in one period, from `starts` up to, not including, `ends`. */
export interface Edition {
  starts: string;
  ends: string | null;
  sets: readonly string[];
  reprints: readonly CardId[];
  minimum: number;
  copies: number;
  copies_of: Readonly<Record<CardId, number>>;
  banned: readonly CardId[];
  restricted: readonly CardId[];
}

export interface Format {
  code: string;
  name: string;
  editions: readonly Edition[];
}

/** What the server says of legality (`decks/building/rules_data.py`); `order` are all codes as they are told. */
export interface Rules {
  order: readonly string[];
  sentences: Readonly<Record<string, Sentence>>;
  rules: Readonly<Record<string, string>>;
  few_units: string;
  advised_units: number;
  formats: readonly Format[];
  /** Codes of formats by shorter words that name them as well. */
  words: Readonly<Record<string, string>>;
  standard: string;
  today: string;
}

export interface Step {
  do: "choose_format" | "choose_base" | "set_base" | "add_cards" | "set_count";
  card: CardId;
  count: number;
}

export interface Problem {
  code: string;
  text: string;
  fix: string;
  rule: string;
  cards: readonly CardId[];
  found: number | null;
  required: number | null;
  actions: readonly Step[];
}

/** The cards there are, and the names of those that once were. */
export interface Known {
  cards: ReadonlyMap<CardId, CardFacts>;
  withdrawn: Readonly<Record<CardId, string>>;
}

type Deck = Pick<Content, "base" | "counts" | "format">;
type Held = Edition & Pick<Format, "name">;

/** Every reason why `deck` is not legal on the day that `rules` were made for; none means legal. */
export function check(deck: Deck, rules: Rules, known: Known): Problem[] {
  const held = editionOf(rules, deck.format);
  const judge = new Judge(rules, held, known, deck);
  const found = [...judge.format(), ...judge.base(), ...judge.size(), ...judge.cards(), ...judge.copies()];
  return found.sort(
    (one, other) => rules.order.indexOf(one.code) - rules.order.indexOf(other.code) || compared(one.cards, other.cards),
  );
}

/** The edition that holds: of those in force the last, else of those that began the last, else the first. */
export function editionOf({ formats, standard, today }: Rules, code: string): Held {
  const format = formats.find((one) => one.code === (code || standard));
  const editions = format?.editions ?? [];
  const begun = editions.filter((one) => one.starts <= today);
  const inForce = begun.filter((one) => one.ends === null || today < one.ends);
  const latest = inForce.reduce<Edition | undefined>(
    (best, one) => (best && best.starts >= one.starts ? best : one),
    undefined,
  );
  const held = latest ?? begun.at(-1) ?? editions[0] ?? NEVER;
  return { ...held, name: format?.name ?? code };
}

const NEVER: Edition = {
  starts: "9999-12-31",
  ends: null,
  sets: [],
  reprints: [],
  minimum: 60,
  copies: 4,
  copies_of: {},
  banned: [],
  restricted: [],
};

/** How many copies of a card the format allows, and why no more; a base is chosen, so of that there is one. */
export function limitOf(card: CardFacts, { banned, restricted, copies, copies_of }: Edition): number {
  if (card.type === "base") return 1;
  if (banned.includes(card.id)) return 0;
  return Math.min(restricted.includes(card.id) ? 1 : Number.POSITIVE_INFINITY, copies_of[card.id] ?? copies);
}

/** Whether the card is of one of the format's sets. */
export const allows = (edition: Edition, card: CardId): boolean =>
  edition.sets.includes(card.slice(0, card.lastIndexOf("-"))) || edition.reprints.includes(card);

/** How many cards count towards the minimum: all but bases. */
export const deckSize = (counts: Content["counts"], cards: Known["cards"]): number =>
  Object.entries(counts).reduce((sum, [card, n]) => (n > 0 && cards.get(card)?.type !== "base" ? sum + n : sum), 0);

/** What a builder should know beyond legality, in a sentence; "" for nothing. */
export function advice(counts: Content["counts"], rules: Rules, cards: Known["cards"]): string {
  const units = Object.entries(counts).reduce((sum, [card, n]) => {
    const type = cards.get(card)?.type;
    return type === "personnel" || type === "ship" ? sum + n : sum;
  }, 0);
  return units < rules.advised_units ? filled(rules.few_units, { units, advised: rules.advised_units }) : "";
}

/** Base and copies after the steps that need nobody's choice. A step never adds a card. */
export function mended<T extends Deck>(deck: T, steps: readonly Step[]): T {
  let { base } = deck;
  const counts = { ...deck.counts };
  for (const step of steps) {
    if (step.do === "set_base") base = step.card;
    if (step.do !== "set_count" || counts[step.card] === undefined) continue;
    const left = Math.min(counts[step.card] ?? 0, step.count);
    if (left > 0) counts[step.card] = left;
    else delete counts[step.card];
  }
  return { ...deck, base, counts };
}

type Words = Record<string, string | number | null>;
type Facts = Partial<Omit<Problem, "code" | "text" | "fix" | "rule" | "actions">> & { actions?: Partial<Step>[] };

class Judge {
  constructor(
    private readonly said: Rules,
    private readonly rules: Held,
    private readonly known: Known,
    private readonly deck: Deck,
  ) {}

  *format(): Iterable<Problem> {
    const { starts, ends, name } = this.rules;
    const { today } = this.said;
    if (starts <= today && (ends === null || today < ends)) return;
    const [sentence, day] = today < starts ? ["not_begun", starts] : ["ended", ends];
    yield this.told(sentence ?? "", { format: name, day: day ?? null }, { actions: [{ do: "choose_format" }] });
  }

  *base(): Iterable<Problem> {
    const { base } = this.deck;
    if (!base) {
      yield this.told("no_base", {}, { found: 0, required: 1, actions: [{ do: "choose_base" }] });
      return;
    }
    const words = { card: this.named(base), type: this.known.cards.get(base)?.type ?? "", format: this.rules.name };
    for (const sentence of this.wrongWithBase(base))
      yield this.told(sentence, words, { cards: [base], actions: [{ do: "choose_base" }] });
  }

  private *wrongWithBase(base: CardId): Iterable<string> {
    const card = this.known.cards.get(base);
    if (!card) yield base in this.known.withdrawn ? "withdrawn_base" : "unknown_base";
    else if (card.type !== "base") yield "not_a_base";
    else {
      if (!allows(this.rules, base)) yield "base_not_in_format";
      if (this.rules.banned.includes(base)) yield "banned_base";
    }
  }

  *size(): Iterable<Problem> {
    const found = deckSize(this.deck.counts, this.known.cards);
    const { minimum, name } = this.rules;
    if (found >= minimum) return;
    const missing = minimum - found;
    const words = { cards: cards(found), format: name, minimum, missing: cards(missing) };
    const actions: Partial<Step>[] = [{ do: "add_cards", count: missing }];
    yield this.told("too_few_cards", words, { found, required: minimum, actions });
  }

  *cards(): Iterable<Problem> {
    for (const [card, count] of Object.entries(this.deck.counts)) {
      if (count < 1) yield this.impossible(card, count);
      else yield* this.card(card, count);
    }
  }

  private impossible(card: CardId, found: number): Problem {
    const words = { card: this.named(card, false), found };
    const actions: Partial<Step>[] = [{ do: "set_count", card }];
    return this.told("impossible_count", words, { cards: [card], found, required: 1, actions });
  }

  private *card(id: CardId, found: number): Iterable<Problem> {
    const card = this.known.cards.get(id);
    const { banned, restricted, name } = this.rules;
    if (!card) {
      yield this.surplus(id in this.known.withdrawn ? "withdrawn_card" : "unknown_card", id, found, 0);
      return;
    }
    if (card.type === "base") {
      const remove: Partial<Step> = { do: "set_count", card: id };
      const lone = !this.deck.base;
      yield this.told(
        lone ? "lone_base_in_deck" : "base_in_deck",
        { card: this.named(id), format: name },
        { cards: [id], found, required: 0, actions: lone ? [{ do: "set_base", card: id }, remove] : [remove] },
      );
    }
    if (!allows(this.rules, id)) yield this.surplus("not_in_format", id, found, 0);
    if (banned.includes(id)) yield this.surplus("banned", id, found, 0);
    else if (restricted.includes(id) && found > 1) yield this.surplus("restricted", id, found, 1);
  }

  private surplus(sentence: string, card: CardId, found: number, required: number): Problem {
    const words = { card: this.named(card), format: this.rules.name, found, surplus: copies(found - required) };
    const actions: Partial<Step>[] = [{ do: "set_count", card, count: required }];
    return this.told(sentence, words, { cards: [card], found, required, actions });
  }

  *copies(): Iterable<Problem> {
    const byName = new Map<string, CardId[]>();
    for (const id of Object.keys(this.deck.counts).sort()) {
      const card = this.known.cards.get(id);
      if ((this.deck.counts[id] ?? 0) < 1 || card?.type === "base") continue;
      const name = card ? fold(card.name) : id;
      byName.set(name, [...(byName.get(name) ?? []), id]);
    }
    for (const ids of byName.values()) {
      const limits = ids.map((id) => this.rules.copies_of[id] ?? this.rules.copies);
      const [found, required] = [ids.reduce((sum, id) => sum + (this.deck.counts[id] ?? 0), 0), Math.min(...limits)];
      if (found <= required) continue;
      const words = { card: this.named(ids[0] ?? "", false), copies: copies(found), limit: required };
      const sentence = ids.length > 1 ? "too_many_of_a_name" : "too_many_copies";
      const facts = { cards: ids, found, required, actions: this.shares(ids, required) };
      yield this.told(sentence, { ...words, surplus: copies(found - required) }, facts);
    }
  }

  private shares(ids: readonly CardId[], limit: number): Partial<Step>[] {
    let left = limit;
    return ids.map((card) => {
      const count = Math.min(this.deck.counts[card] ?? 0, left);
      left -= count;
      return { do: "set_count", card, count };
    });
  }

  private told(sentence: string, words: Words, { actions = [], ...facts }: Facts): Problem {
    const { code, text, fix, rule } = this.said.sentences[sentence] ?? { code: sentence, text: "", fix: "", rule: "" };
    const steps = actions.map((step) => ({ do: "set_count" as const, card: "", count: 0, ...step }));
    const said = { code, text: filled(text, words), fix: filled(fix, words), rule };
    return { ...said, cards: [], found: null, required: null, ...facts, actions: steps };
  }

  private named(id: CardId, gone = true): string {
    const name = this.known.cards.get(id)?.name ?? (gone ? this.known.withdrawn[id] : undefined);
    return name === undefined ? id : `[[card:${id}|${name}]]`;
  }
}

const filled = (template: string, words: Words): string =>
  template.replace(/\{(\w+)\}/g, (_, word: string) => String(words[word] ?? ""));

const cards = (n: number): string => (n === 1 ? "1 card" : `${n} cards`);
const copies = (n: number): string => (n === 1 ? "1 copy" : `${n} copies`);

/** As Python compares tuples of ids. */
function compared(one: readonly string[], other: readonly string[]): number {
  for (const [at, card] of one.entries()) {
    const beside = other[at];
    if (beside === undefined) return 1;
    if (card !== beside) return card < beside ? -1 : 1;
  }
  return one.length - other.length;
}
