import type { CardFacts } from "../facts";

/** What a picture is drawn from, besides type and traits. */
export const pictureSeed = (card: CardFacts): string => card.name + (card.salt ?? "");

/** The picture of a card as an SVG document. */
export function cardPicture(_card: CardFacts): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 320 220"><rect width="320" height="220" fill="#234"/></svg>`;
}
