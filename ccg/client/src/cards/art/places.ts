/** Where people stand, by their trait; several places for each, so that a crew does not all share one wall. */

import { type Canvas, cut, d, num, outline, type Point, ring } from "./canvas";
import { hsl } from "./colour";
import type { Random } from "./random";
import { fighter, hull } from "./ships";
import { drawPlanet, drawStars } from "./space";

/** `hue` is the place's, `light` the side the light falls from. */
export type Place = (c: Canvas, random: Random, hue: number, light: 1 | -1) => void;

type Places = readonly [Place, ...Place[]];

/** The wall of light that all places begin with. */
function glowOf(c: Canvas, random: Random, hue: number, light: 1 | -1): void {
  c.fill(
    c.linear(
      [
        [0, hsl(hue, 46, 13)],
        [0.6, hsl(hue + 8, 46, 24)],
        [1, hsl(hue - 12, 44, 10)],
      ],
      [0, 0],
      [0.3, 1],
    ),
  );
  const halo = c.radial([
    [0, hsl(hue, 70, 62, 0.75)],
    [0.5, hsl(hue, 60, 44, 0.28)],
    [1, hsl(hue, 50, 30, 0)],
  ]);
  c.ellipse(160 + light * random.between(40, 80), 80, 170, 130, halo);
}

const lamp = (c: Canvas, x: number, y: number, r: number, hue: number): void =>
  c.circle(
    x,
    y,
    r,
    c.radial([
      [0, "#fffffff2"],
      [0.3, hsl(hue, 90, 82, 0.7)],
      [1, hsl(hue, 80, 60, 0)],
    ]),
  );

// ---- pilots ----

const launchTube: Place = (c, _, hue, light) => {
  const x = 160 + light * 62;
  const y = 96;
  for (let i = 0; i < 9; i++) {
    const k = 14 + i * i * 4.2;
    c.path(
      d`M${x - k} ${y - k * 0.35}L${x - k * 0.6} ${y - k * 0.75}H${x + k * 0.6}L${x + k} ${y - k * 0.35}V${y + k * 0.45}L${x + k * 0.7} ${y + k * 0.7}H${x - k * 0.7}L${x - k} ${y + k * 0.45}z`,
      "none",
      { stroke: hsl(hue, 50, 56, 0.75), width: 1 + i * 0.5 },
    );
  }
  for (const [px, py] of ring(x, y, 1, 6, 1, 0.5)) {
    c.line(x + (px - x) * 12, y + (py - y) * 8, x + (px - x) * 330, y + (py - y) * 220, hsl(hue, 60, 60, 0.3), 1.6);
  }
  lamp(c, x, y, 30, hue);
};

const cockpit: Place = (c, random, hue, light) => {
  drawStars(c, random, 60, 150);
  if (random.chance(0.6)) {
    drawPlanet(c, random, { x: 160 + light * 110, y: 60, r: 44, hue: hue + 40, light: [light > 0 ? 0.25 : 0.75, 0.2] });
  }
  const frame = hsl(hue, 26, 16);
  const edge = hsl(hue, 40, 52);
  for (const side of [-1, 1]) {
    const bar: Point[] = [
      [160 + side * 70, -4],
      [160 + side * 86, -4],
      [160 + side * 152, 150],
      [160 + side * 134, 150],
    ];
    c.polygon(bar, frame, { stroke: edge });
  }
  c.path("M-4 34Q160 2 324 34V22Q160-12-4 22z", frame, { stroke: edge });
  c.polygon([-4, 146, 70, 132, 250, 132, 324, 146, 324, 224, -4, 224], hsl(hue, 26, 11), { stroke: edge });
  for (let i = 0; i < 9; i++) {
    const x = 16 + i * 34;
    c.rect(x, 156 + (i % 2) * 16, 18, 7, hsl(random.pick([hue, 46, 352, 140]), 80, 60, 0.85));
  }
};

const hangar: Place = (c, random, hue, light) => {
  for (let i = 0; i < 6; i++) {
    const k = 1 - i * 0.14;
    c.polygon(
      cut(160 - 190 * k + light * i * 9, 96 - 120 * k, 380 * k, 230 * k, 60 * k),
      i % 2 ? hsl(hue, 34, 15 + i * 3) : hsl(hue, 36, 20 + i * 3),
      { stroke: hsl(hue, 44, 44, 0.7) },
    );
  }
  c.polygon([0, 176, 110, 128, 210, 128, 320, 176, 320, 220, 0, 220], hsl(hue, 30, 12, 0.85));
  const craft = fighter(random, random);
  c.at(160 - light * 96, 138, 0.5, 0, () => craft(c, hull(hue, 10), 200), light);
  c.at(160 + light * 112, 126, 0.34, 0, () => craft(c, hull(hue, 10), 200), light === 1 ? -1 : 1);
  for (let i = 0; i < 4; i++) c.rect(62 + i * 52, 16, 34, 4, hsl(hue, 80, 84, 0.9));
};

// ---- officers ----

const plot: Place = (c, random, hue, light) => {
  const x = 160 + light * 72;
  const y = 100;
  for (let i = 1; i < 8; i++) {
    c.circle(x, y, i * 24, "none", {
      stroke: hsl(hue, 56, 66, 0.5 - i * 0.035),
      width: i % 2 ? 1 : 1.8,
      ...(i % 2 ? { dash: "3 4" } : {}),
    });
  }
  for (const [at, [px, py]] of ring(x, y, 1, 24).entries()) {
    const far = at % 3 ? 95 : 101;
    c.line(x + (px - x) * 90, y + (py - y) * 90, x + (px - x) * far, y + (py - y) * far, hsl(hue, 60, 66), 1.4);
  }
  const sweep = random.angle();
  const arm = (angle: number): Point => [x + 168 * Math.cos(angle), y + 168 * Math.sin(angle)];
  const [ax, ay] = arm(sweep);
  const [bx, by] = arm(sweep + 0.6);
  c.path(d`M${x} ${y}L${ax} ${ay}A168 168 0 0 1 ${bx} ${by}z`, hsl(hue, 70, 66, 0.2));
  for (let i = 0; i < 9; i++) {
    const angle = random.angle();
    const far = random.between(26, 150);
    c.path(
      d`M${x + far * Math.cos(angle)} ${y + far * Math.sin(angle) - 4}l3.5 6h-7z`,
      random.chance(0.3) ? "#ff5a5f" : hsl(hue, 60, 66),
    );
  }
};

const commandDeck: Place = (c, random, hue, light) => {
  for (let i = 0; i < 3; i++) {
    const x = 160 + light * (30 + i * 62) - 40;
    const y = 18 + i * 10;
    c.polygon(cut(x, y, 74, 52, 7), hsl(hue, 40, 12), { stroke: hsl(hue, 50, 56), width: 1.6 });
    drawScreen(c, random, x + 7, y + 7, 60, 38, hue);
  }
  for (let i = 0; i < 2; i++) {
    const x = 160 - light * (74 + i * 70) - 30;
    c.polygon(cut(x, 30 + i * 12, 60, 44, 7), hsl(hue, 40, 12), { stroke: hsl(hue, 50, 50) });
    drawScreen(c, random, x + 6, 36 + i * 12, 48, 32, hue + 150);
  }
  c.polygon([0, 120, 320, 108, 320, 126, 0, 140], hsl(hue, 30, 26));
  c.polygon([0, 140, 320, 126, 320, 220, 0, 220], hsl(hue, 34, 11, 0.9));
  for (let i = 0; i < 22; i++)
    c.rect(4 + i * 15, 150 + random.between(0, 26), 8, 3, hsl(random.pick([46, hue, 352, 140]), 80, 62, 0.8));
};

function drawScreen(c: Canvas, random: Random, x: number, y: number, width: number, height: number, hue: number): void {
  const line = hsl(hue, 70, 66);
  const kind = random.whole(0, 2);
  if (kind === 0) {
    const points = Array.from(
      { length: 9 },
      (_, at): Point => [x + (width * at) / 8, y + height / 2 + random.between(-0.4, 0.4) * height],
    );
    c.polyline(points, line, 1.6);
  } else if (kind === 1) {
    c.circle(x + width / 2, y + height / 2, height * 0.44, "none", { stroke: line });
    c.circle(x + width / 2, y + height / 2, height * 0.22, "none", { stroke: line, dash: "2 3" });
    c.path(d`M${x + width * 0.6} ${y + height * 0.3}l3 5h-6z`, "#ff5a5f");
  } else {
    for (let row = 0; row < 5; row++)
      c.rect(x, y + row * (height / 5), width * random.between(0.3, 1), 3, hsl(hue, 70, 60, 0.8));
  }
}

const starChart: Place = (c, random, hue, light) => {
  const x = 160 + light * 80;
  drawStars(c, random, 50, 150);
  for (let i = 1; i < 6; i++)
    c.ellipse(
      x,
      106,
      i * 38,
      i * 17,
      "none",
      { stroke: hsl(hue, 60, 70, 0.62 - i * 0.08), width: i === 3 ? 2 : 1 },
      -light * 14,
    );
  const stars = Array.from({ length: 7 }, (_, at): Point => [x - 120 + at * 42, 70 + random.between(-44, 60)]);
  c.polyline(stars, hsl(hue, 70, 76, 0.8), 1.4, { dash: "6 4" });
  for (const [px, py] of stars) c.circle(px, py, random.between(2.5, 5), hsl(random.pick([hue, 46]), 80, 80));
  c.circle(x, 106, 17, hsl(42, 90, 76));
  lamp(c, x, 106, 40, 42);
};

// ---- politicians ----

const columns: Place = (c, random, hue, light) => {
  for (let i = 0; i < 9; i++) {
    const x = i * 42 - 20 + random.between(-3, 3);
    c.rect(
      x,
      0,
      26,
      220,
      c.linear(
        [
          [0, hsl(hue, 42, 44, 0.8)],
          [0.3, hsl(hue, 44, 62, 0.85)],
          [1, hsl(hue, 44, 16, 0.9)],
        ],
        [0, 0],
        [1, 0],
      ),
    );
    c.rect(x - 3, 24, 32, 5, hsl(hue, 44, 30));
  }
  drawEmblemSun(c, 160 + light * 64, 62);
  c.rect(0, 150, 320, 80, hsl(hue, 44, 10, 0.55));
};

function drawEmblemSun(c: Canvas, x: number, y: number): void {
  c.circle(x, y, 40, hsl(48, 82, 76, 0.9));
  const rays = ring(x, y, 1, 24).map(([px, py], at) => {
    const far = at % 2 ? 58 : 68;
    return d`M${x + (px - x) * 46} ${y + (py - y) * 46}L${x + (px - x) * far} ${y + (py - y) * far}`;
  });
  c.path(rays.join(""), "none", { stroke: hsl(48, 82, 76, 0.7), width: 2 });
}

const banners: Place = (c, random, hue) => {
  c.rect(0, 0, 320, 26, hsl(hue, 40, 12));
  for (let i = 0; i < 7; i++) {
    const x = 4 + i * 46;
    const shade = hsl(hue + (i % 2 ? 24 : 0), 56, 34 + (i % 3) * 5);
    c.polygon([x, 10, x + 34, 10, x + 34, 118, x + 17, 102, x, 118], shade);
    c.polygon([x, 10, x + 6, 10, x + 6, 113, x, 118], "#00000040");
    c.polygon(ring(x + 17, 52, 10, random.whole(4, 8)), hsl(48, 76, 70, 0.9));
  }
  c.rect(0, 8, 320, 4, hsl(48, 60, 56));
  for (let row = 0; row < 3; row++) {
    const y = 150 + row * 20;
    const heads = Array.from({ length: 15 }, (_, at): Point => [at * 23 + (row % 2) * 11, y]);
    c.dots(heads, 17, hsl(hue, 30, 20 - row * 4));
    c.rect(0, y + 7, 320, 20, hsl(hue, 30, 16 - row * 4));
  }
};

const press: Place = (c, random, hue, light) => {
  for (let i = 0; i < 12; i++) {
    const x = i * 29 - 6;
    c.path(
      d`M${x} 0Q${x + 14} 110 ${x + random.between(-4, 6)} 220H${x + 29}Q${x + 36} 110 ${x + 29} 0z`,
      c.linear(
        [
          [0, hsl(hue, 46, 36)],
          [0.5, hsl(hue, 50, 52)],
          [1, hsl(hue, 50, 20)],
        ],
        [0, 0],
        [1, 0],
      ),
    );
  }
  const flashes: Point[] = [
    [160 + light * 116, 60],
    [160 + light * 92, 128],
    [160 - light * 126, 96],
  ];
  for (const [x, y] of flashes) {
    lamp(c, x, y, random.between(22, 34), 48);
    c.polygon(ring(x, y, 4, 8), "#fff");
  }
};

// ---- civilians ----

const city: Place = (c, random, hue, light) => {
  c.circle(160 + light * 80, 54, 22, hsl(40, 80, 84, 0.9));
  for (let layer = 0; layer < 3; layer++) {
    const lit: Point[] = [];
    for (let i = 0; i < 14; i++) {
      const x = i * 26 - 20 + random.between(-8, 8);
      const high = random.between(40, 120) - layer * 16 + (layer === 0 ? 40 : 0);
      const y = 220 - high - 16 + layer * 12;
      const wide = random.between(16, 26);
      c.rect(x, y, wide, high + 40, hsl(hue, 40, 34 - layer * 9, 0.9));
      if (random.chance(0.25))
        c.line(x + wide / 2, y, x + wide / 2, y - random.between(8, 20), hsl(hue, 40, 34 - layer * 9), 1.4);
      for (let k = 0; k < 5; k++)
        if (random.chance()) lit.push([x + random.between(3, wide - 3), y + random.between(8, high * 0.8)]);
    }
    c.dots(lit, 2.6, hsl(46, 90, 76, 0.85));
  }
};

const hills: Place = (c, random, hue, light) => {
  c.circle(160 + light * 74, 76, 30, hsl(38, 90, 80, 0.92));
  lamp(c, 160 + light * 74, 76, 90, 38);
  for (let layer = 0; layer < 4; layer++) {
    const foot = 118 + layer * 26;
    const points: Point[] = [[-4, 224]];
    for (let i = 0; i <= 8; i++) points.push([i * 42 - 8, foot + random.between(-26, 16) - (i % 2) * 14]);
    points.push([324, 224]);
    c.polygon(points, hsl(hue - layer * 8, 36, 34 - layer * 7));
    if (layer === 2) drawTrees(c, random, foot - 4, hsl(hue - 14, 40, 14));
  }
};

function drawTrees(c: Canvas, random: Random, foot: number, colour: string): void {
  let trees = "";
  for (let i = 0; i < 26; i++) {
    const x = i * 13 - 4 + random.between(-4, 4);
    const high = random.between(16, 40);
    trees += d`M${x} ${foot - high}l6 ${high + 22}h-12z`;
  }
  c.path(trees, colour);
}

const blinds: Place = (c, random, hue, light) => {
  const x = 160 + light * 20;
  c.rect(
    x - 60,
    10,
    170,
    150,
    c.linear([
      [0, hsl(44, 90, 80)],
      [1, hsl(hue, 60, 50)],
    ]),
  );
  for (let i = 0; i < 12; i++) c.rect(x - 62, 12 + i * 13, 174, random.between(5, 8.5), hsl(hue, 34, 18, 0.92));
  c.path(d`M${x - 62} 8h174v154h-174zM${x + 25} 8v154`, "none", { stroke: hsl(hue, 34, 14), width: 6 });
  c.polygon([0, 168, 320, 160, 320, 220, 0, 220], hsl(hue, 36, 12));
  for (let i = 0; i < 5; i++)
    c.rect(160 - light * (92 + i * 12) - 5, 116 - (i % 3) * 6, 9, 52, hsl(hue + i * 30, 40, 36));
};

// ---- enlisted ----

const lockers: Place = (c, random, hue) => {
  for (let i = 0; i < 8; i++) {
    const x = i * 50 - 40;
    c.rect(x, 0, 34, 150, hsl(hue, 32, i % 2 ? 26 : 20), { stroke: hsl(hue, 40, 44, 0.8) });
    c.rect(x + 6, random.between(20, 90), 22, 10, hsl(hue, 60, 58, 0.7));
  }
  hazard(c, 160, 26);
};

function hazard(c: Canvas, y: number, high: number): void {
  const stripes = Array.from({ length: 12 }, (_, at) => {
    const x = at * 34;
    return outline([
      [x - 20, y],
      [x - 2, y],
      [x - 22, y + high],
      [x - 40, y + high],
    ]);
  });
  c.path(stripes.map((stripe) => `${stripe}z`).join(""), hsl(46, 90, 56, 0.9));
  c.rect(0, y - 4, 320, 4, hsl(46, 90, 56, 0.9));
  c.rect(0, y + high, 320, 4, hsl(46, 90, 56, 0.9));
}

const pipes: Place = (c, random, hue, light) => {
  for (let i = 0; i < 7; i++) {
    const x = random.between(-10, 40) + i * 46;
    const wide = random.between(10, 24);
    c.rect(
      x,
      -4,
      wide,
      228,
      c.linear(
        [
          [0, hsl(hue, 30, 20)],
          [0.35, hsl(hue, 40, 54)],
          [1, hsl(hue, 30, 14)],
        ],
        [0, 0],
        [1, 0],
      ),
    );
    const y = random.between(20, 150);
    c.rect(x - 4, y, wide + 8, 10, hsl(hue, 30, 34));
    if (random.chance(0.4))
      c.polygon(ring(x + wide / 2, y + 44, 13, 8), hsl(random.pick([352, 46]), 70, 50), {
        stroke: hsl(hue, 30, 16),
        width: 4,
      });
  }
  for (let i = 0; i < 3; i++) lamp(c, 160 + light * (60 + i * 46), 26 + i * 8, 26, 46);
};

const deck: Place = (c, random, hue, light) => {
  c.polygon([0, 150, 320, 126, 320, 220, 0, 220], hsl(hue, 26, 16));
  for (let i = 0; i < 7; i++) c.line(i * 60 - 40, 220, 140 + i * 22, 134, hsl(46, 80, 56, 0.6), 3, { dash: "16 12" });
  const craft = fighter(random, random);
  c.at(160 + light * 84, 100, 0.86, 0, () => craft(c, hull(36, 10), 200), light === 1 ? -1 : 1);
  c.at(160 - light * 108, 76, 0.4, 0, () => craft(c, hull(210, 12), 200), light);
  for (let i = 0; i < 5; i++) c.rect(16 + i * 62, 8, 44, 5, hsl(48, 90, 84, 0.85));
};

// ---- Cylons ----

const redBand: Place = (c, random, hue) => {
  let rows = "";
  let faint = "";
  for (let i = 0; i < 34; i++) {
    if (i % 5) faint += `M0 ${num(i * 6.6 + 1)}H320`;
    else rows += `M0 ${num(i * 6.6 + 1)}H320`;
  }
  c.path(faint, "none", { stroke: hsl(hue, 80, 50, 0.1), width: 2 });
  c.path(rows, "none", { stroke: hsl(hue, 80, 50, 0.26), width: 2 });
  const y = 82 + random.between(-14, 14);
  c.ellipse(
    160,
    y,
    190,
    16,
    c.radial([
      [0, "#ff3c46f2"],
      [0.4, "#ff283866"],
      [1, "#ff283800"],
    ]),
  );
  c.rect(0, y - 2, 320, 3, "#ff968cd8");
};

const dataStream: Place = (c, random, hue, light) => {
  for (let i = 0; i < 30; i++) {
    const x = random.between(0, 320);
    const y = random.between(-60, 120);
    const long = random.between(40, 130);
    c.rect(
      x,
      y,
      random.pick([2, 3, 5]),
      long,
      c.linear([
        [0, hsl(hue, 80, 50, 0)],
        [1, hsl(hue, 86, 62, random.between(0.3, 0.8))],
      ]),
    );
    c.rect(x, y + long, random.pick([3, 5]), 4, hsl(hue, 90, 84, 0.85));
  }
  lamp(c, 160 + light * 70, 66, 60, hue);
};

const hive: Place = (c, random, hue, light) => {
  for (let row = 0; row < 6; row++) {
    for (let column = 0; column < 9; column++) {
      const x = column * 42 + (row % 2) * 21 - 10;
      const y = row * 37;
      const lit = random.next();
      c.polygon(ring(x, y, 22, 6), hsl(hue, 60, lit > 0.86 ? 46 : 12 + lit * 12), { stroke: hsl(hue, 70, 40, 0.55) });
    }
  }
  lamp(c, 160 + light * 90, 50, 80, hue);
};

const PLACES = {
  pilot: [launchTube, cockpit, hangar],
  officer: [plot, commandDeck, starChart],
  politician: [columns, banners, press],
  civilian: [city, hills, blinds],
  enlisted: [lockers, pipes, deck],
  cylon: [redBand, dataStream, hive],
} satisfies Record<string, Places>;

/** Draw one of the places that belong to `kind`. */
export function drawPlace(c: Canvas, random: Random, kind: keyof typeof PLACES, hue: number, light: 1 | -1): void {
  const places: Places = PLACES[kind];
  const place = random.pick(places);
  glowOf(c, random, hue, light);
  place(c, random, hue, light);
}
