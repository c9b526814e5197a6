/** A card in full as it lies at the table, with what is special about it there: loaded when the first is looked at. */

import type { VNode } from "preact";
import { cardFacts, FullCard } from "../cards";
import { findPiece, powerShown } from "./board";
import type { Looked } from "./side";
import { useNow } from "./tiles";
import type { CardId, PieceView } from "./types";
import { SeeItPlayed, Why } from "./why-notes";

/** The card under the pointer in full, with what is special about it where it lies. */
export function LookedCard({ looked }: { looked: Looked }): VNode {
  const { view, state } = useNow();
  const piece = findPiece(view, looked.piece);
  const base = cardFacts(looked.card).type === "base";
  return (
    <section class={`looked ${base ? "is-landscape" : ""}`} aria-label="Card">
      <FullCard card={looked.card} power={powerShown(piece, looked.card)} />
      <Why state={state} view={view} card={looked.inHand ? looked.card : null} piece={piece} />
      {piece && <PieceNotes piece={piece} />}
      <SeeItPlayed card={looked.card} />
    </section>
  );
}

/** What lies with a piece: cards under it, supply cards its player may look at, missions linked to it. */
export function PieceNotes({ piece }: { piece: PieceView }): VNode | null {
  const notes: string[] = [];
  if (piece.beneath.length > 0) notes.push(`Under it: ${names(piece.beneath)}`);
  if (piece.links.length > 0) notes.push(`Linked: ${names(piece.links.map((link) => link.card))}`);
  if (piece.supply_cards.length > 0) notes.push(`Supply cards: ${names(piece.supply_cards)}`);
  else if (piece.supplies > 0) notes.push(`Supply cards: ${piece.supplies}`);
  if (piece.pending) notes.push("Its ability is not yet played.");
  if (notes.length === 0) return null;
  return (
    <ul class="looked-notes">
      {notes.map((note) => (
        <li key={note}>{note}</li>
      ))}
    </ul>
  );
}

const names = (cards: CardId[]): string => cards.map((card) => cardFacts(card).name).join(", ");
