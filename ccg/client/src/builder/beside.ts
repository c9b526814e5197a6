/** What the search knows in the builder beyond what is printed on cards: the open deck, formats, what somebody owns. */

import type { CardFacts, CardId } from "../cards";
import { fold, type Known } from "../search";
import type { Content } from "./content";
import { allows, type Edition, editionOf, limitOf, type Rules } from "./legality";

type Groups = Readonly<Record<string, ReadonlySet<string>>>;

/** What there is beside the cards; `owned` are copies by card id, null for who has not said what they own. */
export interface Beside {
  content: Content;
  rules: Rules;
  owned: Readonly<Record<CardId, number>> | null;
  /** The cards that a ruling concerns. */
  ruled: readonly CardId[];
}

/** What is known of `cards`, each part worked out when a query asks for it. `with` is missing: only the server knows. */
export function knownBeside(cards: readonly CardFacts[], { content, rules, owned, ruled }: Beside): Known {
  const groups = lazily({
    in: () => ({ deck: new Set([...Object.keys(content.counts), ...(content.base ? [content.base] : [])]) }),
    fits: () => ({ deck: fitting(cards, content, editionOf(rules, content.format)) }),
    has: () => ({ ruling: new Set(ruled) }),
    legal: () => byFormat(cards, rules, (card, edition) => allows(edition, card.id) && !isBanned(card, edition)),
    banned: () => byFormat(cards, rules, (card, edition) => edition.banned.includes(card.id)),
  });
  return owned ? { groups, counts: { owned } } : { groups };
}

/** A record whose entries are made when they are first read. */
function lazily(made: Readonly<Record<string, () => Groups>>): Readonly<Record<string, Groups>> {
  const record: Record<string, Groups> = {};
  for (const [name, make] of Object.entries(made)) {
    let value: Groups | undefined;
    const get = (): Groups => {
      value ??= make();
      return value;
    };
    Object.defineProperty(record, name, { enumerable: true, get });
  }
  return record;
}

/** Whether a deck can have no copy of the card, though it is of one of the format's sets. */
const isBanned = (card: CardFacts, edition: Edition): boolean =>
  edition.banned.includes(card.id) || (edition.copies_of[card.id] ?? edition.copies) === 0;

/** The cards of which something holds today, by format (its short word too) and, as `now`, in any; none out of its time. */
function byFormat(
  cards: readonly CardFacts[],
  rules: Rules,
  holds: (card: CardFacts, edition: Edition) => boolean,
): Groups {
  const found: Record<string, Set<string>> = { now: new Set() };
  for (const { code } of rules.formats) {
    const edition = editionOf(rules, code);
    const isInForce = edition.starts <= rules.today && (edition.ends === null || rules.today < edition.ends);
    const some = isInForce ? cards.filter((card) => holds(card, edition)).map(({ id }) => id) : [];
    found[code] = new Set(some);
    for (const card of some) found.now?.add(card);
  }
  for (const [word, code] of Object.entries(rules.words)) found[word] = found[code] ?? new Set();
  return found;
}

/** The cards that the deck can still take: allowed, with room for a copy, and paid with what the deck makes. */
function fitting(cards: readonly CardFacts[], { base, counts }: Content, edition: Edition): Set<string> {
  const inDeck = cards.filter(({ id }) => id === base || id in counts);
  const makes = new Set(inDeck.flatMap(({ produces }) => produces ?? []));
  const paid = ({ cost }: CardFacts): boolean =>
    makes.size === 0 || Object.entries(cost).every(([resource, n]) => !n || makes.has(resource as never));
  // Copies are counted by name, and of cards of one name the lowest limit holds.
  const copies = new Map<string, number>();
  const limits = new Map<string, number>();
  for (const card of inDeck) {
    if (card.type === "base") continue;
    const name = fold(card.name);
    copies.set(name, (copies.get(name) ?? 0) + (counts[card.id] ?? 0));
    limits.set(name, Math.min(limits.get(name) ?? Number.POSITIVE_INFINITY, limitOf(card, edition)));
  }
  const hasRoom = (card: CardFacts): boolean => {
    if (card.type === "base") return base === "";
    const name = fold(card.name);
    return (copies.get(name) ?? 0) < Math.min(limits.get(name) ?? Number.POSITIVE_INFINITY, limitOf(card, edition));
  };
  const fits = (card: CardFacts): boolean =>
    allows(edition, card.id) && !isBanned(card, edition) && hasRoom(card) && paid(card);
  return new Set(cards.filter(fits).map(({ id }) => id));
}
