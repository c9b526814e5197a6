/** What players ask of each other besides playing: offers to be answered, a pause, somebody who is away. */

import type { VNode } from "preact";
import { useEffect, useRef, useState } from "preact/hooks";
import { Icon, Marked } from "../cards";
import { copied } from "../clipboard";
import { timeLeft, timeWords, useTime } from "./clock";
import { isOut } from "./out";
import { seatName } from "./seats";
import { declinedNow } from "./store";
import { useNow } from "./tiles";
import type { Absent, Offered, OfferWhat, Seat, View } from "./types";

/** The buttons with which something is offered. */
export const OFFERS: Record<OfferWhat, string> = {
  draw: "Offer a draw",
  pause: "Offer a pause",
  takeback: "Ask to take back",
  computer: "Let the computer play on",
  substitute: "Let somebody else play on",
};

const OFFERED: Record<OfferWhat, string> = {
  draw: "offers a draw",
  pause: "offers a pause",
  takeback: "asks to take their last move back",
  computer: "proposes that the computer plays on for",
  substitute: "proposes that somebody else plays on for",
};

const YOURS: Record<OfferWhat, string> = {
  draw: "You have offered a draw.",
  pause: "You have offered a pause.",
  takeback: "You have asked to take your last move back.",
  computer: "You have proposed that the computer plays on for",
  substitute: "You have proposed that somebody else plays on for",
};

const ENDS = "Shall the match end in a draw?";

/** Whether whoever looks is still in the game: of all others nobody asks anything. */
const isAsked = (view: View): view is View & { viewer: Seat } => view.viewer !== null && !isOut(view);

/** Over the board, so that nothing on it moves. */
export function Manners(): VNode | null {
  const { state, view } = useNow();
  if (state.replay || state.over) return null;
  const seated = view.viewer !== null;
  const paused = state.clocks?.paused === true;
  // In a match with clocks it is there from the beginning, though empty: what comes into a region that readers of the
  // screen know already is read out.
  const nothing = state.offers.length + state.absent.length + state.free.length === 0 && !declinedNow(state);
  if (!state.clocks && nothing) return null;
  return (
    <div class="manners" role="status">
      {view.viewer !== null && <LowTime seat={view.viewer} />}
      {paused && <Paused />}
      {declinedNow(state) && <Declined />}
      {state.offers.map((offer) => (
        <Offer offer={offer} key={offer.what} />
      ))}
      {state.absent
        .filter(({ seat }) => seat !== view.viewer)
        .map((absent) => (
          <Away absent={absent} key={absent.seat} />
        ))}
      {seated && state.free.filter((seat) => seat !== view.viewer).map((seat) => <Free seat={seat} key={seat} />)}
    </div>
  );
}

/** That somebody else may take a seat. The link is for others: to players it opens only the table they are at. */
function Free({ seat }: { seat: Seat }): VNode {
  const { view } = useNow();
  const [said, say] = useState("");
  const link = useRef<HTMLAnchorElement>(null);
  const copy = async (): Promise<void> => {
    const address = link.current?.href ?? "";
    say((await copied(address)) ? " The link is copied." : ` ${address}`);
  };
  return (
    <p class="manner panel" data-free={seat}>
      <span>
        Whoever has{" "}
        <a ref={link} href={invitation()}>
          this link
        </a>{" "}
        may play on for {seatName(view, seat)}.{said}
      </span>
      <button type="button" class="button button-small" onClick={copy}>
        Copy the link
      </button>
    </p>
  );
}

/** A long time in round numbers: what is read out as it changes does not change every second. */
function longWords(left: number): string {
  const minutes = Math.max(1, Math.ceil(left / 60_000));
  if (minutes > 2 * 24 * 60) return `${Math.ceil(minutes / 24 / 60)} days`;
  if (minutes > 60) return `${Math.ceil(minutes / 60)} hours`;
  return `${minutes} minute${minutes === 1 ? "" : "s"}`;
}

/** That the match is paused, for how long, and who has asked to go on: it does once everybody has. */
function Paused(): VNode {
  const { state, table, view } = useNow();
  const resuming = state.clocks?.resuming ?? [];
  const live = state.clocks?.tempo.startsWith("live") === true;
  const left = state.clocks?.pause_left ?? null;
  const asked = view.viewer !== null && resuming.includes(view.viewer);
  const others = resuming.filter((seat) => seat !== view.viewer).map((seat) => seatName(view, seat));
  const words = [
    left === null ? "The match is paused." : `The match is paused, for at most ${longWords(left)}.`,
    ...(others.length > 0 ? [`${others.join(", ")} ${others.length > 1 ? "want" : "wants"} to go on.`] : []),
    ...(asked ? ["You have asked to go on: the others have to, too."] : []),
    // What comes of saying nothing, for whoever has not answered; live only, where a pause is a day.
    ...(live && others.length > 0 && !asked ? ["Whoever has not asked by then leaves the game."] : []),
  ];
  return (
    <p class="manner panel" data-paused>
      <span>{words.join(" ")}</span>
      {isAsked(view) && !asked && (
        <button type="button" class="button button-small" onClick={() => table.manner({ type: "resume" })}>
          Go on
        </button>
      )}
    </p>
  );
}

/** Says once, as one's own time runs low, how much is left; with a sound for who has switched sounds on. */
function LowTime({ seat }: { seat: Seat }): VNode | null {
  const { state } = useNow();
  const [told, tell] = useState<{ version: number | null; words: string } | null>(null);
  const runs = state.clocks?.seats.some((one) => one.seat === seat && one.running) === true;
  const now = useTime(runs && told === null);
  const left = timeLeft(state, seat, Math.max(now, state.heardAt));
  const low = runs && left !== null && state.clocks !== null && left <= state.clocks.low;
  useEffect(() => {
    if (!low || told !== null || left === null) return;
    tell({ version: state.version, words: timeWords(left) });
    if (state.settings.sound === "on")
      import("./sounds").then(
        ({ playOnce }) => playOnce("low"),
        () => undefined, // The words are there.
      );
  }, [low]);
  if (!runs || told === null || told.version !== state.version) return null;
  return (
    <p class="manner panel" data-low-time>
      <Icon name="warn" size={18} />
      <span>Your time is running low: {told.words} left.</span>
    </p>
  );
}

/** So long it is told that something was declined, and it lasts before somebody is told to be away. */
const TOLD_FOR = 8_000;
const AWAY_AFTER = 10_000;

/** Whether `time` milliseconds have gone by since it was first shown with this `key`. */
function useAfter(time: number, key?: string): boolean {
  const [after, set] = useState<string | undefined | null>(null);
  useEffect(() => {
    const timer = setTimeout(() => set(key), time);
    return () => clearTimeout(timer);
  }, [key]);
  return after !== null && after === key;
}

/** For some seconds: what became of an offer, whose box is gone. */
function Declined(): VNode | null {
  const line = useNow().state.log.at(-1);
  const old = useAfter(TOLD_FOR, line?.id);
  if (!line || old) return null;
  return (
    <p class="manner panel" data-declined>
      <span>
        <Marked text={line.event.text} links={false} />
      </span>
    </p>
  );
}

function Offer({ offer }: { offer: Offered }): VNode {
  const { table, view } = useNow();
  const { what, seat, agreed, of } = offer;
  const own = seat === view.viewer;
  // A draw ends the match for good, and the offer comes up where a finger may already be on its way.
  const [sure, makeSure] = useState(false);
  const answers = isAsked(view) && !agreed.includes(view.viewer) && view.viewer !== of;
  const agree = (event: MouseEvent): void => {
    if (what === "draw" && event.detail > 1) return; // the second half of a double tap was not meant for what it opened
    if (what === "draw" && !sure) makeSure(true);
    else table.manner({ type: "agree", what });
  };
  const words = own ? YOURS[what] : sure ? ENDS : `${seatName(view, seat)} ${OFFERED[what]}${of === null ? "." : ""}`;
  return (
    <p class={`manner panel ${sure ? "is-sure" : ""}`} data-offered={what}>
      <span>{of === null ? words : `${words} ${seatName(view, of)}.`}</span>
      {/* What ends the match does not lie where the finger is that has just agreed. */}
      {answers && sure && (
        <button type="button" class="button button-small" onClick={(event) => event.detail < 2 && makeSure(false)}>
          Not yet
        </button>
      )}
      {answers && (
        <button type="button" class="button button-small button-primary" onClick={agree}>
          {sure ? "End in a draw" : "Agree"}
        </button>
      )}
      {(answers || (own && isAsked(view))) && (
        <button type="button" class="button button-small" onClick={() => table.manner({ type: "decline", what })}>
          {own ? "Withdraw" : "Decline"}
        </button>
      )}
    </p>
  );
}

/** What can be proposed for the seat of somebody who is away. */
const FOR_ANOTHER = ["computer", "substitute"] as const;

/** The link of the invitation to this table, by which somebody else may take a free seat. */
const invitation = (): string => document.querySelector<HTMLElement>("#table")?.dataset.invitation ?? "";

function Away({ absent }: { absent: Absent }): VNode | null {
  const { state, table, view } = useNow();
  const now = useTime(true);
  const left = Math.max(0, absent.claim_in * 1_000 - Math.max(0, now - state.heardAt));
  const two = view.players.length === 2;
  const plays = isAsked(view);
  // A page that is loaded, as at the beginning and after a rematch, is soon there.
  const long = useAfter(AWAY_AFTER);
  // Nothing brings back whoever is out, and the button comes up where a finger may already be on its way.
  const [sure, makeSure] = useState(false);
  const name = seatName(view, absent.seat);
  const claim = (event: MouseEvent): void => {
    if (event.detail > 1) return; // the second half of a double tap
    if (sure) table.manner({ type: "claim", seat: absent.seat });
    else makeSure(true);
  };
  const asks = sure && left === 0;
  if (!long && left > 0) return null;
  return (
    <p class="manner panel" data-absent={absent.seat}>
      {asks ? (
        <span>{two ? `The match ends, and ${name} has lost it.` : `${name} is out of the match then, for good.`}</span>
      ) : (
        <span>
          {name} is away
          {plays && left > 0 && (
            <>
              ; in <span aria-hidden="true">{timeWords(left)}</span>
              {/* What is read out does not change every second. */}
              <span class="visually-hidden">{longWords(left)}</span> you may{" "}
              {two ? "claim the match" : "play on without them"}
            </>
          )}
          .
        </span>
      )}
      {plays && left === 0 && (
        <button type="button" class="button button-small button-primary" onClick={claim}>
          {asks ? (two ? "Claim it" : "Play on") : two ? "Claim the match" : "Play on without them"}
        </button>
      )}
      {asks && (
        <button type="button" class="button button-small" onClick={() => makeSure(false)}>
          Wait
        </button>
      )}
      {plays &&
        left === 0 &&
        !asks &&
        !two &&
        FOR_ANOTHER.filter(
          (what) =>
            !state.offers.some((offer) => offer.what === what) &&
            (what === "computer" || !state.free.includes(absent.seat)),
        ).map((what) => (
          <button
            type="button"
            class="button button-small"
            onClick={() => table.manner({ type: "offer", what, seat: absent.seat })}
            key={what}
          >
            {OFFERS[what]}
          </button>
        ))}
    </p>
  );
}
