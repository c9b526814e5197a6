/** A deck in an order that chance gives it. */

import type { CardId } from "../cards";

/** Every copy by itself. */
export const expanded = (counts: Readonly<Record<CardId, number>>): CardId[] =>
  Object.entries(counts).flatMap(([card, copies]) => Array.from({ length: copies }, () => card));

/** `cards` in a random order, each order as likely as any other (Fisher and Yates). */
export function shuffled<T>(cards: readonly T[], chance: Pick<Crypto, "getRandomValues">): T[] {
  const deck = [...cards];
  for (let last = deck.length - 1; last > 0; last--) {
    const at = below(last + 1, chance);
    const [one, other] = [deck[last], deck[at]];
    if (one === undefined || other === undefined) continue;
    deck[last] = other;
    deck[at] = one;
  }
  return deck;
}

/** A random whole number below `limit`; numbers that would make some likelier than others are drawn again. */
function below(limit: number, chance: Pick<Crypto, "getRandomValues">): number {
  const fair = 2 ** 32 - (2 ** 32 % limit);
  const drawn = new Uint32Array(1);
  do chance.getRandomValues(drawn);
  while ((drawn[0] ?? 0) >= fair);
  return (drawn[0] ?? 0) % limit;
}
