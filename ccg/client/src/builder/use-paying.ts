/** The question of what can be paid when, put to the worker; what it has found so far. */

import { useEffect, useState } from "preact/hooks";
import { type CardFacts, RESOURCES } from "../cards";
import type { Content } from "./content";
import type { Known } from "./legality";
import { entries, USUAL_HAND } from "./numbers";
import type { Copy, Question, Tally } from "./paying";

const NONE = -1;
const PAUSE = 200;

/** What is asked about `card` in this deck, for each turn up to `turns`. */
export function questionOf(card: CardFacts, content: Content, cards: Known["cards"], turns: number): Question {
  const base = cards.get(content.base);
  const place = (one: CardFacts | undefined): number => (one?.produces ? RESOURCES.indexOf(one.produces) : NONE);
  // By id, so that the same deck is the same question in whichever order it was built.
  const deck = entries(content.counts, cards).sort(([one], [other]) => (one.id < other.id ? -1 : 1));
  return {
    cost: RESOURCES.map((resource) => card.cost[resource] ?? 0),
    base: place(base),
    hand: base?.hand ?? USUAL_HAND,
    deck: deck.flatMap(([one, copies]) =>
      Array.from({ length: copies }, (): Copy => ({ makes: place(one), asked: one.id === card.id })),
    ),
    turns,
  };
}

/** What came of so many games by now; null until the first are played, `failed` where there are no workers. */
export function usePaying(question: Question | null): { tally: Tally | null; failed: boolean } {
  const [worker, setWorker] = useState<Worker | null>(null);
  const [found, setFound] = useState<{ seed: string; tally: Tally } | null>(null);
  const [failed, setFailed] = useState(false);
  const seed = question ? JSON.stringify(question) : "";
  const wanted = seed !== "";

  useEffect(() => {
    if (!wanted) return;
    const made = startWorker();
    if (!made) return setFailed(true);
    made.onmessage = ({ data }) => setFound(data);
    made.onerror = () => setFailed(true);
    setWorker(made);
    return () => made.terminate();
  }, [wanted]);

  useEffect(() => {
    if (!worker || !question) return;
    // After a pause, so that what somebody does quickly one after another is not slowed by it.
    const timer = setTimeout(() => worker.postMessage({ question, seed }), PAUSE);
    return () => {
      clearTimeout(timer);
      worker.postMessage(null);
    };
  }, [worker, seed]);

  return { tally: found?.seed === seed ? found.tally : null, failed };
}

function startWorker(): Worker | null {
  try {
    return new Worker(new URL("./paying-worker.ts", import.meta.url), { type: "module" });
  } catch {
    return null;
  }
}
