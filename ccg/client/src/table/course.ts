/** The course of a match as points of a graph: pure, so that it can be tested without a page. */

/** What `/api/v1/matches/<id>/ending/` answers (`matches/table/ending.py`). */
export interface Ending {
  turns: number;
  decided: string[];
  course: TurnEnd[];
  cards: CardDeeds[];
}

export interface TurnEnd {
  turn: number;
  influence: number[];
  threat: number | null;
  defense: number | null;
}

export interface CardDeeds {
  seat: number;
  card: string;
  won: number;
  influence: number;
}

export interface Point {
  x: number;
  y: number;
}

/** The points of one line; turns without a value are left out. */
export function lineOf(
  course: TurnEnd[],
  value: (turn: TurnEnd) => number | null | undefined,
  most: number,
  width: number,
  height: number,
): Point[] {
  const last = Math.max(1, course.length - 1);
  return course.flatMap((turn, place) => {
    const at = value(turn);
    return at === null || at === undefined
      ? []
      : [{ x: (place / last) * width, y: height - (Math.max(0, at) / Math.max(1, most)) * height }];
  });
}

/** The levels of the one turn that has some, where a graph would be a single point; or that there is none. */
export function levelsOf(turn: TurnEnd | undefined): string {
  if (!turn) return "No turn came to its Cylon phase.";
  return `Only turn ${turn.turn} came to its Cylon phase: threat level ${turn.threat}, fleet defense ${turn.defense}.`;
}

/** The highest value of any line, for the scale. */
export const mostOf = (values: (number | null | undefined)[]): number => Math.max(1, ...values.map((one) => one ?? 0));

/** Round values from 0 to `most`, at most six of them, for the scale at the side. */
export function ticksOf(most: number): number[] {
  const step = [1, 2, 5, 10, 20, 50].find((one) => most / one <= 5) ?? 100;
  return Array.from({ length: Math.floor(most / step) + 1 }, (_, place) => place * step);
}

/** What a card has done, in words. */
export function deedWords({ won, influence }: CardDeeds): string {
  const parts: string[] = [];
  if (won > 0) parts.push(won === 1 ? "1 challenge won" : `${won} challenges won`);
  if (influence > 0) parts.push(`${influence} influence`);
  return parts.join(", ");
}
