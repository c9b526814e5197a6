/**
 * How large a name can be set so that it is never cut.
 *
 * Widths are estimates from the letters alone: cards are drawn many at a time, and measuring each one in the
 * page would cost a layout. They lean to the wide side.
 */

const NARROW = new Set([..." iIjl.,'’!:;|-"]);
const WIDE = new Set([..."mwMW@"]);

export interface Face {
  capitals?: boolean;
  /** Added after each letter, in ems. */
  tracking?: number;
}

/** Width of `text` in ems of Saira Condensed. */
export function textWidth(text: string, { capitals = false, tracking = 0 }: Face = {}): number {
  let width = 0;
  for (const letter of capitals ? text.toUpperCase() : text) {
    width += NARROW.has(letter) ? 0.24 : WIDE.has(letter) ? 0.7 : capitals ? 0.5 : 0.455;
    width += tracking;
  }
  return width;
}

/** How many lines `text` takes when broken between words; a word wider than a line takes what it needs. */
export function lineCount(text: string, width: number, size: number, face: Face = {}): number {
  const space = (0.24 + (face.tracking ?? 0)) * size;
  let lines = 1;
  let used = 0;
  for (const word of text.split(/\s+/)) {
    const wide = textWidth(word, face) * size;
    if (wide > width) return Number.POSITIVE_INFINITY;
    if (used > 0 && used + space + wide > width) {
      lines += 1;
      used = wide;
    } else {
      used += (used > 0 ? space : 0) + wide;
    }
  }
  return lines;
}

export interface Fit {
  size: number;
  lines: number;
}

/**
 * The first of `choices` (size, most lines) at which `text` fits into `width`; the last one if none does.
 */
export function fitText(text: string, width: number, choices: readonly [number, number][], face: Face = {}): Fit {
  for (const [size, most] of choices) {
    const lines = lineCount(text, width, size, face);
    if (lines <= most) return { size, lines };
  }
  const [size, lines] = choices[choices.length - 1] ?? [12, 1];
  return { size, lines };
}
