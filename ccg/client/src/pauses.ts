/** Pauses before something is tried again. */

export interface Pauses {
  /** Milliseconds before the second try. */
  first: number;
  /** Milliseconds that no pause exceeds. */
  longest: number;
}

/** The pause before try number `tries` (from 0): doubling, and jittered so that a crowd does not come at once. */
export function pauseBefore(tries: number, { first, longest }: Pauses, random: () => number = Math.random): number {
  const full = Math.min(longest, first * 2 ** Math.min(tries, 10));
  return Math.round(full * (0.5 + random() / 2));
}
