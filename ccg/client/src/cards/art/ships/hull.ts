/**
 * Ships, drawn about their middle with the nose towards +x and the light from above. Each plane of a hull is
 * in one of six greys; a bright upper edge and engine cones fading backwards are all the glow there is.
 */

import { type Canvas, num } from "../canvas";
import { hsl } from "../colour";
import type { Random } from "../random";

/** The planes of a hull from the brightest to the darkest. */
export interface Hull {
  edge: string;
  light: string;
  middle: string;
  shade: string;
  dark: string;
  deep: string;
}

export function hull(hue: number, saturation = 14): Hull {
  return {
    edge: hsl(hue, saturation, 88),
    light: hsl(hue, saturation, 70),
    middle: hsl(hue, saturation + 2, 52),
    shade: hsl(hue, saturation + 6, 33),
    dark: hsl(hue, saturation + 10, 20),
    deep: hsl(hue, saturation + 14, 10),
  };
}

/** The same hull seen from afar: only its dark half. */
export const distant = (near: Hull): Hull => ({
  ...near,
  edge: near.middle,
  light: near.middle,
  middle: near.shade,
  shade: near.dark,
});

/** Draws itself on `c` in the colours of `h`, with engines of hue `engine`. */
export type Ship = (c: Canvas, h: Hull, engine: number) => void;

export const GLASS = "#0a1420";
export const GLASS_LIT = hsl(200, 80, 78, 0.9);
export const SLIT = "#ff2a3c";

export function trail(c: Canvas, x: number, y: number, length: number, width: number, hue: number): void {
  const fade = c.linear(
    [
      [0, hsl(hue, 95, 60, 0)],
      [0.7, hsl(hue, 95, 66, 0.55)],
      [1, hsl(hue, 100, 90, 0.95)],
    ],
    [0, 0],
    [1, 0],
  );
  c.polygon([x, y - width, x - length, y, x, y + width], fade);
  c.ellipse(x, y, width * 1.2, width * 1.05, hsl(hue, 100, 93));
}

/** Lit windows over a part of a hull, in two colours. */
export function windows(
  c: Canvas,
  random: Random,
  x: number,
  y: number,
  width: number,
  height: number,
  share = 0.5,
): void {
  let warm = "";
  let cold = "";
  for (let row = y; row < y + height; row += 4) {
    for (let column = x; column < x + width; column += 4.4) {
      if (!random.chance(share)) continue;
      const mark = `M${num(column)} ${num(row)}h2.2`;
      if (random.chance(0.8)) warm += mark;
      else cold += mark;
    }
  }
  if (warm) c.path(warm, "none", { stroke: hsl(46, 95, 78), width: 1.4 });
  if (cold) c.path(cold, "none", { stroke: hsl(200, 80, 80), width: 1.4 });
}

/** Red light about a point. */
export function glow(c: Canvas, x: number, y: number, r: number): void {
  c.circle(
    x,
    y,
    r,
    c.radial([
      [0, "#ff3c46cc"],
      [1, "#ff283c00"],
    ]),
  );
}
