/**
 * The picture that other sites show of a deck: the picture of its base, and on a plate its name and numbers.
 *
 * It is drawn by the server, which has no browser: a string of SVG from facts, with nothing of a page. The build makes
 * one script of it (`tools/preview.ts`), and `decks/pictures/drawing.py` runs that.
 */

import { cardPicture } from "../cards/art";
import type { CardFacts } from "../cards/facts";
import { EMBLEM, ICON_SHAPES, type IconName, type IconShape, strokeWidth } from "../cards/icon-shapes";
import type { CardType, Resource } from "../cards/view-types";
import { drawable, escaped, fitted, widthOf } from "./text";

export interface DeckFacts {
  name: string;
  format: string;
  size: number;
  base: CardFacts | null;
  /** The cards it has most copies of. */
  cards: readonly CardFacts[];
  types: Readonly<Partial<Record<CardType, number>>>;
  /** How many of its cards make each resource, the most first. */
  makes: readonly (readonly [Resource, number])[];
}

export const WIDTH = 1200;
export const HEIGHT = 630;
const MARGIN = 56;
const SHOWN = 5;
const THUMBNAIL = 132;

const TYPE_COLOURS: Record<CardType, string> = {
  personnel: "#e5484d",
  ship: "#4c93f0",
  event: "#f2901f",
  mission: "#b9c5cf",
  base: "#cdaa5c",
};
const RESOURCE_COLOURS: Record<Resource, string> = {
  persuasion: "#bda6f5",
  logistics: "#5fcfb8",
  security: "#c3cf5a",
};
const [TEXT, SECOND, LAMP, GROUND] = ["#e8eef4", "#b0bfcc", "#ffc46b", "#0a0e13"];

export function previewPicture(deck: DeckFacts): string {
  const name = fitted(drawable(deck.name) || deck.base?.name || "Deck", [84, 70, 58, 48], WIDTH - 2 * MARGIN);
  const under = 474;
  const first = under - 26 - (name.lines.length - 1) * name.size;
  return [
    `<svg xmlns="http://www.w3.org/2000/svg" width="${WIDTH}" height="${HEIGHT}" viewBox="0 0 ${WIDTH} ${HEIGHT}">`,
    `<defs><linearGradient id="fade" x1="0" y1="0" x2="0" y2="1"><stop offset="0" stop-color="${GROUND}" stop-opacity=".28"/><stop offset=".34" stop-color="${GROUND}" stop-opacity=".2"/><stop offset=".62" stop-color="${GROUND}" stop-opacity=".9"/><stop offset="1" stop-color="${GROUND}"/></linearGradient></defs>`,
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="${GROUND}"/>`,
    deck.base ? placed(cardPicture(deck.base), 0, -60, WIDTH, 640) : "",
    `<rect width="${WIDTH}" height="${HEIGHT}" fill="url(#fade)"/>`,
    site(),
    thumbnails(deck.cards.slice(0, SHOWN)),
    ...name.lines.map((line, row) => words(line, MARGIN, first + row * name.size, name.size, TEXT)),
    words(drawable([deck.base?.name, deck.format].filter(Boolean).join("  ·  ")), MARGIN, under + 24, 32, SECOND),
    numbers(deck),
    `<rect y="${HEIGHT - 8}" width="${WIDTH}" height="8" fill="${TYPE_COLOURS.base}"/>`,
    "</svg>",
  ].join("");
}

/** A drawing as a part of this one. */
const placed = (svg: string, x: number, y: number, width: number, height: number): string =>
  svg.replace(/^<svg[^>]*>/, (tag) =>
    tag
      .replace(/ (?:width|height)="[^"]*"/g, "")
      .replace("<svg", `<svg x="${x}" y="${y}" width="${width}" height="${height}"`),
  );

const words = (text: string, x: number, y: number, size: number, colour: string): string =>
  `<text x="${x}" y="${y}" font-family="Saira Condensed SemiBold" font-weight="600" font-size="${size}" fill="${colour}">${escaped(text)}</text>`;

function site(): string {
  const emblem = `<g transform="translate(${MARGIN} 38) scale(1.1)" fill="none" stroke="${LAMP}" stroke-width="2.4" stroke-linejoin="round"><path d="${EMBLEM.ring}" fill="${GROUND}" fill-opacity=".7"/><path d="${EMBLEM.darts}" fill="${LAMP}" stroke="none"/></g>`;
  return `${emblem}<g letter-spacing="3">${words("RAGTAG FLEET", MARGIN + 70, 75, 34, TEXT)}</g>`;
}

/** Pictures of cards with cut corners, from the right. */
function thumbnails(cards: readonly CardFacts[]): string {
  const cut = 14;
  const octagon = (size: number, k: number): string =>
    `M${k} 0H${size - k}L${size} ${k}V${size - k}L${size - k} ${size}H${k}L0 ${size - k}V${k}z`;
  return cards
    .map((card, place) => {
      const x = WIDTH - MARGIN - (cards.length - place) * (THUMBNAIL + 12) + 12;
      const picture = placed(cardPicture(card), 0, 0, THUMBNAIL, THUMBNAIL);
      return `<g transform="translate(${x} 40)"><clipPath id="cut${place}"><path d="${octagon(THUMBNAIL, cut)}"/></clipPath><g clip-path="url(#cut${place})">${picture}</g><path d="${octagon(THUMBNAIL, cut)}" fill="none" stroke="${TYPE_COLOURS[card.type]}" stroke-width="4"/></g>`;
    })
    .join("");
}

/** The numbers in a row: cards, those of each type, and what they make. */
function numbers(deck: DeckFacts): string {
  let x = MARGIN;
  const y = HEIGHT - 46;
  const parts = [words(`${deck.size} cards`, x, y, 40, LAMP)];
  x += widthOf(`${deck.size} cards`, 40) + 44;
  const add = (icon: IconName, colour: string, count: number): void => {
    parts.push(drawn(icon, x, y - 33, 38, colour), words(String(count), x + 48, y, 40, TEXT));
    x += 48 + widthOf(String(count), 40) + 34;
  };
  for (const type of ["personnel", "ship", "mission", "event"] as const) {
    const count = deck.types[type];
    if (count) add(type, TYPE_COLOURS[type], count);
  }
  parts.push(`<path d="M${x} ${y - 34}v40" stroke="#566d80" stroke-width="2"/>`);
  x += 34;
  for (const [resource, makers] of deck.makes) add(resource, RESOURCE_COLOURS[resource], makers);
  return parts.join("");
}

function drawn(icon: IconName, x: number, y: number, size: number, colour: string): string {
  const shapes = ICON_SHAPES[icon].map((shape: IconShape) =>
    shape.fill
      ? `<path d="${shape.d}" fill="${colour}" stroke="none"/>`
      : `<path d="${shape.d}"${shape.width ? ` stroke-width="${shape.width}"` : ""}/>`,
  );
  return `<g transform="translate(${x} ${y}) scale(${size / 24})" fill="none" stroke="${colour}" stroke-width="${strokeWidth(size)}" stroke-linecap="square" stroke-linejoin="round">${shapes.join("")}</g>`;
}
