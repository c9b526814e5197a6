/** What lies behind ships and bases: nebulae, stars, planets, rocks, and the fade at the foot of all pictures. */

import { type Canvas, circlePath, d, type Point, ring } from "./canvas";
import { hsl, night } from "./colour";
import type { Random } from "./random";

export interface Sky {
  hue: number;
  /** The hue it goes over into. */
  other: number;
  clouds?: number;
  stars?: number;
}

export function drawSpace(c: Canvas, random: Random, { hue, other, clouds = 4, stars = 90 }: Sky): void {
  c.fill(
    c.linear(
      [
        [0, hsl(hue, 42, 9)],
        [0.55, hsl(hue + 8, 46, 16)],
        [1, hsl(other, 46, 11)],
      ],
      [0, 0],
      [0.6, 1],
    ),
  );
  for (let i = 0; i < clouds; i++) drawCloud(c, random, random.chance() ? hue : other);
  drawStars(c, random, stars);
  for (let i = 0; i < 3; i++) {
    sparkle(c, random.next() * c.width, random.next() * c.height * 0.7, random.between(4, 8));
  }
}

function drawCloud(c: Canvas, random: Random, hue: number): void {
  const x = random.between(-20, c.width + 20);
  const y = random.between(-10, c.height);
  const rx = random.between(c.width * 0.25, c.width * 0.6);
  const ry = random.between(c.height * 0.16, c.height * 0.42);
  const light = c.radial([
    [0, hsl(hue + random.between(-18, 18), 70, 48, 0.42)],
    [0.5, hsl(hue, 62, 34, 0.16)],
    [1, hsl(hue, 60, 30, 0)],
  ]);
  c.ellipse(x, y, rx, ry, light, {}, random.between(-35, 15));
}

/** Stars of three sizes, each in two strengths. */
export function drawStars(c: Canvas, random: Random, count: number, height = c.height): void {
  const kinds: { size: number; colour: string; points: Point[] }[] = [
    { size: 1, colour: "#ffffff66", points: [] },
    { size: 1, colour: "#ffffffc8", points: [] },
    { size: 1.8, colour: "#ffffff99", points: [] },
    { size: 1.8, colour: "#ffffffe6", points: [] },
    { size: 3, colour: "#fffffff0", points: [] },
  ];
  const shares = [0.42, 0.78, 0.88, 0.96, 1];
  for (let i = 0; i < count; i++) {
    const draw = random.next();
    const kind = kinds[shares.findIndex((share) => draw < share)];
    kind?.points.push([random.next() * c.width, random.next() * height]);
  }
  for (const { size, colour, points } of kinds) c.dots(points, size, colour);
}

/** A four-pointed star. */
export function sparkle(c: Canvas, x: number, y: number, reach: number, colour = "#ffffffd8"): void {
  const thin = reach * 0.12;
  c.path(
    d`M${x - reach} ${y}L${x} ${y - thin} ${x + reach} ${y} ${x} ${y + thin}zM${x} ${y - reach}L${x + thin} ${y} ${x} ${y + reach} ${x - thin} ${y}z`,
    colour,
  );
}

export interface Planet {
  x: number;
  y: number;
  r: number;
  hue: number;
  saturation?: number;
  /** Bands, craters or continents; drawn by lot if not said. */
  surface?: "bands" | "craters" | "land";
  /** Where the light comes from, in the box of the planet. */
  light?: Point;
  /** Tilt of a ring in degrees. */
  ring?: number;
}

export function drawPlanet(c: Canvas, random: Random, planet: Planet): void {
  const { x, y, r, hue, saturation = 48, light = [0.3, 0.25] } = planet;
  const surface = planet.surface ?? random.pick(["bands", "craters", "land"]);
  c.circle(
    x,
    y,
    r * 1.16,
    c.radial([
      [0.8, hsl(hue, 80, 60, 0)],
      [0.86, hsl(hue, 85, 68, 0.4)],
      [1, hsl(hue, 80, 60, 0)],
    ]),
  );
  c.circle(
    x,
    y,
    r,
    c.radial(
      [
        [0, hsl(hue, saturation, 66)],
        [0.45, hsl(hue + 6, saturation, 42)],
        [1, hsl(hue + 18, saturation, 12)],
      ],
      { cx: light[0], cy: light[1], r: 0.85 },
    ),
  );
  c.inside(circlePath(x, y, r), () => {
    SURFACES[surface](c, random, planet);
    const shade = c.radial([
      [0, "#03060ced"],
      [0.62, "#03060cc6"],
      [0.86, "#03060c33"],
      [1, "#03060c00"],
    ]);
    c.circle(x + r * (0.5 - light[0]) * 1.5, y + r * (0.5 - light[1]) * 1.5, r * 1.25, shade);
  });
  if (planet.ring !== undefined) drawRing(c, planet, planet.ring);
}

const SURFACES: Record<NonNullable<Planet["surface"]>, (c: Canvas, random: Random, planet: Planet) => void> = {
  bands(c, random, { x, y, r, hue }) {
    for (let i = 0; i < 8; i++) {
      const middle = y - r + (2 * r * (i + 0.5)) / 8 + random.between(-0.06, 0.06) * r;
      const colour = hsl(hue + random.between(-25, 25), 45, random.chance() ? 68 : 24, 0.24);
      c.ellipse(x, middle, r * 1.1, r * random.between(0.03, 0.1), colour);
    }
  },
  craters(c, random, { x, y, r, hue }) {
    for (let i = 0; i < 12; i++) {
      const [px, py] = somewhere(random, x, y, r * 0.9);
      const size = r * random.between(0.05, 0.2);
      c.circle(px, py, size, hsl(hue, 30, 14, 0.26));
      c.circle(px + size * 0.14, py + size * 0.14, size * 0.86, hsl(hue, 40, 56, 0.15));
    }
  },
  land(c, random, { x, y, r, hue }) {
    for (let i = 0; i < 7; i++) {
      const [px, py] = somewhere(random, x, y, r * 0.8);
      const size = r * random.between(0.15, 0.42);
      const colour = hsl(hue + random.between(40, 90), 40, 42, 0.4);
      c.polygon(
        ring(px, py, 1, 9).map(([qx, qy]): Point => {
          const reach = size * random.between(0.55, 1.15);
          return [px + (qx - px) * reach * 1.4, py + (qy - py) * reach * 0.7];
        }),
        colour,
      );
    }
  },
};

function somewhere(random: Random, x: number, y: number, reach: number): Point {
  const angle = random.angle();
  const far = Math.sqrt(random.next()) * reach;
  return [x + far * Math.cos(angle), y + far * Math.sin(angle)];
}

function drawRing(c: Canvas, { x, y, r, hue }: Planet, tilt: number): void {
  const arc = (reach: number, flat: number): string =>
    d`M${x - r * reach} ${y}a${r * reach} ${r * flat} 0 0 0 ${2 * r * reach} 0`;
  c.group(
    () => {
      c.path(arc(1.75, 0.36), "none", { stroke: hsl(hue, 50, 80, 0.6), width: r * 0.14 });
      c.path(arc(1.45, 0.27), "none", { stroke: hsl(hue, 40, 70, 0.4), width: r * 0.07 });
    },
    { transform: d`rotate(${tilt} ${x} ${y})` },
  );
}

/** Tumbling rocks, lit from above. */
export function drawRocks(c: Canvas, random: Random, hue: number, count = 16): void {
  const light = c.linear([
    [0, hsl(hue, 18, 46)],
    [0.5, hsl(hue, 22, 22)],
    [1, hsl(hue, 25, 9)],
  ]);
  for (let i = 0; i < count; i++) {
    const x = random.next() * c.width;
    const y = random.between(c.height * 0.5, c.height + 5);
    const size = random.between(4, 22);
    c.polygon(
      ring(x, y, 1, 8).map(([px, py]): Point => {
        const reach = size * random.between(0.6, 1);
        return [x + (px - x) * reach * 1.2, y + (py - y) * reach];
      }),
      light,
    );
  }
}

/** The last thing on every picture: a dark fade over the lowest quarter, where numbers are laid. */
export function drawFade(c: Canvas, strength = 0.52): void {
  c.fill(
    c.linear([
      [0.72, night(0)],
      [1, night(strength)],
    ]),
  );
}
