/** A fleet in its lines: alert nearest to the middle of the table, then reserve, then resources. */

import type { ComponentChildren, VNode } from "preact";
import { useEffect, useRef } from "preact/hooks";
import { CardName, GhostTile, Icon } from "../cards";
import { fleetWords } from "./board";
import { SeatClock } from "./clock";
import { scrollSideways, showChoosable } from "./in-sight";
import { Counts } from "./rail";
import { decidingSeats, isAway, PlayerName, SeatMark, seatClass } from "./seats";
import { PersistentMission, Piece, Stack, useNow, useSeatThing } from "./tiles";
import type { PieceView, PlayerView } from "./types";
import { PlayerWhy } from "./why";

interface FleetProps {
  player: PlayerView;
  /** Whether it lies at the far side, so with the resources on top. */
  far: boolean;
}

/** One fleet, its three areas always in the order in which they face the enemy. */
export function Fleet({ player, far }: FleetProps): VNode {
  const { view, drops, state } = useNow();
  const own = player.seat === view.viewer;
  const name = own ? "Your fleet" : `Fleet of ${player.name}`;
  const lines = [
    <Line key="alert" name="Alert" kind="alert" player={player} count={player.alert.length}>
      {player.alert.map((piece) => (
        <Unit piece={piece} place="alert" key={piece.id} />
      ))}
    </Line>,
    <Line key="reserve" name="Reserve" kind="reserve" player={player} count={player.reserve.length}>
      {player.reserve.map((piece) => (
        <Unit piece={piece} place="reserve" key={piece.id} />
      ))}
    </Line>,
    <Line key="resource" name="Resource" kind="resource" player={player} count={player.stacks.length}>
      {player.stacks.map((piece) => (
        <Stack piece={piece} key={piece.id} />
      ))}
      {player.persistent.map((piece) => (
        <PersistentMission piece={piece} key={piece.id} />
      ))}
    </Line>,
  ];
  return (
    <section
      class={`fleet ${seatClass(view, player.seat)} ${far ? "is-far" : "is-near"} ${own && drops.fleet ? "is-droppable" : ""}`}
      aria-label={name}
      data-fleet={player.seat}
    >
      <h2 class="visually-hidden">{name}</h2>
      {far && state.replay && player.hand_cards.length > 0 && <OpenHand player={player} />}
      {far ? lines.reverse() : lines}
    </section>
  );
}

/** The hand of a player across the table, by names: in a replay it lies open. */
function OpenHand({ player }: { player: PlayerView }): VNode {
  return (
    <p class="open-hand">
      <Icon name="hand" size={14} label={`Hand of ${player.name}`} />
      {player.hand_cards.map((card, place) => (
        <CardName card={card} key={`${card}:${place}`} />
      ))}
    </p>
  );
}

interface LineProps {
  name: string;
  kind: "alert" | "reserve" | "resource";
  player: PlayerView;
  /** How many pieces lie in it. */
  count: number;
  children: ComponentChildren;
}

/**
 * A line of a fleet. It is as wide as it is, whatever lies in it, so that nothing moves between two prompts: what finds no
 * room is scrolled to, by wheel or finger, and what can be chosen is brought into sight.
 */
function Line({ name, kind, player, count, children }: LineProps): VNode {
  const { view } = useNow();
  const pieces = useRef<HTMLDivElement>(null);
  const asked = view.decision && `${view.decision.seat} ${view.decision.kind} ${view.decision.options?.length}`;
  useEffect(() => {
    if (pieces.current) showChoosable(pieces.current);
  }, [asked]);
  return (
    <div class={`line line-${kind}`} data-anchor={`${kind}:${player.seat}`} style={{ "--count": count }}>
      <h3 class="line-name" data-term={kind === "resource" ? "resource area" : kind}>
        {name}
      </h3>
      <div class="line-pieces" ref={pieces} onWheel={scrollSideways}>
        {children}
      </div>
    </div>
  );
}

/** A unit or mission in its place, or the dashed place it left for the challenge. */
function Unit({ piece, place }: { piece: PieceView; place: string }): VNode {
  const { view } = useNow();
  const { challenge } = view;
  if (challenge?.challenger === piece.id) return <GhostTile card={piece.card} doing="challenge" />;
  if (challenge?.defender === piece.id) return <GhostTile card={piece.card} doing="defend" />;
  return <Piece piece={piece} place={place} />;
}

interface FoldProps {
  player: PlayerView;
  open: boolean;
  toggle(): void;
}

/** The row of a player on a phone, and of a folded opponent: everything in one line; a tap unfolds the fleet. */
export function PlayerRow({ player, open, toggle }: FoldProps): VNode {
  const { view, state } = useNow();
  const you = player.seat === view.viewer;
  const level = state.people.find(({ seat }) => seat === player.seat)?.level;
  const decides = decidingSeats(view).includes(player.seat);
  const { choosable, chosen, helps, click, thing } = useSeatThing(player.seat);
  const units = [...player.alert, ...player.reserve];
  return (
    <div
      class={`player-row ${seatClass(view, player.seat)} ${decides ? "is-deciding" : ""} ${player.lost ? "is-lost" : ""}`}
    >
      {choosable || chosen ? (
        <button
          type="button"
          class={`button button-small ${helps ? "" : "button-primary"}`}
          data-thing={thing}
          onClick={click}
        >
          <span>
            Choose {you ? "yourself" : player.name}
            {helps && <small class="option-helps"> {helps}</small>}
          </span>
        </button>
      ) : (
        <button
          type="button"
          class="row-name"
          aria-label={you ? undefined : [player.name, level].filter(Boolean).join(", ")}
          aria-expanded={you ? undefined : open}
          onClick={toggle}
          disabled={you}
        >
          <SeatMark view={view} seat={player.seat} />
          {you ? <b>You</b> : <PlayerName name={player.name} />}
          {level && <small class="player-level"> {level}</small>}
        </button>
      )}
      <span class="row-influence">
        <Icon name="influence" size={20} label="Influence" />
        <b data-count={`influence:${player.seat}`}>{Math.max(0, player.influence)}</b>
      </span>
      <SeatClock seat={player.seat} />
      {view.first === player.seat && <Icon name="first" size={17} label="First player" />}
      <PlayerWhy player={player} />
      {player.lost && <span class="row-fleet row-out">out of the game</span>}
      {!open && units.length > 0 && <span class="row-fleet">{fleetWords(player)}</span>}
      <Counts player={player} />
      {decides && <b class="turn-tab">{you ? "Act" : isAway(state, view, player) ? "Away" : "Acts"}</b>}
    </div>
  );
}
