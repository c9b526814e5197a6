/** Small pictures of cards for long lists, as bitmaps: a browser lays a drawing out anew for each <img> that shows it. */

import type { CardFacts } from "../facts";
import { pictureUrl } from "./url";

/** In CSS pixels; lists show pictures at half of this, or less, so that they are sharp on dense screens too. */
const WIDTH = 112;
const made = new WeakMap<CardFacts, string>();

/** The address of the small picture of `card`, if it has been made: see `makeThumbnail`. */
export function thumbnailUrl(card: CardFacts): string | undefined {
  return card.picture ?? made.get(card);
}

/** Make the small picture of `card` from its drawn one; where the browser cannot, the drawn one serves. */
export async function makeThumbnail(card: CardFacts): Promise<void> {
  const url = pictureUrl(card);
  made.set(card, (await bitmapOf(url).catch(() => null)) ?? url);
}

async function bitmapOf(url: string): Promise<string | null> {
  const picture = new Image();
  picture.src = url;
  await picture.decode();
  const canvas = document.createElement("canvas");
  canvas.width = WIDTH;
  canvas.height = Math.round((WIDTH * picture.naturalHeight) / picture.naturalWidth);
  const context = canvas.getContext("2d");
  if (!context) return null;
  context.drawImage(picture, 0, 0, canvas.width, canvas.height);
  return canvas.toDataURL();
}
