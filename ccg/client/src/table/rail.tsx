/** The left rail: who plays, how much influence is left, and where we are in the turn or the challenge. */

import type { VNode } from "preact";
import { Icon } from "../cards";
import { fleetWords, type Step, stepsOf } from "./board";
import { SeatClock } from "./clock";
import type { Folds } from "./folds";
import { decidingSeats, isAway, PlayerName, SeatMark, seatClass, seatName } from "./seats";
import { useNow, useSeatThing } from "./tiles";
import type { PlayerView } from "./types";
import { PlayerWhy } from "./why";

const WINNING = 20;

interface PlayerPanelProps {
  player: PlayerView;
  /** A short form for the second opponent and on. */
  compact?: boolean;
  /** Which fleets are open, if some can be folded. */
  folds?: Folds;
}

/** One player: name, influence of 20, hand, deck and discard pile, first player, whose turn to decide. */
export function PlayerPanel({ player, compact = false, folds }: PlayerPanelProps): VNode {
  const { view, state } = useNow();
  const { choosable, chosen, helps, click, thing } = useSeatThing(player.seat);
  const you = player.seat === view.viewer;
  const decides = decidingSeats(view).includes(player.seat);
  const person = state.people.find((one) => one.seat === player.seat);
  const away = isAway(state, view, player);
  const left = person?.stand_in ? `left; ${person.stand_in} plays on` : "";
  const classes = [
    "player panel",
    seatClass(view, player.seat),
    you && "is-you",
    decides && "is-deciding",
    compact && "is-compact",
    player.lost && "is-lost",
    choosable && "is-choosable",
    chosen && "is-chosen",
  ];
  return (
    <section class={classes.filter(Boolean).join(" ")} aria-label={you ? "You" : player.name}>
      {(choosable || chosen) && (
        <button type="button" class="player-choose" data-thing={thing} aria-pressed={chosen} onClick={click}>
          <span class="visually-hidden">Choose {you ? "yourself" : player.name}</span>{" "}
          {helps && <span class="tile-tag">{helps}</span>}
        </button>
      )}
      <div class="player-head">
        <SeatMark view={view} seat={player.seat} />
        <PlayerName name={player.name} class="player-name" />
        {person?.kind === "computer" && <Icon name="computer" size={15} label={`The computer, ${person.level}`} />}
        {left && !compact && <span class="player-away">{left}</span>}
        {view.first === player.seat ? (
          <span class="player-first" title="First player">
            <Icon name="first" size={20} label="First player" />
          </span>
        ) : (
          // Its place is kept, so that no name takes a second line, and so moves the rail, when the mark goes round.
          !compact && <span class="player-first" />
        )}
        {folds && !player.lost && <FoldButton player={player} folds={folds} />}
      </div>
      <div class="player-influence">
        <Icon name="influence" size={compact ? 22 : 30} />
        <b data-count={`influence:${player.seat}`}>{Math.max(0, player.influence)}</b>
        <span class="label" data-term="influence">
          {player.lost ? "out of the game" : compact ? "of 20" : "of 20 influence"}
        </span>
        {/* Not beside the name, which would take a second line, and so move the rail, as it comes and goes. */}
        <PlayerWhy player={player} />
        {compact && decides && <b class="turn-tab">{away ? "Away" : "Acts"}</b>}
        {compact && !decides && (left || away) && (
          <span class="player-away" title={left}>
            {left ? "left" : "away"}
          </span>
        )}
        {compact && <SeatClock seat={player.seat} />}
      </div>
      <InfluenceBar influence={player.influence} />
      {folds && <p class="player-fleet">{player.lost ? "no fleet" : fleetWords(player)}</p>}
      {!compact && (
        <div class="player-turn">
          {decides ? (
            <b class="turn-tab">{you ? "You act" : away ? "Away, to act" : "Acts now"}</b>
          ) : away ? (
            // Not beside the name: a long one took a line more, and moved the rail, as somebody came and went.
            <span class="player-away">away</span>
          ) : (
            person?.level && <span class="player-level">plays {person.level}</span>
          )}
          <SeatClock seat={player.seat} />
        </div>
      )}
      <Counts player={player} />
    </section>
  );
}

/** Opens the fleet of an opponent on the board, or folds it. */
function FoldButton({ player, folds }: { player: PlayerView; folds: Folds }): VNode {
  const open = folds.isOpen(player.seat);
  return (
    <button
      type="button"
      class="player-fold"
      aria-expanded={open}
      aria-label={`Fleet of ${player.name}`}
      title={open ? "Fold this fleet" : "Show this fleet"}
      onClick={() => folds.toggle(player.seat)}
    >
      <Icon name={open ? "minus" : "plus"} size={14} />
    </button>
  );
}

export function InfluenceBar({ influence }: { influence: number }): VNode {
  return (
    <div class="influence-bar" aria-hidden="true">
      {Array.from({ length: WINNING }, (_, place) => (
        <i key={`of${place + 1}`} class={place < influence ? "is-on" : ""} />
      ))}
    </div>
  );
}

/** Hand, deck, discard pile in numbers; the discard pile opens. */
export function Counts({ player }: { player: PlayerView }): VNode {
  const { table, view } = useNow();
  const { seat, hand, deck, discard, removed } = player;
  const known = seat === view.viewer ? 0 : player.hand_cards.length;
  return (
    <div class="counts">
      {known > 0 ? (
        <button
          type="button"
          class="is-known"
          title={`Cards in hand, ${known} of them known: look`}
          data-anchor={`hand:${seat}`}
          onClick={() => table.open({ kind: "pile", seat, pile: "hand" })}
        >
          <Icon name="hand" size={19} label={`Hand of ${player.name}, ${known} known`} />
          <b>{hand}</b>
        </button>
      ) : (
        <span title="Cards in hand" data-anchor={`hand:${seat}`}>
          <Icon name="hand" size={19} label="Hand" />
          <b>{hand}</b>
        </span>
      )}
      <span title="Cards in deck" data-anchor={`deck:${seat}`}>
        <Icon name="deck" size={19} label="Deck" />
        <b>{deck}</b>
      </span>
      <button
        type="button"
        title="Discard pile: look through it"
        data-anchor={`discard:${seat}`}
        onClick={() => table.open({ kind: "pile", seat, pile: "discard" })}
      >
        <Icon name="discard" size={19} label={`Discard pile of ${player.name}`} />
        <b>{discard.length}</b>
      </button>
      {removed.length > 0 && (
        <button
          type="button"
          title="Removed from the game"
          onClick={() => table.open({ kind: "pile", seat, pile: "removed" })}
        >
          <Icon name="removed" size={19} label={`Removed cards of ${player.name}`} />
          <b>{removed.length}</b>
        </button>
      )}
    </div>
  );
}

/** The steps of this challenge, or of this turn, with a mark at the one that goes on now. */
export function Steps(): VNode {
  const { view, state } = useNow();
  const decider = view.decision?.seat;
  const acts = decider === undefined ? "" : decider === view.viewer ? "you act" : `${seatName(view, decider)} acts`;
  return (
    <section class="steps" aria-label={view.challenge ? "This challenge" : "This turn"}>
      <h2 class="label">{view.challenge ? "This challenge" : view.turn > 0 ? `Turn ${view.turn}` : "Setup"}</h2>
      <ol>
        {stepsOf(view, acts, state.staged).map((step) => (
          <StepLine step={step} key={step.name} />
        ))}
      </ol>
    </section>
  );
}

function StepLine({ step }: { step: Step }): VNode {
  return (
    <li class={`step is-${step.state}`} aria-current={step.state === "now" ? "step" : undefined}>
      <Icon name={step.state === "done" ? "check" : step.state === "now" ? "play" : "ring"} size={15} />
      <span>
        {step.name}
        {step.note && <small>{step.note}</small>}
      </span>
    </li>
  );
}
