/** Pieces on the table with what the decision says about them: what glows, what is chosen, what is proposed. */

import { createContext, type VNode } from "preact";
import { useContext } from "preact/hooks";
import {
  BoardTile,
  cardFacts,
  describePiece,
  HandTile,
  headOf,
  Icon,
  Marked,
  ResourceStack,
  type TileState,
} from "../cards";
import { findPiece, ownerWords } from "./board";
import type { Dragging } from "./dragging";
import { isTap } from "./finger";
import {
  type Choices,
  cardThing,
  choicesOf,
  type Drops,
  dropsOf,
  pieceThing,
  seatThing,
  type Thing,
  thingsOf,
  thingsOnTable,
} from "./options";
import { seatName } from "./seats";
import { mayChoose, type Read, type TableState } from "./store";
import type { Table } from "./table";
import type { CardId, OptionView, PieceView, View } from "./types";
import { causesOfHandCard, reasonsOf, whyNotWords } from "./why";

export interface Now {
  table: Table;
  state: TableState;
  view: View;
  choices: Choices;
  /** Verbs by thing, for the sentence that names a tile: "can challenge". */
  says: Map<Thing, string[]>;
  /** Stacks of the payment that is proposed or agreed to, and what each would pay. */
  pays: Map<Thing, string>;
  /** Things of which an option would help only an opponent, or harm only you, with words that say so. */
  helps: Map<Thing, string>;
  /** One column, for a phone. */
  narrow: boolean;
  /** What is being dragged from the hand, and where it may be dropped. */
  dragging: Dragging;
  drops: Drops;
}

/** What all tiles read; made once for each state. */
export const NowContext = createContext<Now | null>(null);

export function useNow(): Now {
  const now = useContext(NowContext);
  if (!now) throw new Error("No table here.");
  return now;
}

const NO_DROPS: Drops = { things: new Set(), fleet: false };
const NO_CHOICES: Choices = { matching: [], glowing: new Set(), plain: [], listed: [], pass: null };

/** Work out what every tile shows in `state`. */
export function nowOf(table: Table, state: TableState, shown: View, narrow: boolean, dragging: Dragging): Now {
  const { pending, queue } = state;
  // What is answered, or passed by itself, is asked no more while what comes of it is on its way or played out.
  const view = pending && (queue[0] || !pending.byHand) ? { ...shown, decision: null } : shown;
  const choices = mayChoose(state) ? choicesOf(view, state.picked) : NO_CHOICES;
  const onTable = thingsOnTable(view);
  const says = new Map<Thing, string[]>();
  const helps = new Map<Thing, string>();
  const sound = new Set<Thing>(); // what has another option as well is not marked as a whole
  for (const option of choices.matching) {
    for (const thing of thingsOf(option, onTable)) {
      if (option.helps_opponent) helps.set(thing, helpsWords(view, thing));
      else if (option.harms_you) helps.set(thing, "Harms you");
      else sound.add(thing);
      const words = says.get(thing) ?? [];
      const word = `can ${VERBS[option.verb] ?? option.verb}`;
      if (!words.includes(word)) says.set(thing, [...words, word]);
    }
  }
  for (const thing of sound) helps.delete(thing);
  const drops = dragging.dragged && mayChoose(state) ? dropsOf(view, dragging.dragged) : NO_DROPS;
  return { table, state, view, choices, says, pays: paysOf(state, view), helps, narrow, dragging, drops };
}

/** Whom it helps to choose `thing`: its player, or just somebody else where that is not told by where it lies. */
function helpsWords(view: View, thing: Thing): string {
  const [kind, id] = thing.split(":");
  const seat = kind === "seat" ? Number(id) : kind === "piece" ? findPiece(view, Number(id))?.controller : undefined;
  return seat === undefined || seat === view.viewer ? "Helps an opponent" : `Helps ${seatName(view, seat)}`;
}

/** What each stack of the proposed payment pays, and what of it would be left over. */
function paysOf(state: TableState, view: View): Map<Thing, string> {
  const pays = new Map<Thing, string>();
  const decision = view.decision;
  if (decision?.kind !== "payment" || decision.seat !== view.viewer || state.otherStacks) return pays;
  const owed: Record<string, number> = { ...decision.owed };
  const keys = state.payment.length > 0 ? state.payment : decision.proposal;
  for (const key of keys) {
    const stack = findPiece(view, decision.options.find((option) => option.key === key)?.piece ?? null);
    if (!stack?.makes) continue;
    // What may be paid with any resource stands under "any".
    const kind = owed[stack.makes] ? stack.makes : "any";
    const due = owed[kind] ?? 0;
    const left = Math.max(0, stack.yields - due);
    owed[kind] = Math.max(0, due - stack.yields);
    pays.set(pieceThing(stack.id), left > 0 ? `Pays ${stack.yields - left} · ${left} left` : `Pays ${stack.yields}`);
  }
  return pays;
}

const VERBS: Record<string, string> = {
  asset: "become an asset",
  supply: "become a supply card",
  choose: "be chosen",
  resolve: "be resolved",
  boost: "get power from its stack",
  pay: "be spent",
  use: "be used",
  play: "be played",
};

/** What a thing looks like now. */
export function stateOf({ choices, state, view, pays, drops }: Now, thing: Thing): TileState {
  const asks = view.decision?.piece ?? null;
  return {
    asking: asks !== null && thing === pieceThing(asks),
    choosable: choices.glowing.has(thing),
    chosen: state.picked.includes(thing),
    proposed: pays.has(thing),
    droppable: drops.things.has(thing),
  };
}

/** What an option does, in words; with a warning where that helps only an opponent, or harms only you. */
export function OptionText({ option }: { option: OptionView }): VNode {
  const owner = ownerWords(useNow().view, option);
  return (
    <>
      <Marked text={option.text} links={false} />
      {owner && <small class="option-owner"> ({owner})</small>}
      {option.helps_opponent && <small class="option-helps"> helps an opponent</small>}
      {option.harms_you && <small class="option-helps"> harms you</small>}
    </>
  );
}

/** A click on a card: a finger opens it to be read, everything else does what the click means. */
export function press(now: Now, event: MouseEvent, read: Omit<Read, "option">, option: string | null = null): void {
  if (isTap(event)) now.table.open({ kind: "read", ...read, option });
  else if (option !== null) now.table.choose(option);
  else if (read.thing !== null) now.table.click(read.thing);
}

/** What the accessible name of a thing ends with: what can be done with it, and whom that helps. */
function saysOf(now: Now, thing: Thing): string[] {
  const helps = now.helps.get(thing);
  return [...(now.says.get(thing) ?? []), ...(helps ? [`${helps.charAt(0).toLowerCase()}${helps.slice(1)}`] : [])];
}

interface PieceProps {
  piece: PieceView;
  place: string;
  more?: TileState;
  class?: string;
}

/** A unit, mission or threat where it lies. */
export function Piece({ piece, place, more, class: extra }: PieceProps): VNode {
  const now = useNow();
  const thing = pieceThing(piece.id);
  return (
    <BoardTile
      piece={piece}
      place={place}
      says={saysOf(now, thing)}
      tag={now.helps.get(thing)}
      state={{ ...stateOf(now, thing), ...more }}
      onClick={(event) => press(now, event, { card: piece.card, piece: piece.id, thing })}
      data={{ thing, piece: piece.id, fly: thing }}
      class={extra}
    />
  );
}

/** A base or asset; in a payment it says what it would pay. */
export function Stack({ piece }: { piece: PieceView }): VNode {
  const now = useNow();
  const thing = pieceThing(piece.id);
  if (now.narrow) return <StackChip piece={piece} thing={thing} />;
  return (
    <ResourceStack
      piece={piece}
      says={now.says.get(thing)}
      state={stateOf(now, thing)}
      tag={now.pays.get(thing)}
      onClick={(event) => press(now, event, { card: piece.card, piece: piece.id, thing })}
      data={{ thing, piece: piece.id, fly: thing }}
    />
  );
}

/** A resource stack on a phone: what it makes, how much, and no more. */
function StackChip({ piece, thing }: { piece: PieceView; thing: Thing }): VNode {
  const now = useNow();
  const { choosable, chosen, proposed } = stateOf(now, thing);
  const classes = ["stack-chip", piece.exhausted && "is-spent", choosable && "is-choosable", chosen && "is-chosen"];
  return (
    <button
      type="button"
      class={[...classes, proposed && "is-proposed"].filter(Boolean).join(" ")}
      aria-label={describePiece(piece, "", now.says.get(thing))}
      data-card={piece.card}
      data-thing={thing}
      data-piece={piece.id}
      data-fly={thing}
      onClick={(event) => press(now, event, { card: piece.card, piece: piece.id, thing })}
    >
      <Icon
        name={piece.makes ?? "supply"}
        size={16}
        class={piece.makes && !piece.exhausted ? `icon-${piece.makes}` : ""}
      />
      <b>{piece.yields}</b>
      {piece.exhausted && <Icon name="exhaust" size={13} />}
      {proposed && <small>{now.pays.get(thing)?.split(" · ")[0]}</small>}
    </button>
  );
}

/** A persistent mission among the resources: it makes nothing, its text works. */
export function PersistentMission({ piece }: { piece: PieceView }): VNode {
  const now = useNow();
  const thing = pieceThing(piece.id);
  const { choosable, chosen } = stateOf(now, thing);
  const name = headOf(cardFacts(piece.card));
  return (
    <button
      type="button"
      class={`mission-plate ${choosable ? "is-choosable" : ""} ${chosen ? "is-chosen" : ""}`}
      aria-label={[name, "persistent mission", ...(now.says.get(thing) ?? [])].join(", ")}
      data-card={piece.card}
      data-thing={thing}
      data-piece={piece.id}
      data-fly={thing}
      onClick={(event) => press(now, event, { card: piece.card, piece: piece.id, thing })}
    >
      <Icon name="mission" size={15} />
      <span>{name}</span>
    </button>
  );
}

/** A card of the own hand; `copy` counts equal cards from 0. */
export function HandCard({ card, copy }: { card: CardId; copy: number }): VNode {
  const now = useNow();
  const thing = cardThing(card);
  const state = stateOf(now, thing);
  const deciding = now.choices.matching.length > 0;
  const reasons = state.choosable ? [] : reasonsOf(now.state, thing).map(whyNotWords);
  return (
    <HandTile
      card={card}
      cheaper={causesOfHandCard(now.view, card).reduce((sum, { amount }) => sum - amount, 0)}
      says={[...saysOf(now, thing), ...reasons]}
      tag={now.helps.get(thing)}
      state={{ ...state, quiet: deciding && !state.choosable && !state.chosen }}
      onClick={(event) => press(now, event, { card, piece: null, thing })}
      data={{ thing, fly: `${thing}:${copy}` }}
    />
  );
}

interface SeatThing {
  choosable: boolean;
  chosen: boolean;
  /** That choosing them helps only an opponent, or harms oneself. */
  helps: string | undefined;
  click(): void;
  thing: Thing;
}

/** Whether a player can be chosen now, and the properties that make their panel clickable. */
export function useSeatThing(seat: number): SeatThing {
  const now = useNow();
  const thing = seatThing(seat);
  const { choosable = false, chosen = false, droppable = false } = stateOf(now, thing);
  const helps = now.helps.get(thing);
  return { choosable: choosable || droppable, chosen, helps, thing, click: () => now.table.click(thing) };
}
