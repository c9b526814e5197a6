/** A picture being drawn: shapes in, one SVG document out. Nothing here knows of cards, or of a browser. */

import { hash } from "./random";

export type Point = readonly [number, number];
export type Stop = readonly [offset: number, colour: string];

/** How a shape is painted besides its fill. */
export interface Look {
  stroke?: string;
  width?: number;
  dash?: string;
  opacity?: number;
  cap?: "round" | "square" | "butt";
  join?: "round" | "miter" | "bevel";
}

export interface Radial {
  cx?: number;
  cy?: number;
  r?: number;
  /** Where the light is; the middle if not said. */
  fx?: number;
  fy?: number;
}

/** A number with one decimal place at most: pictures are sent often, and a tenth of a pixel is enough. */
export const num = (value: number): string => {
  const text = (Math.round(value * 10) / 10).toString();
  return text === "-0" ? "0" : text.replace(/^(-?)0\./, "$1.");
};

const WIDTH = 320;
const HEIGHT = 220;

export class Canvas {
  readonly width: number;
  readonly height: number;
  #defs = "";
  #body = "";
  #ids = 0;
  readonly #prefix: string;
  readonly #paints = new Map<string, string>();

  /** `name` makes the ids of gradients and clips its own, so that pictures can share a page. */
  constructor(name: string, width = WIDTH, height = HEIGHT) {
    this.#prefix = `p${hash(name).toString(36)}`;
    this.width = width;
    this.height = height;
  }

  // ---- paints ----

  /** A linear gradient in the box of what it paints; gives what `fill` takes. */
  linear(stops: readonly Stop[], from: Point = [0, 0], to: Point = [0, 1]): string {
    const ends = `x1="${from[0]}" y1="${from[1]}" x2="${to[0]}" y2="${to[1]}"`;
    return this.#paint(`<linearGradient id="@" ${ends}>${stopTags(stops)}</linearGradient>`);
  }

  /** A radial gradient in the box of what it paints; gives what `fill` takes. */
  radial(stops: readonly Stop[], { cx = 0.5, cy = 0.5, r = 0.5, fx = cx, fy = cy }: Radial = {}): string {
    const middle = `cx="${cx}" cy="${cy}" r="${r}"${fx !== cx || fy !== cy ? ` fx="${fx}" fy="${fy}"` : ""}`;
    return this.#paint(`<radialGradient id="@" ${middle}>${stopTags(stops)}</radialGradient>`);
  }

  #paint(definition: string): string {
    let paint = this.#paints.get(definition);
    if (!paint) {
      const id = this.#id();
      this.#defs += definition.replace("@", id);
      paint = `url(#${id})`;
      this.#paints.set(definition, paint);
    }
    return paint;
  }

  #id(): string {
    this.#ids += 1;
    return `${this.#prefix}${this.#ids.toString(36)}`;
  }

  // ---- shapes ----

  rect(x: number, y: number, width: number, height: number, fill: string, look: Look = {}): void {
    const place = `x="${num(x)}" y="${num(y)}" width="${num(width)}" height="${num(height)}"`;
    this.#body += `<rect ${place}${painted(fill, look)}/>`;
  }

  circle(x: number, y: number, r: number, fill: string, look: Look = {}): void {
    this.#body += `<circle cx="${num(x)}" cy="${num(y)}" r="${num(r)}"${painted(fill, look)}/>`;
  }

  ellipse(x: number, y: number, rx: number, ry: number, fill: string, look: Look = {}, turn = 0): void {
    const turned = turn === 0 ? "" : ` transform="rotate(${num(turn)} ${num(x)} ${num(y)})"`;
    const place = `cx="${num(x)}" cy="${num(y)}" rx="${num(rx)}" ry="${num(ry)}"`;
    this.#body += `<ellipse ${place}${turned}${painted(fill, look)}/>`;
  }

  /** A closed shape; its corners are points, or simply x, y, x, y and so on. */
  polygon(points: readonly Point[] | readonly number[], fill: string, look: Look = {}): void {
    this.path(`${outline(inPairs(points))}z`, fill, look);
  }

  /** An open line through `points`. */
  polyline(points: readonly Point[], stroke: string, width = 1, look: Look = {}): void {
    this.path(outline(points), "none", { ...look, stroke, width });
  }

  line(x1: number, y1: number, x2: number, y2: number, stroke: string, width = 1, look: Look = {}): void {
    this.polyline(
      [
        [x1, y1],
        [x2, y2],
      ],
      stroke,
      width,
      look,
    );
  }

  path(d: string, fill = "none", look: Look = {}): void {
    this.#body += `<path d="${d}"${painted(fill, look)}/>`;
  }

  /** Dots of one size and colour in one path: stars by the dozen cost little. */
  dots(points: readonly Point[], size: number, colour: string): void {
    if (points.length === 0) return;
    const d = points.map(([x, y]) => `M${num(x)} ${num(y)}h0`).join("");
    this.path(d, "none", { stroke: colour, width: size, cap: "round" });
  }

  // ---- groups ----

  /** What `draw` draws, moved, turned (degrees) and scaled; `flip` mirrors it from left to right. */
  at(x: number, y: number, scale: number, turn: number, draw: () => void, flip: 1 | -1 = 1): void {
    const size = Math.round(scale * 100) / 100;
    const sized = flip === 1 ? ` scale(${size})` : ` scale(${-size} ${size})`;
    const turned = turn === 0 ? "" : ` rotate(${num(turn)})`;
    this.group(draw, { transform: `translate(${num(x)} ${num(y)})${turned}${size === 1 && flip === 1 ? "" : sized}` });
  }

  group(draw: () => void, { transform, opacity }: { transform?: string; opacity?: number } = {}): void {
    this.#body += `<g${transform ? ` transform="${transform}"` : ""}${opacity === undefined ? "" : ` opacity="${num(opacity)}"`}>`;
    draw();
    this.#body += "</g>";
  }

  /** What `draw` draws, cut to the shape of the path `d`. */
  inside(d: string, draw: () => void): void {
    const id = this.#id();
    this.#defs += `<clipPath id="${id}"><path d="${d}"/></clipPath>`;
    this.#body += `<g clip-path="url(#${id})">`;
    draw();
    this.#body += "</g>";
  }

  /** The whole picture in one colour. */
  fill(paint: string): void {
    this.rect(0, 0, this.width, this.height, paint);
  }

  toString(): string {
    const box = `viewBox="0 0 ${this.width} ${this.height}" width="${this.width}" height="${this.height}"`;
    const defs = this.#defs === "" ? "" : `<defs>${this.#defs}</defs>`;
    return `<svg xmlns="http://www.w3.org/2000/svg" ${box} preserveAspectRatio="xMidYMid slice">${defs}${this.#body}</svg>`;
  }
}

function stopTags(stops: readonly Stop[]): string {
  return stops.map(([offset, colour]) => `<stop offset="${offset}" stop-color="${colour}"/>`).join("");
}

function painted(fill: string, look: Look): string {
  let text = ` fill="${fill}"`;
  if (look.stroke) text += ` stroke="${look.stroke}"`;
  if (look.width !== undefined && look.width !== 1) text += ` stroke-width="${num(look.width)}"`;
  if (look.dash) text += ` stroke-dasharray="${look.dash}"`;
  if (look.cap) text += ` stroke-linecap="${look.cap}"`;
  if (look.join) text += ` stroke-linejoin="${look.join}"`;
  if (look.opacity !== undefined) text += ` opacity="${Math.round(look.opacity * 100) / 100}"`;
  return text;
}

function inPairs(points: readonly Point[] | readonly number[]): readonly Point[] {
  if (!isFlat(points)) return points;
  return Array.from({ length: points.length >> 1 }, (_, at): Point => [points[2 * at] ?? 0, points[2 * at + 1] ?? 0]);
}

const isFlat = (points: readonly Point[] | readonly number[]): points is readonly number[] =>
  typeof points[0] === "number";

/** `M1 2L3 4L5 6` without closing it. */
export function outline(points: readonly Point[]): string {
  return points.map(([x, y], place) => `${place === 0 ? "M" : "L"}${num(x)} ${num(y)}`).join("");
}

/** Template for paths with numbers in them: rounds each one. */
export function d(parts: TemplateStringsArray, ...values: number[]): string {
  return parts.reduce((text, part, place) => {
    const value = values[place];
    return text + part + (value === undefined ? "" : num(value));
  }, "");
}

/** A circle as a path, for clipping. */
export const circlePath = (x: number, y: number, r: number): string =>
  d`M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;

/** `count` points on a circle, or on an ellipse, beginning at the top. */
export function ring(x: number, y: number, rx: number, count: number, ry = rx, begin = -Math.PI / 2): Point[] {
  return Array.from({ length: count }, (_, at): Point => {
    const angle = begin + (at / count) * 2 * Math.PI;
    return [x + rx * Math.cos(angle), y + ry * Math.sin(angle)];
  });
}

/** A star with `points` rays. */
export function star(x: number, y: number, outer: number, inner: number, points: number): Point[] {
  return ring(x, y, 1, points * 2).map(([px, py], at): Point => {
    const reach = at % 2 === 0 ? outer : inner;
    return [x + (px - x) * reach, y + (py - y) * reach];
  });
}

/** An octagon with cuts, as all planes of this project. */
export function cut(x: number, y: number, width: number, height: number, k: number): Point[] {
  return [
    [x + k, y],
    [x + width - k, y],
    [x + width, y + k],
    [x + width, y + height - k],
    [x + width - k, y + height],
    [x + k, y + height],
    [x, y + height - k],
    [x, y + k],
  ];
}
