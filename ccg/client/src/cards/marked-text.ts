/** Marked text taken apart; `marked.tsx` shows it, and says what it is. */

export type MarkKind = "card" | "seat" | "icon" | "trait" | "keyword";
export type MarkedPart = { kind: "text"; text: string } | { kind: MarkKind; id: string; text: string };

const MARK = /\[\[(card|seat|icon|trait|keyword):([^|\]]{1,80})\|([^\]]{0,200})\]\]/g;

/** Take marked text apart, in order. Marks of an unknown kind stay as plain text. */
export function markedParts(text: string): MarkedPart[] {
  const parts: MarkedPart[] = [];
  let from = 0;
  for (const found of text.matchAll(MARK)) {
    if (found.index > from) parts.push({ kind: "text", text: text.slice(from, found.index) });
    parts.push({ kind: found[1] as MarkKind, id: found[2] ?? "", text: found[3] ?? "" });
    from = found.index + found[0].length;
  }
  if (from < text.length) parts.push({ kind: "text", text: text.slice(from) });
  return parts;
}

/** The words of marked text alone, for accessible names and tooltips. */
export const plainText = (text: string): string =>
  markedParts(text)
    .map((part) => part.text)
    .join("");
