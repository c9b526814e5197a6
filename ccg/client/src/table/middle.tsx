/** The middle of the table: the gauge, the Cylon threats, the challenge, and what is happening now. */

import type { VNode } from "preact";
import { cardFacts, changeOf, HandTile, Icon, Marked } from "../cards";
import { Terms } from "../cards/terms";
import { challengeSides, findPiece, gaugeWords, revealedBy, type Side, stakeWords, threatBlocks } from "./board";
import { SeatMark, seatClass, seatName } from "./seats";
import { Piece, press, useNow } from "./tiles";
import type { EventView } from "./types";
import { CauseList, causeWords } from "./why";

/** Threat level against fleet defense: a block for each card in its player's colour, a flag, the excess hatched. */
export function Gauge(): VNode {
  const { view, state } = useNow();
  const { threat_level: level, fleet_defense: defense } = view;
  const over = level > defense;
  const span = Math.max(level, defense) + 3;
  const attack = state.staged.some((event) => event.kind === "attack");
  const fleet = view.why.reduce((sum, { kind, amount }) => sum + (kind === "fleet" ? amount : 0), 0);
  const changed = changeOf(fleet, 0);
  return (
    <section class={`gauge ${over ? "is-over" : ""} ${attack ? "is-attack" : ""}`} aria-label="Cylon threat level">
      <Icon name="threat" size={24} />
      {/* biome-ignore lint/a11y/noNoninteractiveTabindex: what it is made of shows when it has the focus. */}
      <b class="gauge-level" data-count="threat" data-why="game" tabIndex={0}>
        {level}
      </b>
      <div class="gauge-bar" aria-hidden="true" style={{ "--span": span }}>
        {threatBlocks(view).map((block) => (
          <i
            key={block.piece}
            class={`gauge-block ${seatClass(view, block.seat)}`}
            title={`${block.name}: ${block.threat}`}
            style={{ "--threat": block.threat }}
          />
        ))}
        {over && <i class="gauge-over" style={{ "--from": defense, "--threat": level - defense }} />}
        <span class={`gauge-flag ${changed && `is-${changed}`}`} style={{ "--from": defense }} data-why="game">
          <Icon name="power" size={16} />
          {defense}
          {changed && <Icon name={changed === "raised" ? "up" : "down"} size={12} />}
        </span>
      </div>
      <p class="gauge-words">
        <span class="visually-hidden">
          Threat level {level}, fleet defense {defense}
          {view.why.length > 0 && ` (${view.why.map(causeWords).join("; ")})`}.{" "}
        </span>
        <Terms text={gaugeWords(view)} reach />
      </p>
    </section>
  );
}

/** What stands between the fleets: a challenge, Cylon threats, the event that is played out, or the last one. */
export function Middle(): VNode {
  const { view, state } = useNow();
  const staged = state.staged.at(-1);
  if (view.challenge) return <ChallengePanel />;
  if (staged) return <Happening event={staged} />;
  if (view.threats.length > 0) return <Threats />;
  const last = state.log.findLast((line) => TOLD.has(line.event.kind))?.event;
  return last && !state.over ? <Happening event={last} past /> : <div class="middle middle-quiet" />;
}

/** Kinds of events that are worth the middle of the table after they happened. */
const TOLD = new Set([
  "play",
  "use",
  "resolve",
  "wins",
  "asset",
  "attack",
  "no attack",
  "jump",
  "lose influence",
  "gain",
  "phase",
  "taken back",
]);

function Happening({ event, past = false }: { event: EventView; past?: boolean }): VNode {
  const { view } = useNow();
  const seat = event.player;
  const card = event.card;
  return (
    <div class={`middle middle-event panel ${past ? "is-past" : ""} ${seat === null ? "" : seatClass(view, seat)}`}>
      {card !== null && (
        <div class="event-card" key={card}>
          <HandTile card={card} />
        </div>
      )}
      <div class="event-words">
        <p class="event-sentence">
          <Marked text={event.text} you={view.viewer} />
        </p>
        {card !== null &&
          cardFacts(card).text.map((paragraph) => (
            <p class="event-text" key={paragraph}>
              <Marked text={paragraph} links={false} />
            </p>
          ))}
      </div>
      {!past && (event.kind === "mystic" || event.kind === "gain" || event.kind === "lose influence") && (
        <b class={`event-number is-${event.kind.replace(" ", "-")}`}>
          {event.kind === "mystic" && <Icon name="mystic" size={26} />}
          {event.kind === "gain" ? "+" : event.kind === "lose influence" ? "−" : ""}
          {event.number}
        </b>
      )}
    </div>
  );
}

function Threats(): VNode {
  const { view } = useNow();
  return (
    <div class="middle middle-threats panel">
      <p class="label">Cylon threats</p>
      <div class="threat-line">
        {view.threats.map((piece) => (
          <Piece
            piece={piece}
            place={
              piece.controller === view.viewer
                ? "from your deck"
                : `from the deck of ${seatName(view, piece.controller)}`
            }
            key={piece.id}
          />
        ))}
      </div>
    </div>
  );
}

function ChallengePanel(): VNode | null {
  const { view, state } = useNow();
  const sides = challengeSides(view, state.staged);
  const { challenge } = view;
  if (!sides || !challenge) return null;
  const [near, far] = sides;
  const winner = state.staged.find((event) => event.kind === "wins")?.piece ?? null;
  const others = view.threats.filter((piece) => piece.id !== challenge.threat);
  const told = state.staged.findLast((event) => SPOKEN.has(event.kind));
  const stake = stakeWords(view);
  const reveals = !CHOOSING.has(challenge.step) && far.piece !== null;
  return (
    <div class="middle middle-challenge panel">
      <ChallengeSide side={near} does="challenges" winner={winner} />
      <div class="totals">
        <Total side={near} waiting={reveals} />
        <span class="totals-vs">vs</span>
        <Total side={far} waiting={reveals} undefended={far.piece === null} />
        {told && (
          <p class="totals-words">
            <Marked text={told.text} you={view.viewer} />
          </p>
        )}
        {!told && stake && (
          <p class="totals-words totals-stake">
            <Icon name="influence" size={14} /> {stake}
          </p>
        )}
        {!told && others.length > 0 && (
          <p class="totals-words">
            {others.length === 1 ? "One more Cylon threat waits." : `${others.length} more Cylon threats wait.`}
          </p>
        )}
      </div>
      <ChallengeSide
        side={far}
        does={challenge.threat === null ? "defends" : "plays the Cylon threat"}
        winner={winner}
      />
    </div>
  );
}

/** Events of a challenge that are said under the totals as they happen. */
const SPOKEN = new Set(["mystic", "totals", "wins", "gain", "lose influence"]);

/** Steps in which the defender is not settled. */
const CHOOSING = new Set(["declared", "defend"]);

interface SideProps {
  side: Side;
  does: string;
  winner: number | null;
}

function ChallengeSide({ side, does, winner }: SideProps): VNode {
  const { view } = useNow();
  const { challenge } = view;
  const far = does !== "challenges";
  const { seat, piece, printed, power } = side;
  const name = seat === null ? "" : seatName(view, seat, "You");
  const verb = name === "You" ? does.replace(/s\b/, "") : does;
  const passed = seat !== null && challenge?.passed.includes(seat);
  return (
    <div class={`side ${far ? "is-far" : "is-near"} ${seat === null ? "" : seatClass(view, seat)}`}>
      {piece ? (
        <SideTile piece={piece.id} far={far} lost={winner !== null && winner !== piece.id} />
      ) : (
        <div class="tile tile-ghost side-open" role="img" aria-label="No defender">
          <span>{CHOOSING.has(challenge?.step ?? "") ? "Defender?" : "No defender"}</span>
          <Icon name="defend" size={18} />
        </div>
      )}
      {/* Where causes are many it scrolls, and keys have to reach it then. */}
      <div class="side-words" tabIndex={piece?.why.length ? 0 : undefined}>
        <p class="side-who">
          {seat !== null && <SeatMark view={view} seat={seat} size={10} />} {name} {piece || !far ? verb : ""}
        </p>
        {piece && printed !== null && (
          <p class="side-fact">
            Printed <b>{printed}</b>
          </p>
        )}
        {piece && printed !== null && power !== printed && (
          <p class="side-fact">
            Changed by{" "}
            <b class={power > printed ? "is-good" : "is-bad"}>
              {power > printed ? `+${power - printed}` : power - printed}
            </b>
          </p>
        )}
        {piece && piece.why.length > 0 && <CauseList causes={piece.why.filter(({ kind }) => kind === "power")} />}
        {!piece && !CHOOSING.has(challenge?.step ?? "") && (
          <p class="side-fact is-plain">{name === "You" ? "You do" : `${name} does`} not defend</p>
        )}
        {passed && <p class="side-fact is-plain">{name === "You" ? "You passed" : `${name} passed`}</p>}
      </div>
    </div>
  );
}

function SideTile({ piece: id, far, lost }: { piece: number; far: boolean; lost: boolean }): VNode | null {
  const { view } = useNow();
  const piece = findPiece(view, id);
  if (!piece) return null;
  return (
    <Piece
      piece={piece}
      place={far ? "defending" : "challenging"}
      more={{ challenging: !far, defending: far && piece.role !== "threat" }}
      class={lost ? "is-beaten" : ""}
    />
  );
}

/** A card revealed for its mystic value, as a card. */
function MysticCard({ event }: { event: EventView }): VNode {
  const now = useNow();
  const card = event.card ?? "";
  return (
    <HandTile
      card={card}
      label={`Revealed: ${cardFacts(card).name}, mystic value ${event.number}`}
      onClick={(click) => press(now, click, { card, piece: null, thing: null })}
    />
  );
}

interface TotalProps {
  side: Side;
  waiting: boolean;
  undefended?: boolean;
}

function Total({ side, waiting, undefended = false }: TotalProps): VNode {
  if (undefended) return <b class="total is-none">–</b>;
  const { state } = useNow();
  const { power, mystic, seat } = side;
  const events = [...state.log.map((line) => line.event), ...state.staged];
  const cards = seat === null || mystic === null ? [] : revealedBy(events, seat);
  return (
    <span class="total-pair">
      <b class="total" data-count={`total:${seat}`}>
        {power + (mystic ?? 0)}
      </b>
      {waiting && (
        <span
          class={`total-mystic ${mystic === null ? "" : "is-open"}`}
          title="Mystic value"
          data-why={seat === null || mystic === null ? undefined : `mystic:${seat}`}
          tabIndex={mystic === null ? undefined : 0}
        >
          <Icon name="mystic" size={17} label="Mystic value" />
          <b>{mystic ?? "?"}</b>
        </span>
      )}
      {cards.length > 0 && (
        <span class="mystic-cards">
          {cards.map(
            (event, place) => event.card !== null && <MysticCard event={event} key={`${event.card}${place}`} />,
          )}
        </span>
      )}
    </span>
  );
}
