/** A fleet in its lines: alert nearest to the middle of the table, then reserve, then resources. */

import type { ComponentChildren, VNode } from "preact";
import { cardFacts, GhostTile, headOf, Icon } from "../cards";
import { cardThing, dropOn, dropOnFleet, pieceThing, type Thing } from "./options";
import { Counts, InfluenceBar } from "./rail";
import { SeatMark, seatClass } from "./seats";
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
  const { view, table } = useNow();
  const own = player.seat === view.viewer;
  const lines = [
    <Line key="alert" name="Alert" kind="alert" player={player}>
      {player.alert.map((piece) => (
        <Unit piece={piece} place="alert" key={piece.id} />
      ))}
    </Line>,
    <Line key="reserve" name="Reserve" kind="reserve" player={player}>
      {player.reserve.map((piece) => (
        <Unit piece={piece} place="reserve" key={piece.id} />
      ))}
    </Line>,
    <Line key="resource" name="Resource" kind="resource" player={player}>
      {player.stacks.map((piece) => (
        <Stack piece={piece} key={piece.id} />
      ))}
      {player.persistent.map((piece) => (
        <PersistentMission piece={piece} key={piece.id} />
      ))}
    </Line>,
  ];
  const drop = (event: DragEvent): void => {
    const option = own ? droppedOption(event) : null;
    if (option === null) return;
    event.preventDefault();
    table.choose(option);
  };
  /** The option that the dragged card means where it is let go. */
  function droppedOption(event: DragEvent): string | null {
    const dragged = event.dataTransfer?.getData("text/x-ragtag-thing") as Thing | undefined;
    if (!dragged) return null;
    const under = (event.target as Element).closest<HTMLElement>("[data-thing]")?.dataset.thing as Thing | undefined;
    const option = (under && dropOn(view, dragged, under)) || dropOnFleet(view, dragged);
    return option?.key ?? null;
  }
  return (
    <section
      class={`fleet ${seatClass(view, player.seat)} ${far ? "is-far" : "is-near"}`}
      aria-label={own ? "Your fleet" : `Fleet of ${player.name}`}
      data-fleet={player.seat}
      onDragOver={(event) => own && event.preventDefault()}
      onDrop={drop}
    >
      {far ? lines.reverse() : lines}
    </section>
  );
}

interface LineProps {
  name: string;
  kind: "alert" | "reserve" | "resource";
  player: PlayerView;
  children: ComponentChildren;
}

function Line({ name, kind, player, children }: LineProps): VNode {
  return (
    <div class={`line line-${kind}`} data-anchor={`${kind}:${player.seat}`}>
      <h3 class="line-name">{name}</h3>
      <div class="line-pieces">{children}</div>
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
  const { view } = useNow();
  const you = player.seat === view.viewer;
  const decides = view.decision?.seat === player.seat;
  const { choosable, chosen, click, thing } = useSeatThing(player.seat);
  const units = [...player.alert, ...player.reserve];
  return (
    <div
      class={`player-row ${seatClass(view, player.seat)} ${decides ? "is-deciding" : ""} ${player.lost ? "is-lost" : ""}`}
    >
      {choosable || chosen ? (
        <button type="button" class="button button-small button-primary" data-thing={thing} onClick={click}>
          Choose {player.name}
        </button>
      ) : (
        <button type="button" class="row-name" aria-expanded={you ? undefined : open} onClick={toggle} disabled={you}>
          <SeatMark view={view} seat={player.seat} />
          <b>{you ? "You" : player.name}</b>
        </button>
      )}
      <span class="row-influence">
        <Icon name="influence" size={20} label="Influence" />
        <b data-count={`influence:${player.seat}`}>{player.influence}</b>
      </span>
      {view.first === player.seat && <Icon name="first" size={17} label="First player" />}
      <PlayerWhy player={player} />
      {!open && units.length > 0 && <span class="row-fleet">{fleetWords(player)}</span>}
      <Counts player={player} />
      {decides && <b class="turn-tab">{you ? "Act" : "Acts"}</b>}
    </div>
  );
}

function fleetWords(player: PlayerView): string {
  return `${player.alert.length} alert, ${player.reserve.length} reserve`;
}

/** A fleet folded to a column: names only, so that one still sees who is there. */
export function FoldedFleet({ player, toggle }: Omit<FoldProps, "open">): VNode {
  const { view } = useNow();
  return (
    <section class={`fleet-folded ${seatClass(view, player.seat)}`} aria-label={`Fleet of ${player.name}, folded`}>
      <button type="button" aria-expanded="false" onClick={toggle}>
        <SeatMark view={view} seat={player.seat} />
        <b>{player.name}</b>
        <InfluenceBar influence={player.influence} />
        {[...player.alert, ...player.reserve].map((piece) => (
          <small key={piece.id} data-card={piece.card} data-fly={pieceThing(piece.id)}>
            {headOf(cardFacts(piece.card))} {piece.exhausted ? "" : piece.power || ""}
          </small>
        ))}
      </button>
    </section>
  );
}

export const draggable =
  (card: string) =>
  (event: DragEvent): void => {
    event.dataTransfer?.setData("text/x-ragtag-thing", cardThing(card));
  };
