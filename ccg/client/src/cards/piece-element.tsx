/** `<ccg-piece card="BSG1-138" state="challenges">`: a card as it lies at the table, in a page made by the server. */

import { render } from "preact";
import type { PieceView } from "../protocol";
import { cardFacts, knowsCard, loadCatalog, onCatalog } from "./catalog";
import "./cards.css";
import { BoardTile, ResourceStack } from "./tiles";

const STATES = { challenges: { challenging: true }, defends: { defending: true } } as const;

/** Draws the piece once the cards are known; until then, and without them, the words of the page stay. */
export class PieceElement extends HTMLElement {
  #stop: (() => void) | null = null;

  connectedCallback(): void {
    this.#stop = onCatalog(() => this.#draw());
    queueMicrotask(() => this.#draw());
    loadCatalog().catch(() => undefined);
  }

  disconnectedCallback(): void {
    this.#stop?.();
    this.#stop = null;
    render(null, this);
  }

  #draw(): void {
    const card = this.getAttribute("card") ?? "";
    if (!this.#stop || !knowsCard(card)) return;
    const state = this.getAttribute("state") ?? "";
    const piece = pieceOf(card, Number(this.getAttribute("supplies") ?? 0), state, this.hasAttribute("stack"));
    const shown = state === "challenges" || state === "defends" ? STATES[state] : {};
    if (!this.classList.contains("is-drawn")) {
      this.replaceChildren();
      this.classList.add("is-drawn");
    }
    render(
      <a class="card-link" href={`/cards/${encodeURIComponent(card)}/`}>
        {this.hasAttribute("stack") ? <ResourceStack piece={piece} /> : <BoardTile piece={piece} state={shown} />}
      </a>,
      this,
    );
  }
}

/** A piece with what is printed on its card. */
export function pieceOf(card: string, supplies: number, state: string, inStack: boolean): PieceView {
  const facts = cardFacts(card);
  const unit = facts.type === "event" ? "mission" : facts.type;
  return {
    id: 0,
    card,
    owner: null,
    beneath: [],
    controller: 0,
    role: state === "threat" ? "threat" : inStack && facts.type !== "base" ? "asset" : unit,
    power: state === "threat" ? (facts.threat ?? 0) : (facts.power ?? 0),
    threat: facts.threat ?? 0,
    mystic: facts.mystic ?? 0,
    traits: [...facts.traits],
    keywords: [],
    exhausted: state === "exhausted",
    supplies,
    supply_cards: [],
    makes: inStack ? facts.produces : null,
    yields: inStack ? supplies + 1 : 0,
    links: [],
    why: [],
    pending: false,
  };
}

/** Make the browser know the element; a second call does nothing. */
export function definePieceElement(): void {
  if (!customElements.get("ccg-piece")) customElements.define("ccg-piece", PieceElement);
}
