/**
 * Marked text: plain English in which cards, seats, icons, traits and keywords are marked.
 *
 * `[[card:BSG1-027|Fire Support]]`, `[[seat:0|Ana]]`, `[[icon:security|security]]`, `[[trait:Pilot|Pilots]]`,
 * `[[keyword:sniper|Sniper]]`: what stands after the bar is shown, what stands before it says what it is.
 * The server writes it; nothing in it is ever HTML.
 */

import type { VNode } from "preact";
import { cardFacts, hasPage, knowsCard, useCatalog } from "./catalog";
import { isIconName } from "./icon-shapes";
import { Icon } from "./icons";
import { type MarkedPart, markedParts } from "./marked-text";
import { Terms } from "./terms";

/** Icons of what is done: they stand beside their word, all others stand for it. */
const DONE = new Set(["ready", "commit", "exhaust", "restore", "sacrifice"]);

export interface MarkedProps {
  text: string;
  /** The class of a seat's name, such as its colour; by default `seat-name`. */
  seatClass?: (seat: number) => string;
  /** The seat of whoever reads: they are called "You" beside the table, so after their name stands who that is. */
  you?: number | null;
  /** Whether card names are links to their pages (opening in a new tab) or only words with a preview. */
  links?: boolean;
  /** Whether Tab stops at the words of the game in it. */
  reach?: boolean;
}

/** Marked text with card names that show their card, seat names and icons. */
export function Marked({ text, seatClass, you = null, links = true, reach = false }: MarkedProps): VNode {
  useCatalog();
  return <>{markedParts(text).map((part) => shown(part, seatClass, you, links, reach))}</>;
}

function shown(
  part: MarkedPart,
  seatClass: MarkedProps["seatClass"],
  you: number | null,
  links: boolean,
  reach: boolean,
) {
  switch (part.kind) {
    case "text":
      return <Terms text={part.text} reach={reach} />;
    case "card":
      return <CardName card={part.id} words={part.text} link={links} />;
    case "seat":
      return (
        <span class={seatClass?.(Number(part.id)) ?? "seat-name"}>
          {part.text}
          {Number(part.id) === you && " (you)"}
        </span>
      );
    case "trait":
      return <b class="trait-in-text">{part.text}</b>;
    case "keyword":
      return (
        <b class="keyword-in-text" data-term={part.id}>
          {part.text}
        </b>
      );
    case "icon":
      if (isIconName(part.id) && DONE.has(part.id)) {
        return (
          <span class="icon-word" data-term={part.id}>
            <Icon name={part.id} size={15} class={`icon-${part.id} icon-in-text`} />
            {part.text}
          </span>
        );
      }
      return isIconName(part.id) ? (
        <Icon name={part.id} label={part.text} size={15} class={`icon-${part.id} icon-in-text`} />
      ) : (
        part.text
      );
  }
}

export interface CardNameProps {
  card: string;
  /** What is shown instead of the full name. */
  words?: string;
  link?: boolean;
}

/** The name of a card, in the colour of its type; pointing at it shows the card. */
export function CardName({ card, words, link = true }: CardNameProps): VNode {
  useCatalog();
  const type = knowsCard(card) ? cardFacts(card).type : undefined;
  const text = words ?? cardFacts(card).name;
  if (!link || !hasPage(card)) {
    return (
      <span class="card-name" data-card={card} data-type={type}>
        {text}
      </span>
    );
  }
  return (
    <a
      class="card-name"
      data-card={card}
      data-type={type}
      href={`/cards/${encodeURIComponent(card)}/`}
      target="_blank"
      rel="noopener"
    >
      {text}
    </a>
  );
}
