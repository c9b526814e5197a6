/** Pictures as addresses for <img>: drawn once for each card, then kept. */

import type { CardFacts } from "../facts";
import { cardPicture, pictureSeed } from ".";

const urls = new Map<string, string>();

/** The address of the picture of `card`: that of its set, or else a drawn one. */
export function pictureUrl(card: CardFacts): string {
  if (card.picture) return card.picture;
  const key = `${card.type}|${card.traits.join("+")}|${pictureSeed(card)}`;
  const known = urls.get(key);
  if (known) return known;
  const made = svgUrl(cardPicture(card));
  urls.set(key, made);
  return made;
}

/** An address for `svg`. An <img> runs no scripts and keeps the ids of each picture apart. */
export function svgUrl(svg: string): string {
  const quoted = svg.replace(/"/g, "'").replace(/[%#<>]/g, encodeURIComponent);
  return `data:image/svg+xml,${quoted}`;
}
