/** Everything that is said of what one looks at: why a number is what it is, what rules make of a card, why not now. */

import type { VNode } from "preact";
import { useEffect, useState } from "preact/hooks";
import { CardName, cardFacts, Icon, Marked } from "../cards";
import { Terms } from "../cards/terms";
import { findPiece, revealedBy } from "./board";
import { ClauseLink } from "./clause";
import { cardThing, choicesOf, pieceThing, type Thing } from "./options";
import { mayChoose, type TableState } from "./store";
import type { Table } from "./table";
import type { CardId, CauseView, PieceView, Seat, View } from "./types";
import { CauseList, causesOfHandCard, reasonsOf, type WhyNot } from "./why";

// ---------------------------------------------------------------- rules

/** What a rule says of a piece, and its clause. */
export interface RuleWords {
  text: string;
  clause: string;
}

/** What rules make of a piece, where a number is not the printed one: face down, an asset, supply cards. */
export function ruleWords(piece: PieceView): RuleWords[] {
  const words: RuleWords[] = [];
  const say = (text: string, clause: string): number => words.push({ text, clause });
  if (piece.role === "base" || piece.role === "asset") {
    const cards = piece.supplies === 1 ? "its supply card" : `each of ${piece.supplies} supply cards`;
    if (piece.supplies > 0) say(`Makes ${piece.yields}: 1, and 1 for ${cards}.`, "GENR-1");
    if (piece.role === "asset") say("An asset: its power, traits and text do not count.", "RES-6");
    if (piece.exhausted) say("Spent: it makes nothing until it is restored.", "GENR-4");
  } else if (piece.exhausted) {
    say("Exhausted: it lies face down and has no power, traits or text.", "EXH-5");
  }
  return words;
}

/** Everything that changes `piece`, and what its player's stacks make now. */
export function causesOf(view: View, piece: PieceView): CauseView[] {
  const player = view.players.find((one) => one.seat === piece.controller);
  const makes = piece.makes === "logistics" && !piece.exhausted;
  return [...piece.why, ...(makes && player ? player.why.filter((cause) => cause.kind === "convert") : [])];
}

/** Reasons as a list. */
export function ReasonList({ reasons }: { reasons: readonly WhyNot[] }): VNode | null {
  if (reasons.length === 0) return null;
  return (
    <ul class="why-list" aria-label="Why not now">
      {reasons.map(({ verbs, text, clause }) => (
        <li class="why-not" key={text}>
          <Icon name="cross" size={13} />
          <span>
            <b>{verbs.join(", ")}:</b> <Marked text={text} />
            <ClauseLink clause={clause} />
          </span>
        </li>
      ))}
    </ul>
  );
}

/**
 * The reasons why not now; what can answer the question, or could if the match were not paused, is not told that
 * something else is asked.
 */
function reasonsShown(state: TableState, thing: Thing): WhyNot[] {
  const reasons = reasonsOf(state, thing);
  const asked = mayChoose(state) || state.clocks?.paused;
  if (!asked || !choicesOf(state.view, state.picked).glowing.has(thing)) return reasons;
  const others = new Set(state.why?.uses.flatMap(({ reason, text }) => (reason === "other_decision" ? [text] : [])));
  return reasons.filter(({ text }) => !others.has(text));
}

/** Everything to be said of a piece, or of a card in the own hand. */
export function Why({
  state,
  view,
  card,
  piece,
}: {
  state: TableState;
  view: View;
  card: CardId | null;
  piece: PieceView | null;
}): VNode | null {
  const causes = piece ? causesOf(view, piece) : card === null ? [] : causesOfHandCard(view, card);
  const rules = piece ? ruleWords(piece) : [];
  const thing = piece ? pieceThing(piece.id) : card === null ? null : cardThing(card);
  const reasons = thing === null ? [] : reasonsShown(state, thing);
  if (causes.length + rules.length + reasons.length === 0) return null;
  return (
    <div class="why">
      <CauseList causes={causes} />
      {rules.map(({ text, clause }) => (
        <p class="why-rule" key={text}>
          <Terms text={text} />
          <ClauseLink clause={clause} />
        </p>
      ))}
      <ReasonList reasons={reasons} />
    </div>
  );
}

/** Leads to the scenarios that show what a card does; beside the table, which stays open. */
export function SeeItPlayed({ card }: { card: CardId }): VNode {
  return (
    <p class="why-played">
      <a href={`/rules/played/?shows=${encodeURIComponent(card)}`} target="_blank" rel="noopener">
        <Icon name="play" size={13} /> See it played
      </a>
    </p>
  );
}

/** What a number that belongs to no card is made of: `game`, `player:0`, or `mystic:0`, the value revealed. */
function NumberNotes({ about, state, view }: { about: string; state: TableState; view: View }): VNode | null {
  const [kind = "", number = ""] = about.split(":");
  if (kind === "game") return <Levels view={view} />;
  const player = view.players.find((one) => one.seat === Number(number));
  if (!player) return null;
  return kind === "mystic" ? <Revealed seat={player.seat} state={state} /> : <CauseList causes={player.why} />;
}

/** The fleet defense level, from bases and changes, and what the threat level comes from. */
function Levels({ view }: { view: View }): VNode {
  const bases = view.players.flatMap((player) =>
    player.lost ? [] : player.stacks.filter(({ role }) => role === "base"),
  );
  const threats = view.players.flatMap(({ alert, reserve }) =>
    [...alert, ...reserve].filter((piece) => !piece.exhausted && piece.threat !== 0),
  );
  return (
    <div class="why">
      <p class="why-rule">
        Fleet defense {view.fleet_defense}, from the power of bases:
        <ClauseLink clause="FDL-1" />
      </p>
      <Parts pieces={bases} number={(piece) => cardFacts(piece.card).power ?? 0} />
      <CauseList causes={view.why} />
      <p class="why-rule">
        Threat level {view.threat_level}, from cards that lie face up:
        <ClauseLink clause="CYLON-1" />
      </p>
      <Parts pieces={threats} number={(piece) => piece.threat} />
    </div>
  );
}

function Parts({ pieces, number }: { pieces: PieceView[]; number: (piece: PieceView) => number }): VNode {
  return (
    <ul class="why-parts">
      {pieces.map((piece) => (
        <li key={piece.id}>
          <b>{number(piece)}</b> <CardName card={piece.card} />
        </li>
      ))}
    </ul>
  );
}

/** The cards that a player has revealed in this challenge, with what was added to their values. */
function Revealed({ seat, state }: { seat: Seat; state: TableState }): VNode | null {
  const events = [...state.log.map((line) => line.event), ...state.staged];
  const shown = revealedBy(events, seat);
  if (shown.length === 0) return null;
  return (
    <div class="why">
      {shown.map((event, place) => (
        <div key={`${event.card}${place}`}>
          <p class="why-rule">
            <Marked text={event.text} />
          </p>
          <CauseList causes={event.why} />
        </div>
      ))}
    </div>
  );
}

interface NotesProps {
  table: Table;
  data: DOMStringMap;
}

/** What the preview of a card says beneath it; it follows the table while it is open. */
export function PreviewNotes({ table, data }: NotesProps): VNode | null {
  const [state, set] = useState(table.store.get());
  useEffect(() => table.store.subscribe(set), [table]);
  const { view } = state;
  if (!view) return null;
  if (data.why) return <NumberNotes about={data.why} state={state} view={view} />;
  const piece = findPiece(view, data.piece ? Number(data.piece) : null);
  const inHand = data.thing?.startsWith("card:") ? (data.card ?? null) : null;
  return <Why state={state} view={view} card={inHand} piece={piece} />;
}
