/** What the replay of a match has beside the table: all or what one knew, turns, graphs, notes, and where to go on. */

import type { ComponentType, VNode } from "preact";
import { useEffect, useId, useState } from "preact/hooks";
import { Icon } from "../cards";
import { copied } from "../clipboard";
import { createStore, type Store, useStore } from "../store";
import type { Settings } from "../table/settings-data";
import { useNow } from "../table/tiles";
import type { Replay } from "./replay";

export interface MatchState {
  /** Whether all is shown, not only what one knew. */
  all: boolean;
  /** Loading what is to be shown. */
  busy: boolean;
  /** What could not be done, in a sentence. */
  wrong: string;
}

export interface MatchParts {
  replay: Replay;
  state: Store<MatchState>;
  /** Whether this person may see all. */
  mayShowAll: boolean;
  showAll(all: boolean): void;
  /** Notes on points of the match; null for who cannot have any. */
  notes: VNode | null;
  links: MatchLinks;
}

export interface MatchLinks {
  ending: string;
  download: string;
  report: string;
  /** The page's form to play on from a point, by id; null where that cannot be. */
  playOn: string | null;
}

export const emptyMatch = (all: boolean): Store<MatchState> => createStore({ all, busy: false, wrong: "" });

const SPEEDS: [Settings["speed"], string][] = [
  ["half", "×½"],
  ["normal", "×1"],
  ["double", "×2"],
  ["off", "At once"],
];

/** Choose a turn to jump to. */
export function Turns({ replay }: { replay: Replay }): VNode | null {
  const { place } = useStore(replay.store);
  const turns = replay.recording.turns ?? [];
  const now = turns.findLast((turn) => turn.move <= place);
  if (turns.length === 0) return null;
  return (
    <select
      class="replay-turn"
      aria-label="Turn"
      value={now?.turn ?? 0}
      onChange={(event) => {
        const wanted = Number(event.currentTarget.value);
        replay.go(turns.find((turn) => turn.turn === wanted)?.move ?? 0);
      }}
    >
      <option value={0}>Setup</option>
      {turns.map(({ turn }) => (
        <option key={turn} value={turn}>
          Turn {turn}
        </option>
      ))}
    </select>
  );
}

/** The panel above the log; on a phone a sheet over the table. */
export function MatchPanel({ parts }: { parts: MatchParts }): VNode {
  const { replay, state, mayShowAll, showAll, notes, links } = parts;
  const { table, state: shown } = useNow();
  const { all, busy, wrong } = useStore(state);
  const { place } = useStore(replay.store);
  const [graph, setGraph] = useState(false);
  const [told, tell] = useState("");
  const speed = useId();
  const copy = async (): Promise<void> =>
    tell((await copied(location.href)) ? "The link is copied." : "Copy it from the address bar.");
  return (
    <section class="panel panel-scrolls replay-about replay-match" aria-label="About this replay">
      <div class="replay-row">
        <button
          type="button"
          class="button button-small"
          aria-pressed={all}
          disabled={busy || !mayShowAll}
          onClick={() => showAll(!all)}
        >
          <Icon name="eye" size={15} /> Show all hands
        </button>
        <span class="replay-speed">
          <label for={speed}>Speed</label>
          <select
            id={speed}
            value={shown.settings.speed}
            onChange={(event) => table.set({ speed: event.currentTarget.value as Settings["speed"] })}
          >
            {SPEEDS.map(([value, words]) => (
              <option key={value} value={value}>
                {words}
              </option>
            ))}
          </select>
        </span>
      </div>
      {!mayShowAll && <p class="replay-why">A deck of this match is private: only its players see both hands.</p>}
      <p class="replay-wrong" role="status">
        {wrong}
      </p>
      <details onToggle={(event) => setGraph(event.currentTarget.open)}>
        <summary>How it went</summary>
        {graph && <Graphs address={links.ending} />}
      </details>
      {notes}
      <div class="replay-row">
        <button type="button" class="button button-small" onClick={() => void copy()}>
          <Icon name="link" size={15} /> Link to this point
        </button>
        {links.playOn && (
          <button type="submit" form={links.playOn} class="button button-small">
            <Icon name="play" size={15} /> Play on from here
          </button>
        )}
        <a class="button button-small" href={`${links.download}${all ? "?sees=all" : ""}`} download="replay.json">
          <Icon name="down" size={15} /> Download
        </a>
        <a class="button button-small" href={`${links.report}?move=${place}`}>
          <Icon name="warn" size={15} /> Report a mistake
        </a>
      </div>
      <p class="replay-why" role="status">
        {told}
      </p>
    </section>
  );
}

type Report = ComponentType<{ address: string }>;

/** Influence and threat by turn, fetched when they are opened. */
function Graphs({ address }: { address: string }): VNode {
  const [part, set] = useState<{ is: Report } | "lost" | null>(null);
  useEffect(() => {
    import("../table/ending").then(
      (module) => set({ is: module.default }),
      () => set("lost"),
    );
  }, []);
  if (part === "lost") return <p>How the match went cannot be shown now.</p>;
  return part ? <part.is address={address} /> : <p>How the match went …</p>;
}
