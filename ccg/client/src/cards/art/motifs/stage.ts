/** What a motif is drawn with: the same motif serves amber events and silver missions. */

import type { Canvas, Point } from "../canvas";
import type { Random } from "../random";

export interface Stage {
  c: Canvas;
  random: Random;
  /** Where the motif is, about the middle of the picture. */
  x: number;
  y: number;
  /** The colour of the card's kind at a lightness (percent) and strength. */
  tone: (lightness: number, strength?: number) => string;
  /** The one bright thing: white on events, lamp on missions. */
  accent: string;
  /** Colour of danger. */
  danger: string;
}

export type Motif = (stage: Stage) => void;

/** A point at `angle` (radians) and `far` from the middle of the stage; `flat` presses it into an ellipse. */
export const polar = ({ x, y }: Stage, angle: number, far: number, flat = 1): Point => [
  x + far * Math.cos(angle),
  y + far * flat * Math.sin(angle),
];

/** `count` angles round the circle, from the top. */
export const angles = (count: number): number[] =>
  Array.from({ length: count }, (_, at) => -Math.PI / 2 + (at / count) * 2 * Math.PI);

/** A small diamond: a place to go to. The goal is the one in the accent colour. */
export function waypoint(stage: Stage, x: number, y: number, goal = false): void {
  const { c, tone, accent } = stage;
  const r = goal ? 11 : 8;
  c.polygon([x, y - r, x + r, y, x, y + r, x - r, y], goal ? accent : tone(88), { stroke: tone(8), width: 2 });
  if (goal) c.polygon([x, y - r - 7, x + r + 7, y, x, y + r + 7, x - r - 7, y], "none", { stroke: accent, width: 1.5 });
}

/** Marks round a circle. */
export function ticks(stage: Stage, r: number, count: number, long: number, width = 1.6): void {
  const marks = angles(count).map((angle) => {
    const [ax, ay] = polar(stage, angle, r);
    const [bx, by] = polar(stage, angle, r + long);
    return `M${ax.toFixed(1)} ${ay.toFixed(1)}L${bx.toFixed(1)} ${by.toFixed(1)}`;
  });
  stage.c.path(marks.join(""), "none", { stroke: stage.tone(72, 0.9), width });
}

/** A dart, as the fleet's small craft are drawn on plots; the tip is at `x`, `y` and points to `turn` degrees. */
export function dart(stage: Stage, x: number, y: number, size: number, fill: string, turn = 0): void {
  stage.c.at(x, y, size, turn, () => stage.c.polygon([0, 0, 15, 34, 0, 26, -15, 34], fill));
}

/** A sphere lit from the upper left. */
export function orb(stage: Stage, x: number, y: number, r: number, from = 90, to = 22): void {
  const { c, tone } = stage;
  const light = c.radial(
    [
      [0, tone(from)],
      [0.45, tone((from + to) / 2)],
      [1, tone(to)],
    ],
    { cx: 0.32, cy: 0.26, r: 0.85 },
  );
  c.circle(x, y, r, light);
}

/** Light about a point. */
export function flare(stage: Stage, x: number, y: number, r: number, strength = 0.9): void {
  const { c, tone } = stage;
  c.circle(
    x,
    y,
    r,
    c.radial([
      [0, tone(94, strength)],
      [0.4, tone(70, strength * 0.5)],
      [1, tone(50, 0)],
    ]),
  );
}
