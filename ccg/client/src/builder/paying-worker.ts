/**
 * Plays games beside the page, so that nothing waits for them: some at a time, telling what they came to so far.
 *
 * A new question, or null, ends the work on the one before.
 */

import { chanceOf, noGames, playMore, type Question, type Tally } from "./paying";

export const GAMES = 20_000;
const AT_ONCE = 4_000;

/** What the page sends; the seed makes the same deck show the same odds again. */
export interface Asked {
  question: Question;
  seed: string;
}

let newest: Asked | null = null;

async function work(asked: Asked): Promise<void> {
  const chance = chanceOf(asked.seed);
  let tally: Tally = noGames(asked.question);
  while (tally.games < GAMES) {
    tally = playMore(asked.question, tally, AT_ONCE, chance);
    postMessage({ seed: asked.seed, tally });
    // Messages that came meanwhile are heard of only between two tasks.
    await new Promise((again) => setTimeout(again));
    if (newest !== asked) return;
  }
}

addEventListener("message", ({ data }: MessageEvent<Asked | null>) => {
  newest = data;
  if (data) void work(data);
});
