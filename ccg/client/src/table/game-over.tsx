/** The window at the end: who won, how it went, and where to go on. */

import type { VNode } from "preact";
import { Icon } from "../cards";
import { lazily } from "../windows/lazily";
import type { DialogsProps } from "./dialogs";
import { drawnSeats, NextMatch, resultWords } from "./result";
import { SeatMark, seatClass, seatName } from "./seats";
import type { LogLine } from "./store";
import { useNow } from "./tiles";
import type { PlayerView, Seat, View } from "./types";
import { Window } from "./window";

const REASONS: Record<string, string> = {
  influence: "20 influence or more.",
  last: "All others have lost or conceded.",
  time: "All others are out, the last one by running out of time.",
  absent: "All others are out, the last one by being away for too long.",
  agreed: "All agreed on a draw.",
  abandoned: "Nobody came back to the match.",
  draw: "All lost at the same time.",
};

/** What became of the loser of a match of two: of "you", and of anybody else. */
const OF_TWO: Record<string, [you: string, other: string]> = {
  "no influence": ["have no influence left.", "has no influence left."],
  last: ["have conceded.", "has conceded."],
  time: ["have run out of time.", "has run out of time."],
  absent: ["were away for too long.", "was away for too long."],
};

/** Why the match is over; "" where the result says it all. */
export function reasonWords(view: View): string {
  const { reason = "", losers = [] } = view.result ?? {};
  const nobodyFell = drawnSeats(view).some((seat) => !view.players[seat]?.lost);
  if (reason === "draw" && nobodyFell) return "Whoever runs the site has ended the match.";
  const [loser] = losers;
  const spent = reason === "last" && view.players.some(({ seat, influence }) => seat === loser && influence <= 0);
  const told = OF_TWO[spent ? "no influence" : reason];
  if (view.players.length > 2 || loser === undefined || !told) return REASONS[reason] ?? "";
  return loser === view.viewer ? `You ${told[0]}` : `${seatName(view, loser)} ${told[1]}`;
}

export function GameOver({ links, after: After }: DialogsProps): VNode {
  const { view, state, table } = useNow();
  const reason = reasonWords(view);
  return (
    <Window title={resultWords(view)} class="window-over" opensItself>
      {reason && <p>{reason}</p>}
      <ol class="standing">{standing(view, state.log)}</ol>
      {links.rating && <Rating address={links.rating} />}
      <Report address={links.ending} />
      {state.rematch && <p class="prompt-note">A rematch has been asked for.</p>}
      <div class="window-actions">
        <button type="button" class="button" onClick={() => table.closeDialog()}>
          Look at the table
        </button>
        {links.replay && (
          <a class="button" href={links.replay}>
            Replay
          </a>
        )}
        <a class="button" href={links.mine}>
          My matches
        </a>
        {links.shuffles && (
          <a class="button" href={links.shuffles.page}>
            Check the shuffles
          </a>
        )}
        {After ? <After /> : <NextMatch links={links} />}
      </div>
    </Window>
  );
}

// They are fetched when the window is first shown: all that matters is said without them.
const Report = lazily<{ address: string }>(() => import("./ending").then((module) => module.default));
const Rating = lazily<{ address: string }>(() => import("./rating-news").then((module) => module.default));

/**
 * The players as they stand: who won or drew, then who was still there, each by influence; then who had lost all of it,
 * then who had left, of either the later the better: as `matches/ratings/orders.py` places them. Whoever fell so long
 * ago that `log` tells it no more stands last.
 */
export function standingOf(view: View, log: LogLine[] = []): PlayerView[] {
  const drawn = drawnSeats(view);
  const place = ({ seat, lost, influence }: PlayerView): number => {
    if (view.result?.winners.includes(seat) || drawn.includes(seat)) return 0;
    return !lost ? 1 : influence <= 0 ? 2 : 3;
  };
  const fell = ({ seat }: PlayerView): number =>
    log.findLastIndex(({ event }) => event.kind === "lose" && event.player === seat);
  const later = (a: PlayerView, b: PlayerView): number => (place(a) > 1 ? fell(b) - fell(a) : 0);
  return [...view.players].sort((a, b) => place(a) - place(b) || later(a, b) || b.influence - a.influence);
}

function standing(view: View, log: LogLine[]): VNode[] {
  const drawn = drawnSeats(view);
  const won = (seat: Seat): boolean => view.result?.winners.includes(seat) ?? false;
  return standingOf(view, log).map((player) => (
    <li key={player.seat} class={seatClass(view, player.seat)}>
      <SeatMark view={view} seat={player.seat} />
      <b>{seatName(view, player.seat, "You")}</b>
      <span>{won(player.seat) ? "won" : drawn.includes(player.seat) ? "drew" : player.lost ? "lost" : ""}</span>
      <span class="standing-influence">
        <Icon name="influence" size={17} label="Influence" /> {Math.max(0, player.influence)}
      </span>
    </li>
  ));
}
