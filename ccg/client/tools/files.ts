/** The files that `pictures.ts` makes out of the client's own drawings; loaded by the build when it needs them. */

import { heroPicture } from "../src/cards/art";
import { EMBLEM, iconSheet } from "../src/cards/icon-shapes";
import { readSets } from "./card-sets";

/** The emblem on a plate, so that it can be seen on light and dark tabs. */
function favicon(): string {
  return `<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 48 48"><path d="M14 0h20l14 14v20L34 48H14L0 34V14z" fill="#10161d"/><g transform="translate(2 2) scale(.917)" fill="none" stroke="#ffc46b" stroke-width="2.6" stroke-linejoin="round"><path d="${EMBLEM.ring}"/><path d="${EMBLEM.darts}" fill="#ffc46b" stroke="none"/></g></svg>`;
}

/** What the build writes beside the bundles. */
export const built: Record<string, () => string> = {
  "icons.svg": iconSheet,
  "hero.svg": heroPicture,
  "favicon.svg": favicon,
};

/** What only the development server has. */
export const developing: Record<string, () => string> = {
  "dev/catalog.json": () => JSON.stringify(readSets()),
};
