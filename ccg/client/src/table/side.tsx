/** The right side: the log in sentences, and the card one points at. */

import type { VNode } from "preact";
import { useEffect, useMemo, useRef, useState } from "preact/hooks";
import { Icon, type IconName, Marked, markedParts } from "../cards";
import { lazily } from "../windows/lazily";
import { ClauseLink, clauseOfEvent } from "./clause";
import { toldLines } from "./history";
import { seatClass } from "./seats";
import { howToRead } from "./settings";
import type { LogLine } from "./store";
import { useNow } from "./tiles";
import type { CardId } from "./types";

const EVENT_ICONS: Record<string, IconName> = {
  play: "play",
  resolve: "mission",
  asset: "supply",
  supply: "supply",
  challenge: "challenge",
  defend: "defend",
  decline: "cross",
  pass: "cross",
  commit: "commit",
  ready: "ready",
  exhaust: "exhaust",
  spend: "exhaust",
  restore: "restore",
  defeat: "sacrifice",
  sacrifice: "sacrifice",
  mystic: "mystic",
  totals: "power",
  wins: "check",
  draw: "hand",
  threat: "threat",
  attack: "threat",
  "no attack": "threat",
  jump: "up",
  gain: "influence",
  "lose influence": "influence",
  first: "first",
  phase: "step",
  overlay: "stack",
  link: "link",
  win: "first",
  use: "play",
  trigger: "event",
  red: "threat",
  discard: "discard",
  mill: "discard",
  reveal: "eye",
  look: "eye",
  search: "search",
  reshuffle: "deck",
  shuffle: "deck",
  reorder: "stack",
  boost: "power",
  persist: "mission",
  keep: "hand",
  redraw: "hand",
  accept: "defend",
  concede: "cross",
};

const SHOWN = 600;

/** So far up somebody reads older lines; less than that is a finger that trembles. */
const AWAY = 40;

/** The log in a panel of its own. */
export function Log({ lines }: { lines: LogLine[] }): VNode {
  return (
    <section class="log panel" aria-label="Log">
      <div class="log-tabs">
        <h2 class="log-tab">Log</h2>
      </div>
      <LogLines lines={lines} />
    </section>
  );
}

/**
 * The lines of the log; the newest is at the foot and stays in sight unless one has scrolled up to read.
 *
 * The box begins at its foot (`column-reverse`), so the browser itself keeps the newest line in sight, whatever becomes
 * of lines and box, and keeps what is read in place: nothing here has to be told of it in time.
 */
export function LogLines({ lines }: { lines: LogLine[] }): VNode {
  const { view, state } = useNow();
  const box = useRef<HTMLDivElement>(null);
  const told = useMemo(() => toldLines(lines.slice(-SHOWN)), [lines]);
  const last = told.at(-1)?.id ?? "";
  /** The newest line when the reader scrolled away; null while they follow. */
  const [left, setLeft] = useState<string | null>(null);
  const watch = (): void => {
    const away = Math.abs(box.current?.scrollTop ?? 0) > AWAY;
    setLeft((before) => (away ? (before ?? last) : null));
  };
  const follow = (): void => {
    box.current?.scrollTo({ top: 0 });
    setLeft(null);
  };
  return (
    <>
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: a scrolling region must be reachable by keyboard. */}
      <div class="log-lines" ref={box} onScroll={watch} tabIndex={0}>
        <div>
          {told.length === 0 && <p class="log-empty">Nothing has happened yet.</p>}
          {told.map(({ id, event }) => (
            <p key={id} class={`log-line is-${event.kind.replaceAll(" ", "-")}`}>
              <Icon name={EVENT_ICONS[event.kind] ?? "info"} size={13} />
              <Marked text={event.text} seatClass={(seat) => `seat-name ${seatClass(view, seat)}`} you={view.viewer} />
              <ClauseLink clause={clauseOfEvent(event)} />
            </p>
          ))}
          {state.line !== "open" && <p class="log-line is-line">The line to the server is down.</p>}
        </div>
      </div>
      {left !== null && (
        <button type="button" class={`log-new ${left === last ? "" : "is-new"}`} onClick={follow}>
          <Icon name="down" size={14} /> {left === last ? "To the newest line" : "New lines"}
        </button>
      )}
    </>
  );
}

/** So many of the newest lines are told; of them, those that are new are read out. */
const SPOKEN = 8;
/** Lines that may go together with one of those. */
const NEAR = 40;

/**
 * Reads the log out as it grows, wherever its lines are: they may be behind the chat, or in a window of a small screen.
 * What is heard has the sentences alone, without the links that one reads on by.
 */
export function LogSpoken(): VNode {
  const { view, state } = useNow();
  const told = useMemo(() => toldLines(state.log.slice(-NEAR)).slice(-SPOKEN), [state.log]);
  return (
    <div class="visually-hidden log-spoken" role="log" aria-live="polite" aria-label="Newest lines of the log">
      {told.map(({ id, event }) => (
        <p key={id}>{wordsFor(event.text, view.viewer)}</p>
      ))}
    </div>
  );
}

/** Marked text in plain words for the player at seat `you`. */
const wordsFor = (text: string, you: number | null): string =>
  markedParts(text)
    .map((part) => (part.kind === "seat" && Number(part.id) === you ? `${part.text} (you)` : part.text))
    .join("");

/** What one points at or has focused: a card, and the piece if it lies on the table. */
export interface Looked {
  card: CardId;
  piece: number | null;
  /** It lies in the own hand. */
  inHand: boolean;
}

/** Follow pointer and focus inside `root`, and say which card they are on; the last one stays. */
export function useLooked(root: { current: HTMLElement | null }): [Looked | null, (looked: Looked | null) => void] {
  const [looked, look] = useState<Looked | null>(null);
  useEffect(() => {
    const at = (event: Event): void => {
      const pointer = event as PointerEvent;
      if (pointer.pointerType === "touch") return;
      const found = (event.target as Element | null)?.closest?.<HTMLElement>("[data-card]");
      const card = found?.dataset.card;
      if (!found || !card || found.closest(".looked")) return;
      const piece = found.dataset.piece ?? found.closest<HTMLElement>("[data-piece]")?.dataset.piece;
      const inHand = found.dataset.thing?.startsWith("card:") ?? false;
      look({ card, piece: piece === undefined ? null : Number(piece), inHand });
    };
    const element = root.current;
    element?.addEventListener("pointerover", at);
    element?.addEventListener("focusin", at);
    return () => {
      element?.removeEventListener("pointerover", at);
      element?.removeEventListener("focusin", at);
    };
  }, [root]);
  return [looked, look];
}

const FullLooked = lazily(() => import("./looked").then((module) => module.LookedCard), NothingLooked);

/** The place of the card under the pointer. */
export function LookedCard({ looked }: { looked: Looked | null }): VNode {
  return looked ? <FullLooked looked={looked} /> : <NothingLooked />;
}

function NothingLooked(): VNode {
  return (
    <section class="looked looked-empty" aria-label="Card">
      <p>{howToRead()} to read it here.</p>
    </section>
  );
}
