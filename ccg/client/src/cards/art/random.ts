/** Chance that is the same everywhere: the same seed draws the same picture in every browser and in Node. */

/** A 32 bit number for `text` (FNV-1a with a final mix, so that "113" and "114" are far apart). */
export function hash(text: string): number {
  let mixed = 2166136261;
  for (let at = 0; at < text.length; at++) mixed = Math.imul(mixed ^ text.charCodeAt(at), 16777619);
  mixed = Math.imul(mixed ^ (mixed >>> 15), 2246822507);
  mixed = Math.imul(mixed ^ (mixed >>> 13), 3266489909);
  return (mixed ^ (mixed >>> 16)) >>> 0;
}

/** A small seeded generator (mulberry32). */
export class Random {
  #state: number;

  constructor(seed: string) {
    this.#state = hash(seed);
  }

  /** From 0 up to, but not, 1. */
  next(): number {
    this.#state = (this.#state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(this.#state ^ (this.#state >>> 15), 1 | this.#state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 4294967296;
  }

  between(low: number, high: number): number {
    return low + (high - low) * this.next();
  }

  /** A whole number from `low` to `high`, both included. */
  whole(low: number, high: number): number {
    return Math.floor(this.between(low, high + 1));
  }

  chance(share = 0.5): boolean {
    return this.next() < share;
  }

  /** -1 or 1. */
  side(): 1 | -1 {
    return this.chance() ? 1 : -1;
  }

  angle(): number {
    return this.next() * 2 * Math.PI;
  }

  /** One of `things`, which must not be empty. */
  pick<Thing>(things: readonly [Thing, ...Thing[]]): Thing {
    return things[Math.floor(this.next() * things.length)] ?? things[0];
  }
}
