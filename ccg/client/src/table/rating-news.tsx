/** What a match has done to ratings, or why it has not: asked for until it is counted, which is moments after the end. */

import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { patiently } from "../patience";
import { SeatMark, seatName } from "./seats";
import { useNow } from "./tiles";

/** What `/api/v1/matches/<id>/rating/` answers (`matches/ratings/api.py`). */
interface MatchRating {
  rated: boolean;
  why: string;
  changes: { seat: number; before: number; after: number; provisional: boolean }[];
}

const AGAIN_AFTER = 1000;
/** How often it is asked for before the reader is sent to the ladder instead. */
const MOST = 15;
/** Milliseconds between later tries, as long as the server cannot be reached. */
const AWAY_AGAIN = 5000;
/** Milliseconds for an answer: on a bad line a request may hang for minutes. */
const PATIENCE = 10_000;

export default function RatingNews({ address }: { address: string }): VNode | null {
  const { view } = useNow();
  const [news, setNews] = useState<MatchRating | "late" | "away" | null>(null);
  useEffect(() => {
    const stop = new AbortController();
    let timer = 0;
    async function ask(asked: number): Promise<void> {
      const found = await fetched(address, stop.signal);
      if (stop.signal.aborted) return;
      if (found && (!found.rated || found.changes.length > 0)) return setNews(found);
      if (found === undefined) return setNews("late");
      const early = asked < MOST;
      if (!early) setNews(found ? "late" : "away");
      if (early || !found) timer = window.setTimeout(() => void ask(asked + 1), early ? AGAIN_AFTER : AWAY_AGAIN);
    }
    void ask(1);
    return () => {
      stop.abort();
      window.clearTimeout(timer);
    };
  }, [address]);
  if (news === null) return null;
  if (news === "late")
    return <p class="ending-rating">The ratings are not worked out yet. They will be on the ladder.</p>;
  if (news === "away")
    return (
      <p class="ending-rating">
        What the match does to ratings cannot be shown now: the server cannot be reached. It comes by itself, and is on
        the ladder.
      </p>
    );
  if (!news.rated) return <p class="ending-rating">Not rated. {news.why}</p>;
  return (
    <ul class="ending-rating" aria-label="Ratings">
      {news.changes.map(({ seat, before, after, provisional }) => (
        <li key={seat}>
          <SeatMark view={view} seat={seat} size={11} />
          <span>
            {seatName(view, seat, "You")}: {before} → <b>{after}</b> ({signed(after - before)})
            {provisional && ", provisional"}
          </span>
        </li>
      ))}
    </ul>
  );
}

/** What is answered; null where the server is away, or too slow; undefined where it does not say. `stop` ends it. */
async function fetched(address: string, stop: AbortSignal): Promise<MatchRating | null | undefined> {
  try {
    return await patiently(PATIENCE, stop, async (signal) => {
      const answer = await fetch(address, { headers: { Accept: "application/json" }, signal });
      if (answer.ok) return (await answer.json()) as MatchRating;
      return answer.status === 429 || answer.status >= 500 ? null : undefined;
    });
  } catch {
    return null;
  }
}

const signed = (points: number): string => (points < 0 ? `−${-points}` : `+${points}`);
