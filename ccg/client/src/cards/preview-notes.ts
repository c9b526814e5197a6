/** What a page adds to previews of cards, such as why a number on the table is another one. */

import type { ComponentChildren } from "preact";

/** What a page adds to the preview of an element with these `data-` attributes. */
export type PreviewNotes = (data: DOMStringMap) => ComponentChildren;

let notes: PreviewNotes | null = null;

/** Let previews say more than the card; null ends that. */
export function setPreviewNotes(make: PreviewNotes | null): void {
  notes = make;
}

/** Return what the page adds for an element with these attributes. */
export const previewNotesOf = (data: DOMStringMap): ComponentChildren => notes?.(data);
