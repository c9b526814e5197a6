/** How the match went: what decided it, influence and threat from turn to turn, the best cards. Loaded when it is over. */

import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { CardName, Marked } from "../cards";
import { patiently } from "../patience";
import { persistently } from "../persistently";
import { deedWords, type Ending, levelsOf, lineOf, mostOf, type Point, type TurnEnd, ticksOf } from "./course";
import { SeatMark, seatClass, seatName } from "./seats";
import { useNow } from "./tiles";
import type { View } from "./types";

const WIDTH = 440;
const HEIGHT = 96;
/** Milliseconds for an answer: on a bad line a request may hang for minutes. */
const PATIENCE = 15_000;
/** With so much influence one wins. */
const GOAL = 20;

/** Fetches how the match went and shows it; says so while that cannot be had. */
export default function EndingReport({ address }: { address: string }): VNode {
  const { view } = useNow();
  const [ending, setEnding] = useState<Ending | "lost" | null>(null);
  useEffect(() => {
    const stop = new AbortController();
    const ask = (): Promise<Ending> =>
      patiently(PATIENCE, stop.signal, async (signal) => {
        const answer = await fetch(address, { headers: { Accept: "application/json" }, signal });
        if (!answer.ok) throw new Error(answer.statusText);
        return (await answer.json()) as Ending;
      });
    const asked = (): Promise<Ending> =>
      ask().catch((error: unknown) => {
        if (!stop.signal.aborted) setEnding("lost");
        throw error;
      });
    persistently(asked, undefined, stop.signal).then(setEnding, () => undefined);
    return () => stop.abort();
  }, [address]);
  if (ending === "lost") return <p class="ending-lost">How the match went cannot be shown now.</p>;
  if (ending === null) return <p class="ending-lost">How the match went …</p>;
  return (
    <div class="ending">
      <p class="ending-decided">
        {ending.decided.map((sentence) => (
          <span key={sentence}>
            <Marked text={sentence} you={view.viewer} />{" "}
          </span>
        ))}
        <span class="ending-turns">{ending.turns === 1 ? "1 turn." : `${ending.turns} turns.`}</span>
      </p>
      {ending.course.length > 1 && <Graphs view={view} course={ending.course} />}
      {ending.cards.length > 0 && (
        <section class="ending-cards" aria-label="Best cards">
          <h3 class="label">Best cards</h3>
          <ol>
            {ending.cards.map((deeds) => (
              <li key={`${deeds.seat}${deeds.card}`} class={seatClass(view, deeds.seat)}>
                <SeatMark view={view} seat={deeds.seat} size={11} />
                <span class="visually-hidden">{seatName(view, deeds.seat, "You")}: </span>
                <CardName card={deeds.card} /> <small>{deedWords(deeds)}</small>
              </li>
            ))}
          </ol>
        </section>
      )}
    </div>
  );
}

function Graphs({ view, course }: { view: View; course: TurnEnd[] }): VNode {
  const highest = mostOf([GOAL, ...course.flatMap((turn) => turn.influence)]);
  const known = course.filter(({ threat }) => threat !== null);
  const levels = mostOf(course.flatMap((turn) => [turn.threat, turn.defense]));
  return (
    <>
      <figure class="ending-graph">
        <figcaption class="label">Influence by turn</figcaption>
        <svg viewBox={`-22 -8 ${WIDTH + 42} ${HEIGHT + 24}`} aria-hidden="true" focusable="false">
          <Axis course={course} most={highest} />
          {view.players.map(({ seat }) => (
            <Line
              key={seat}
              points={lineOf(course, (turn) => turn.influence[seat], highest, WIDTH, HEIGHT)}
              class={seatClass(view, seat)}
            />
          ))}
        </svg>
        <p class="ending-legend">
          {view.players.map(({ seat }) => (
            <span key={seat} class={seatClass(view, seat)}>
              <SeatMark view={view} seat={seat} size={11} /> {seatName(view, seat, "You")}
            </span>
          ))}
        </p>
      </figure>
      <figure class="ending-graph">
        <figcaption class="label">Threat level against fleet defense</figcaption>
        {known.length < 2 ? (
          <p class="ending-single">{levelsOf(known[0])}</p>
        ) : (
          <svg viewBox={`-22 -8 ${WIDTH + 42} ${HEIGHT + 24}`} aria-hidden="true" focusable="false">
            <Axis course={course} most={levels} />
            <Line points={lineOf(course, (turn) => turn.defense, levels, WIDTH, HEIGHT)} class="is-defense" />
            <Line points={lineOf(course, (turn) => turn.threat, levels, WIDTH, HEIGHT)} class="is-threat" />
          </svg>
        )}
      </figure>
      <Numbers view={view} course={course} />
    </>
  );
}

/** The ground line with the number of each turn where there is room for it, and lines at round values with those. */
function Axis({ course, most }: { course: TurnEnd[]; most: number }): VNode {
  const last = Math.max(1, course.length - 1);
  const every = Math.ceil(course.length / 12);
  return (
    <g class="ending-axis">
      {ticksOf(most).map((value) => {
        const y = HEIGHT - (value / most) * HEIGHT;
        return (
          <g key={value} class="ending-tick">
            {value > 0 && <line x1="0" x2={WIDTH} y1={y} y2={y} />}
            <text x="-6" y={y + 4}>
              {value}
            </text>
          </g>
        );
      })}
      <line x1="0" x2={WIDTH} y1={HEIGHT} y2={HEIGHT} />
      {course.map(
        ({ turn }, place) =>
          turn > 0 &&
          turn % every === 0 && (
            <text key={turn} x={(place / last) * WIDTH} y={HEIGHT + 13}>
              {turn}
            </text>
          ),
      )}
    </g>
  );
}

function Line({ points, class: extra }: { points: Point[]; class: string }): VNode {
  const end = points.at(-1);
  return (
    <g class={`ending-line ${extra}`}>
      <polyline points={points.map(({ x, y }) => `${x.toFixed(1)},${y.toFixed(1)}`).join(" ")} />
      {end && <circle cx={end.x} cy={end.y} r="3.5" />}
    </g>
  );
}

/** The same in numbers, for those who do not see the graphs. */
function Numbers({ view, course }: { view: View; course: TurnEnd[] }): VNode {
  return (
    <table class="visually-hidden">
      <caption>Influence and threat by turn</caption>
      <thead>
        <tr>
          <th scope="col">Turn</th>
          {view.players.map(({ seat }) => (
            <th scope="col" key={seat}>
              {seatName(view, seat, "You")}
            </th>
          ))}
          <th scope="col">Threat level</th>
          <th scope="col">Fleet defense</th>
        </tr>
      </thead>
      <tbody>
        {course.map((turn) => (
          <tr key={turn.turn}>
            <th scope="row">{turn.turn || "Start"}</th>
            {view.players.map(({ seat }) => (
              <td key={seat}>{Math.max(0, turn.influence[seat] ?? 0)}</td>
            ))}
            <td>{turn.threat ?? ""}</td>
            <td>{turn.defense ?? ""}</td>
          </tr>
        ))}
      </tbody>
    </table>
  );
}
