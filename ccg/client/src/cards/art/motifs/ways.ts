/** Motifs of worlds and ways: orbits, routes, heights, cities, steps. */

import { cut, d, num, type Point, ring, star } from "../canvas";
import { drawPlanet } from "../space";
import { flare, type Motif, polar, waypoint } from "./stage";

export const orbit: Motif = (stage) => {
  const { c, random, tone } = stage;
  const x = random.between(110, 210);
  const y = random.between(96, 124);
  const r = random.between(42, 58);
  for (let i = 3; i > 0; i--)
    c.ellipse(x, y, r + i * 30, (r + i * 30) * 0.42, "none", {
      stroke: tone(80, 0.8),
      width: i === 2 ? 2.4 : 1.2,
      ...(i === 3 ? { dash: "5 5" } : {}),
    });
  drawPlanet(c, random, { x, y, r, hue: random.between(0, 360), saturation: 26 });
  const far = r + 60;
  c.path(d`M${x - far} ${y}a${far} ${far * 0.42} 0 0 0 ${2 * far} 0`, "none", { stroke: "#fff", width: 2.4 });
  const shift = random.between(-0.3, 0.3);
  [0.5, 1.4, 2.5].forEach((angle, at) => {
    waypoint(stage, x + far * Math.cos(angle + shift), y + far * 0.42 * Math.sin(angle + shift), at === 0);
  });
};

export const route: Motif = (stage) => {
  const { c, random, tone } = stage;
  let grid = "";
  for (let i = 0; i <= 16; i++) grid += d`M${i * 24 - 20} 230L${160 + (i * 24 - 180) * 0.25} 70`;
  for (let i = 0; i < 8; i++) grid += `M0 ${num(72 + i * i * 3)}H320`;
  c.path(grid, "none", { stroke: tone(70, 0.3) });
  drawPlanet(c, random, {
    x: random.between(210, 290),
    y: random.between(30, 54),
    r: random.between(24, 40),
    hue: random.between(0, 360),
    saturation: 24,
  });
  const points = Array.from(
    { length: 5 },
    (_, at): Point => [40 + at * 60 + random.between(-10, 10), 170 - at * 22 + random.between(-26, 26)],
  );
  c.polyline(points, "#fff", 3, { dash: "9 5" });
  points.forEach(([x, y], at) => {
    c.line(x, y, x, y + 34, tone(80, 0.7), 1.2);
    c.ellipse(x, y + 34, 9, 3, tone(80, 0.4));
    waypoint(stage, x, y, at === 4);
  });
};

export const contour: Motif = (stage) => {
  const { c, random, tone } = stage;
  const x = random.between(120, 200);
  const y = random.between(90, 130);
  const lobes = random.whole(2, 4);
  const phase = random.between(0, 6);
  for (let level = 9; level >= 1; level--) {
    const points = ring(x, y, 1, 30).map(([px, py], at): Point => {
      const angle = (at / 30) * 2 * Math.PI;
      const r =
        level *
        13 *
        (1 + 0.22 * Math.sin(angle * lobes + phase + level * 0.2) + 0.1 * Math.cos(angle * 5 - level * 0.3));
      return [x + (px - x) * r * 1.35, y + (py - y) * r * 0.8];
    });
    c.polygon(points, tone(14 + (9 - level) * 5, 0.65), { stroke: tone(76, 0.9), width: level % 3 ? 1 : 2 });
  }
  waypoint(stage, x, y - 4, true);
  waypoint(stage, x + random.between(46, 90), y + random.between(-50, 50));
  waypoint(stage, x - random.between(50, 90), y + random.between(-40, 40));
};

export const skyline: Motif = (stage) => {
  const { c, random, tone, accent } = stage;
  c.circle(random.between(80, 240), 66, 34, accent, { opacity: 0.92 });
  for (let layer = 0; layer < 3; layer++) {
    const lit: Point[] = [];
    for (let i = 0; i < 15; i++) {
      const high = random.between(40, 130) - layer * 26;
      const x = i * 24 - 10;
      c.rect(x, 220 - high, 21, high, tone(46 - layer * 13), { stroke: tone(70, 0.4) });
      for (let k = 0; k < 6; k++)
        if (random.chance()) lit.push([x + random.between(3, 17), 224 - high + random.between(2, high - 6)]);
    }
    c.dots(lit, 2.8, "#ffd58a");
  }
};

/** A tower that reaches over everything else. */
export const beacon: Motif = (stage) => {
  const { c, random, x, y, tone, accent } = stage;
  for (const r of [30, 56, 84, 116]) c.circle(x, y - 40, r, "none", { stroke: tone(76, 1 - r / 150), width: 3 });
  c.path(d`M${x} ${y - 40}L${x - 40} 224M${x} ${y - 40}L${x + 40} 224`, "none", { stroke: tone(84), width: 5 });
  for (let i = 1; i < 6; i++) {
    const wide = i * 7.4;
    const py = y - 40 + i * 26;
    c.path(d`M${x - wide} ${py}H${x + wide}L${x - wide - 7} ${py + 26}`, "none", { stroke: tone(66), width: 3 });
  }
  c.polygon(star(x, y - 40, 22, 8, random.pick([4, 6, 8])), accent);
  flare(stage, x, y - 40, 50, 0.7);
};

/** Steps up to a light. */
export const stairs: Motif = (stage) => {
  const { c, random, x, tone, accent } = stage;
  const flip = random.side();
  c.at(
    160,
    0,
    1,
    0,
    () => {
      for (let i = 0; i < 7; i++) {
        const px = -150 + i * 38;
        const py = 196 - i * 22;
        c.polygon([px, py, px + 44, py, px + 44, 224, px, 224], tone(18 + i * 6));
        c.rect(px, py, 44, 5, tone(62 + i * 4));
      }
      c.circle(126, 34, 17, accent);
      flare({ ...stage, x }, 126, 34, 60, 0.7);
    },
    flip,
  );
};

/** One square, and everything that is outside it. */
export const box: Motif = (stage) => {
  const { c, random, x, y, tone, accent } = stage;
  c.polygon(cut(x - 56, y - 56, 112, 112, 16), tone(26), { stroke: tone(84), width: 5, dash: "70 12" });
  const way = random.pick([-40, -8, 30]);
  c.path(d`M${x - 30} ${y + 26}C${x} ${y - 20} ${x + 60} ${y + 30} ${x + 112} ${y + way}`, "none", {
    stroke: accent,
    width: 4,
    dash: "12 7",
  });
  c.circle(x - 30, y + 26, 8, tone(88));
  waypoint(stage, x + 116, y + way, true);
  for (let i = 0; i < 8; i++) {
    const [px, py] = polar(stage, random.angle(), random.between(96, 150));
    c.polygon(ring(px, py, random.between(4, 9), 4), tone(60, 0.7));
  }
};
