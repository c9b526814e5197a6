/** Text in a picture, where nothing measures it: what can be drawn, how wide it is about, and where lines break. */

/** Latin, Greek, Cyrillic, Hebrew, Arabic and their punctuation: what the fonts here have. No pictures are among it. */
const OTHERS =
  /[^ -~\u00a0-\u024f\u0370-\u03ff\u0400-\u052f\u0590-\u05ff\u0600-\u06ff\u1e00-\u1eff\u2010-\u2027\u2030\u2039\u203a\u20ac\u2122]/gu;

/** `text` without what cannot be drawn, with single spaces. */
export const drawable = (text: string): string =>
  text.normalize("NFC").replace(/\s+/gu, " ").replace(OTHERS, "").replace(/ +/g, " ").trim();

export const escaped = (text: string): string => text.replace(/[&<>"]/g, (sign) => `&#${sign.codePointAt(0)};`);

const NARROW = /[ilj.,:;'’!|ftrI ()[\]-]/;
const WIDE = /[mwMW@%&—]/;
/** About how wide a sign of a condensed face is, in parts of its size; rather more than less. */
function width(sign: string): number {
  if ((sign.codePointAt(0) ?? 0) > 0x24f) return 0.66;
  if (WIDE.test(sign)) return 0.72;
  if (NARROW.test(sign)) return 0.28;
  return /\p{Lu}/u.test(sign) ? 0.53 : 0.47;
}

export const widthOf = (text: string, size: number): number =>
  [...text].reduce((sum, sign) => sum + width(sign), 0) * size;

/** `text` in lines that are not wider than `most`; a word that is too long for a line goes on in the next. */
export function lines(text: string, size: number, most: number): string[] {
  const found: string[] = [];
  let line = "";
  for (const word of text.split(" ").flatMap((one) => pieces(one, size, most))) {
    const longer = line ? `${line} ${word}` : word;
    if (line && widthOf(longer, size) > most) {
      found.push(line);
      line = word;
    } else line = longer;
  }
  return line ? [...found, line] : found;
}

function pieces(word: string, size: number, most: number): string[] {
  const found: string[] = [];
  let piece = "";
  for (const sign of word) {
    if (piece && widthOf(piece + sign, size) > most) {
      found.push(piece);
      piece = "";
    }
    piece += sign;
  }
  return piece ? [...found, piece] : found;
}

export interface Fitted {
  size: number;
  lines: string[];
}

/** `text` at the first of `sizes` at which it takes two lines at most; at the last one it is cut off. */
export function fitted(text: string, sizes: readonly number[], most: number): Fitted {
  for (const size of sizes) {
    const found = lines(text, size, most);
    if (found.length <= 2) return { size, lines: found };
  }
  const size = sizes.at(-1) ?? 40;
  const [first = "", ...rest] = lines(text, size, most);
  const second = [...rest.join(" ")];
  while (widthOf(`${second.join("")}…`, size) > most) second.pop();
  return { size, lines: [first, `${second.join("").trimEnd()}…`] };
}
