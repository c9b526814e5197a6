/** What a match has done to ratings, or why it has not: asked for until it is counted, which is moments after the end. */

import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
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

export default function RatingNews({ address }: { address: string }): VNode | null {
  const { view } = useNow();
  const [news, setNews] = useState<MatchRating | "late" | null>(null);
  useEffect(() => {
    const stop = new AbortController();
    let timer = 0;
    async function ask(asked: number): Promise<void> {
      const found = await fetched(address, stop.signal);
      if (stop.signal.aborted) return;
      if (found && (!found.rated || found.changes.length > 0)) setNews(found);
      else if (asked < MOST) timer = window.setTimeout(() => void ask(asked + 1), AGAIN_AFTER);
      else setNews("late");
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

async function fetched(address: string, signal: AbortSignal): Promise<MatchRating | null> {
  try {
    const answer = await fetch(address, { headers: { Accept: "application/json" }, signal });
    return answer.ok ? ((await answer.json()) as MatchRating) : null;
  } catch {
    return null;
  }
}

const signed = (points: number): string => (points < 0 ? `−${-points}` : `+${points}`);
