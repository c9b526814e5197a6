/** What stands in place of the prompt: the move that was made, what is expected of it, and the way on and back. */

import type { VNode } from "preact";
import { useState } from "preact/hooks";
import { Icon, Marked } from "../cards";
import { useStore } from "../store";
import { seatClass, seatName } from "../table/seats";
import { useNow } from "../table/tiles";
import type { Moment } from "./recording";
import type { Replay } from "./replay";

export interface ReplayBarProps {
  replay: Replay;
  /** What is told of it beside the moves: on a phone behind a button with these words. */
  about: VNode;
  more?: string;
  /** A way to jump, beside the moves. */
  jump?: VNode;
}

export function ReplayBar({ replay, about, more = "About", jump }: ReplayBarProps): VNode {
  const { view, narrow } = useNow();
  const [open, setOpen] = useState(false);
  const { place, playing } = useStore(replay.store);
  const moment = replay.recording.moments[place];
  // A scenario may be a position that is only looked at.
  const moves = replay.last > 0;
  const seat = moment?.by ?? view.decision?.seat ?? null;
  return (
    <section class="prompt panel replay-bar" aria-label="Replay" tabIndex={-1}>
      <span class={`prompt-icon ${seat === null ? "" : seatClass(view, seat)}`}>
        <Icon name={place === replay.last ? "check" : "step"} size={20} />
      </span>
      {/* On a phone it scrolls, so it must be reachable by keyboard. */}
      <div class="prompt-words" role="status" aria-atomic="true" tabIndex={narrow ? 0 : undefined}>
        {narrow && <p class="replay-name">{replay.recording.name}</p>}
        {moment && <Move moment={moment} place={place} last={replay.last} />}
      </div>
      <div class="replay-controls">
        {moves && (
          <>
            <input
              type="range"
              class="replay-range"
              min={0}
              max={replay.last}
              value={place}
              aria-label="Move"
              aria-valuetext={`${place} of ${replay.last}`}
              onInput={(event) => replay.go(Number(event.currentTarget.value))}
            />
            <span class="replay-place number">
              {place} / {replay.last}
            </span>
            {jump}
          </>
        )}
        {narrow && (
          <button type="button" class="button replay-more" aria-expanded={open} onClick={() => setOpen(!open)}>
            <Icon name="info" size={16} /> {more}
          </button>
        )}
        {moves && (
          <div class="prompt-buttons">
            {/* Not disabled at an end: a button that becomes so loses the focus of who steps by keyboard. */}
            <button type="button" class="button" aria-disabled={place === 0 || undefined} onClick={replay.back}>
              <Icon name="left" size={16} /> Back
            </button>
            <button type="button" class="button replay-play" aria-pressed={playing} onClick={replay.toggle}>
              <Icon name={playing ? "pause" : "play"} size={16} /> {playing ? "Pause" : "Play"}
            </button>
            <button
              type="button"
              class="button button-primary replay-forward"
              aria-disabled={place === replay.last || undefined}
              onClick={replay.forward}
            >
              Forward <Icon name="right" size={16} />
            </button>
          </div>
        )}
      </div>
      {narrow && open && about}
    </section>
  );
}

/** Who did what; at the beginning, what there is to see. */
function Move({ moment, place, last }: { moment: Moment; place: number; last: number }): VNode {
  const { view } = useNow();
  const { by, does, asked, expects, told } = moment;
  return (
    <>
      <p class="prompt-asks">
        {by === null ? (
          place === 0 && last === 0 ? (
            "Nobody moves here. What to look at:"
          ) : (
            "The position at the beginning."
          )
        ) : told ? (
          <Marked
            text={told}
            links={false}
            seatClass={(seat) => `seat-name ${seatClass(view, seat)}`}
            you={view.viewer}
          />
        ) : (
          <>
            <b class={`seat-name ${seatClass(view, by)}`}>{seatName(view, by, "You")}</b>:{" "}
            {asked && (
              <span class="prompt-chain">
                <Marked text={asked} links={false} /> <i aria-hidden="true">›</i>{" "}
              </span>
            )}
            <Marked text={does || "has chosen."} links={false} />
          </>
        )}
      </p>
      {expects.length > 0 && (
        <p class="prompt-note replay-expects">
          <Icon name="check" size={13} label="As expected:" /> {expects.join(" ")}
        </p>
      )}
    </>
  );
}

/** What the scenario shows, as the page says it in words, and what is expected at its end. */
export function About({ replay, shows }: { replay: Replay; shows: Shows[] }): VNode {
  const expected = replay.recording.moments.at(-1)?.expects ?? [];
  return (
    <section class="panel panel-scrolls replay-about" aria-label="What it shows">
      <ul class="replay-shows">
        {shows.map(({ name, text, url }) => (
          <li key={name}>
            <a href={url}>{name}</a> {text}
          </li>
        ))}
      </ul>
      {expected.length > 0 && (
        <>
          <h2 class="label">At the end</h2>
          <ul class="replay-end">
            {expected.map((line) => (
              <li key={line}>{line}</li>
            ))}
          </ul>
        </>
      )}
    </section>
  );
}

/** A clause, a ruling or a card that a scenario shows. */
export interface Shows {
  name: string;
  text: string;
  url: string;
}
