/** `<ccg-card card="BSG1-027" size="thumbnail">`: a card in a page made by the server. */

import { render, type VNode } from "preact";
import { Card, isCardSize } from "./Card";
import "./cards.css";
import { knowsCard, loadCatalog, onCatalog, useCard } from "./catalog";
import { Picture } from "./Picture";

/**
 * Draws the card of its `card` attribute at `size` (line, thumbnail, board or full; thumbnail if it says
 * nothing), or as `picture` nothing but that, beside words that name it. What stood in it, such as a link with the card's name, stays until the card can be drawn, and
 * its link is kept: the drawn card then leads there too.
 */
export class CardElement extends HTMLElement {
  static readonly observedAttributes = ["card", "size"];

  #link: string | null = null;
  #stop: (() => void) | null = null;

  connectedCallback(): void {
    this.#stop = onCatalog(() => this.#draw());
    queueMicrotask(() => this.#draw()); // What stands in it may not be there yet.
    loadCatalog().catch(() => undefined); // Without the catalogue the words of the page stay.
  }

  disconnectedCallback(): void {
    this.#stop?.();
    this.#stop = null;
    render(null, this);
  }

  attributeChangedCallback(): void {
    if (this.#stop) this.#draw();
  }

  #draw(): void {
    const card = this.getAttribute("card") ?? "";
    if (!this.#stop || !knowsCard(card)) return;
    const asked = this.getAttribute("size");
    const size = isCardSize(asked) ? asked : "thumbnail";
    if (!this.classList.contains("is-drawn")) {
      this.#link = this.querySelector("a")?.getAttribute("href") ?? null;
      this.replaceChildren();
      this.classList.add("is-drawn");
    }
    const drawn = asked === "picture" ? <PictureAlone card={card} /> : <Card card={card} size={size} />;
    render(
      this.#link && size !== "line" ? (
        <a class="card-link" href={this.#link}>
          {drawn}
        </a>
      ) : (
        drawn
      ),
      this,
    );
  }
}

/** What a card looks like, in the colour of its type. */
function PictureAlone({ card }: { card: string }): VNode {
  const facts = useCard(card);
  return (
    <span class={`picture-alone type-${facts.type}`}>
      <Picture card={facts} />
    </span>
  );
}

/** Make the browser know the element; a second call does nothing. */
export function defineCardElement(): void {
  if (!customElements.get("ccg-card")) customElements.define("ccg-card", CardElement);
}
