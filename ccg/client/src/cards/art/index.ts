/**
 * Pictures of cards, drawn from their facts: type, traits and name as seed. Pure functions from facts to the
 * text of an SVG document, the same everywhere; they run in the browser, in tests and in the build.
 */

import type { CardFacts } from "../facts";
import { baseScene } from "./base-scene";
import { personnelScene } from "./personnel-scene";
import { eventScene, missionScene } from "./plain-scenes";
import { shipScene } from "./ship-scene";

/** What a picture is drawn from, besides type and traits. The salt sets apart what came out too alike. */
export const pictureSeed = (card: CardFacts): string => card.name + (card.salt ?? "");

/** The picture of `card` as an SVG document, 320 × 220 (bases 420 × 260). */
export function cardPicture(card: CardFacts): string {
  const seed = pictureSeed(card);
  switch (card.type) {
    case "personnel":
      return personnelScene(card, seed);
    case "event":
      return eventScene(card, seed);
    case "mission":
      return missionScene(card, seed);
    case "ship":
      return shipScene(card, seed);
    case "base":
      return baseScene(card, seed);
  }
}

export { heroPicture } from "./hero";
