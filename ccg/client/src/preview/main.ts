/** What the server calls: facts of a deck as JSON in, the picture as SVG out. */

import { type DeckFacts, previewPicture } from "./preview";

Object.assign(globalThis, {
  drawPreview: (facts: string): string => previewPicture(JSON.parse(facts) as DeckFacts),
});
