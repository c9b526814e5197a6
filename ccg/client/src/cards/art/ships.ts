/**
 * Ships, drawn about their middle with the nose towards +x and the light from above. Each plane of a hull is
 * in one of six greys; a bright upper edge and engine cones fading backwards are all the glow there is.
 */

import { type Canvas, num, type Point } from "./canvas";
import { hsl } from "./colour";
import type { Random } from "./random";

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

const GLASS = "#0a1420";
const GLASS_LIT = hsl(200, 80, 78, 0.9);
const SLIT = "#ff2a3c";

function trail(c: Canvas, x: number, y: number, length: number, width: number, hue: number): void {
  const fade = c.linear(
    [
      [0, hsl(hue, 95, 60, 0)],
      [0.7, hsl(hue, 95, 66, 0.55)],
      [1, hsl(hue, 100, 90, 0.95)],
    ],
    [0, 0],
    [1, 0],
  );
  c.polygon(
    [
      [x, y - width],
      [x - length, y],
      [x, y + width],
    ],
    fade,
  );
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

const mirror = (points: readonly Point[]): Point[] => points.map(([x, y]): Point => [x, -y]);

// ---- small craft ----

/** A swept dart with a split tail; sweep, span, markings and number of stripes differ from craft to craft. */
export function fighter(shape: Random, paint: Random): Ship {
  const sweep = shape.between(-8, 22);
  const span = shape.between(-6, 14);
  const tail = shape.between(60, 120);
  const colour = paint.pick(["#e2574c", "#f0b63f", "#4ea3f2", "#e9edf0", "#59c08f", "#f08a3a", "#b98cf0"]);
  const markings = paint.whole(0, 3);
  return (c, h, engine) => {
    for (const [at, y] of [-9, 0, 9].entries()) trail(c, -62, y, at === 1 ? tail * 1.2 : tail, 5.4, engine);
    const far = -30 - span * 0.35;
    c.polygon(
      [
        [-58, -9],
        [-6, -12],
        [-42 - sweep * 0.4, far],
        [-74 - sweep * 0.3, far - 2],
      ],
      h.shade,
    );
    c.polygon(
      [
        [-58, -9],
        [-6, -12],
        [-10, -15],
        [-62, -13],
      ],
      h.middle,
    );
    c.polygon(
      [
        [-66, -12],
        [-40, -13],
        [-66, -40],
        [-78, -38],
      ],
      h.dark,
    );
    c.polygon(
      [
        [-66, -12],
        [-60, -12.4],
        [-75, -38.4],
        [-78, -38],
      ],
      h.middle,
    );
    c.polygon(
      [
        [-64, -13],
        [18, -15],
        [62, -8],
        [104, 1],
        [62, 9],
        [10, 13],
        [-64, 13],
      ],
      h.middle,
    );
    c.polygon(
      [
        [-64, -13],
        [18, -15],
        [62, -8],
        [104, 1],
        [-64, -2],
      ],
      h.light,
    );
    c.polygon(
      [
        [-64, -13],
        [18, -15],
        [62, -8],
        [104, 1],
        [60, -5.5],
        [16, -12],
        [-64, -10],
      ],
      h.edge,
    );
    c.polygon(
      [
        [62, -8],
        [104, 1],
        [62, 9],
      ],
      colour,
    );
    c.polygon(
      [
        [66, -4],
        [104, 1],
        [66, 0],
      ],
      "#ffffff66",
    );
    c.polygon(
      [
        [14, -14.5],
        [30, -19],
        [46, -16],
        [58, -9],
        [24, -8],
      ],
      GLASS,
    );
    c.polygon(
      [
        [20, -14],
        [31, -17.5],
        [42, -15.5],
        [26, -11],
      ],
      GLASS_LIT,
    );
    const tip: Point = [-40 - sweep, 40 + span];
    c.polygon([[-44, 4], [22, 6], tip, [-84 - sweep * 0.6, 46 + span]], h.light);
    c.polygon(
      [
        [-44, 4],
        [-84 - sweep * 0.6, 46 + span],
        [-74 - sweep * 0.5, 46 + span],
        [-26, 5],
      ],
      h.shade,
    );
    c.polygon([[-2, 6], [22, 6], tip, [-50 - sweep, 41 + span]], h.edge, { opacity: 0.5 });
    c.line(-58 - sweep * 0.8, 44 + span, -18 - sweep * 0.5, 44 + span, h.edge, 2.2);
    c.polygon(
      [
        [-72, -8],
        [-60, -13],
        [-60, 14],
        [-72, 10],
      ],
      h.deep,
    );
    drawMarkings(c, markings, colour, sweep, span);
    c.path("M-10-9v18M40-6v14M-50-10v20", "none", { stroke: h.shade, width: 0.8 });
  };
}

function drawMarkings(c: Canvas, kind: number, colour: string, sweep: number, span: number): void {
  if (kind === 0 || kind === 3) {
    c.rect(-38, -11, 7, 20, colour);
    c.rect(-28, -11, 2.5, 20, colour);
  }
  if (kind === 1 || kind === 3) {
    c.polygon(
      [
        [-28, 13 + span * 0.3],
        [-6, 13 + span * 0.22],
        [-36 - sweep * 0.6, 27 + span * 0.66],
        [-54 - sweep * 0.5, 29 + span * 0.68],
      ],
      colour,
    );
  }
  if (kind === 2) {
    c.polygon(
      [
        [-64, -1],
        [48, -1],
        [58, 3],
        [-64, 4],
      ],
      colour,
    );
    c.polygon(
      [
        [-66, -20],
        [-54, -20],
        [-64, -36],
        [-73, -36],
      ],
      colour,
    );
  }
}

/** Two sickles bent forward about a core with a slit of light. */
export function raider(shape: Random): Ship {
  const bend = shape.between(-8, 8);
  const tail = shape.between(50, 110);
  const slim = shape.between(-4, 5);
  return (c, h, engine) => {
    trail(c, -40, -4, tail * 0.9, 5, engine);
    trail(c, -40, 6, tail * 0.9, 5, engine);
    const near = 98 + bend;
    const far = 84 + bend;
    c.path(`M-46-6C-40-44 10-64 ${num(far)}-58C30-48 4-30 6-4z`, h.shade);
    c.path(`M-46-6C-40-44 10-64 ${num(far)}-58C20-56-24-38-34-8z`, h.middle);
    c.path(`M-46 6C-42 52 14 76 ${num(near)} 66C36 58 6 36 8 6z`, h.middle);
    c.path(`M-46 6C-42 52 14 76 ${num(near)} 66C22 70-24 46-34 8z`, h.light);
    c.path("M-28 14C-18 44 24 62 70 62", "none", { stroke: h.edge, width: 1.4, opacity: 0.7 });
    const core: Point[] = [
      [-50, -12],
      [-10, -20 - slim],
      [26, -12],
      [50, 0],
      [26, 13],
      [-10, 20 + slim],
      [-50, 14],
    ];
    c.polygon(core, h.middle);
    c.polygon([...core.slice(0, 4), [-50, -1]], h.light);
    c.polygon(
      [
        [-50, -12],
        [-10, -20 - slim],
        [26, -12],
        [50, 0],
        [24, -9],
        [-10, -16 - slim],
      ],
      h.edge,
    );
    c.polygon(
      [
        [8, -7],
        [38, -3],
        [44, 1],
        [8, 2],
      ],
      "#12040a",
    );
    c.polygon(
      [
        [10, -5],
        [36, -2],
        [10, 0],
      ],
      SLIT,
    );
    glow(c, 24, -2, 11);
  };
}

function glow(c: Canvas, x: number, y: number, r: number): void {
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

/** A blunt wedge with a side pod, aerials and cabin lights. */
export function scout(shape: Random, paint: Random): Ship {
  const tail = shape.between(36, 72);
  const colour = paint.pick(["#e2574c", "#f0b63f", "#4ea3f2", "#e9edf0", "#59c08f", "#f08a3a"]);
  const dish = paint.chance();
  const pod = paint.chance(0.6);
  const bands = paint.whole(1, 3);
  const aerial = paint.between(-6, 12);
  return (c, h, engine) => {
    trail(c, -70, -10, tail, 6.5, engine);
    trail(c, -70, 14, tail, 6.5, engine);
    c.polygon(
      [
        [-60, -30],
        [0, -38],
        [-4, -28],
        [-62, -20],
      ],
      h.shade,
    );
    c.polygon(
      [
        [-72, -22],
        [-20, -32],
        [34, -28],
        [72, -4],
        [80, 12],
        [60, 26],
        [-30, 32],
        [-72, 22],
      ],
      h.middle,
    );
    c.polygon(
      [
        [-72, -22],
        [-20, -32],
        [34, -28],
        [72, -4],
        [20, -4],
        [-72, -2],
      ],
      h.light,
    );
    c.polygon(
      [
        [-72, -22],
        [-20, -32],
        [34, -28],
        [40, -24],
        [-18, -27],
        [-72, -18],
      ],
      h.edge,
    );
    c.polygon(
      [
        [34, -25],
        [68, -5],
        [42, -4],
        [24, -8],
      ],
      "#08131f",
    );
    c.polygon(
      [
        [38, -22],
        [56, -11],
        [40, -9],
        [32, -12],
      ],
      hsl(195, 85, 76, 0.9),
    );
    c.polygon(
      [
        [59, -9],
        [66, -5],
        [48, -5],
      ],
      hsl(195, 85, 70, 0.7),
    );
    if (pod) {
      c.polygon(
        [
          [-66, 16],
          [18, 18],
          [8, 40],
          [-70, 36],
        ],
        h.shade,
      );
      c.polygon(
        [
          [-66, 16],
          [18, 18],
          [15, 24],
          [-66, 22],
        ],
        h.light,
      );
      c.polygon(
        [
          [18, 18],
          [34, 24],
          [8, 40],
        ],
        h.dark,
      );
    } else {
      c.polygon(
        [
          [-58, 24],
          [-6, 26],
          [14, 34],
          [-2, 42],
          [-62, 38],
        ],
        h.shade,
      );
      c.polygon(
        [
          [-58, 24],
          [-6, 26],
          [14, 34],
          [-58, 29],
        ],
        h.light,
      );
    }
    c.rect(-78, 14, 10, 20, h.deep);
    c.polygon(
      [
        [-76, -24],
        [-64, -25],
        [-64, 0],
        [-76, 0],
      ],
      h.deep,
    );
    for (let i = 0; i < bands; i++) c.rect(-46 + i * 14, -20, i === 0 ? 10 : 4, 16, colour);
    c.path(`M-10-32L${num(-18 + aerial)} -60M0-32L${num(2 + aerial)} -52`, "none", { stroke: h.middle, width: 1.5 });
    c.circle(-18 + aerial, -61, 2, colour);
    if (dish) c.path("M-54-30q11-18 26-3z", h.edge);
    c.path("M-8 4.5h5M1 4.5h5M10 4.5h5M19 4.5h5M28 4.5h5", "none", { stroke: hsl(45, 95, 76), width: 3 });
    c.path("M-60 9L70 10M-30-22v24", "none", { stroke: h.shade, width: 1 });
  };
}

/** A wide claw with a slit of light: the scouts of the Cylons. */
export function heavyRaider(shape: Random): Ship {
  const spread = shape.between(-6, 8);
  const tail = shape.between(40, 80);
  return (c, h, engine) => {
    trail(c, -66, 0, tail, 9, engine);
    const upper: Point[] = [
      [-66, -20],
      [-30, -46 - spread],
      [66, -40 - spread],
    ];
    c.polygon([...upper, [20, -22], [4, -8]], h.shade);
    c.polygon([...upper, [-24, -38 - spread]], h.light);
    const lower: Point[] = [
      [-70, 18],
      [-34, 52 + spread],
      [78, 50 + spread],
    ];
    c.polygon([...lower, [24, 26], [4, 8]], h.middle);
    c.polygon([...lower, [-20, 42 + spread]], h.light);
    c.polygon(
      [
        [-74, -20],
        [10, -24],
        [60, -8],
        [66, 2],
        [56, 12],
        [6, 24],
        [-74, 20],
      ],
      h.middle,
    );
    c.polygon(
      [
        [-74, -20],
        [10, -24],
        [60, -8],
        [66, 2],
        [-74, 0],
      ],
      h.light,
    );
    c.polygon(
      [
        [-74, -20],
        [10, -24],
        [60, -8],
        [8, -19],
        [-74, -15],
      ],
      h.edge,
    );
    c.polygon(
      [
        [14, -8],
        [58, -3],
        [60, 2],
        [14, 3],
      ],
      "#12040a",
    );
    c.polygon(
      [
        [18, -5],
        [54, -2],
        [18, 1],
      ],
      SLIT,
    );
    glow(c, 34, -2, 14);
    c.path("M-60-18v36M-47-18v36M-34-18v36M-21-18v36M-8-18v36", "none", { stroke: h.dark, width: 2 });
  };
}

/** A stubby craft for people: box cabin, round nose, two pods. */
export function shuttle(shape: Random, paint: Random): Ship {
  const tail = shape.between(40, 70);
  const fin = shape.between(0, 16);
  const colour = paint.pick(["#e2574c", "#f0b63f", "#4ea3f2", "#59c08f"]);
  return (c, h, engine) => {
    trail(c, -78, -4, tail, 7, engine);
    trail(c, -78, 12, tail, 7, engine);
    c.polygon(
      [
        [-70, -24],
        [-44, -26],
        [-58, -52 - fin],
        [-76, -50 - fin],
      ],
      h.shade,
    );
    c.polygon(
      [
        [-70, -24],
        [-60, -25],
        [-70, -50 - fin],
        [-76, -50 - fin],
      ],
      h.edge,
    );
    c.polygon(
      [
        [-78, -22],
        [30, -26],
        [66, -16],
        [84, 4],
        [76, 20],
        [40, 28],
        [-78, 26],
      ],
      h.middle,
    );
    c.polygon(
      [
        [-78, -22],
        [30, -26],
        [66, -16],
        [84, 4],
        [-78, 0],
      ],
      h.light,
    );
    c.polygon(
      [
        [-78, -22],
        [30, -26],
        [66, -16],
        [28, -21],
        [-78, -17],
      ],
      h.edge,
    );
    c.polygon(
      [
        [40, -20],
        [64, -13],
        [78, 1],
        [52, 0],
        [36, -8],
      ],
      "#08131f",
    );
    c.polygon(
      [
        [44, -16],
        [62, -11],
        [70, -4],
        [46, -6],
      ],
      hsl(195, 85, 76, 0.9),
    );
    c.polygon(
      [
        [-70, 20],
        [14, 24],
        [26, 32],
        [14, 40],
        [-70, 40],
      ],
      h.shade,
    );
    c.polygon(
      [
        [-70, 20],
        [14, 24],
        [26, 32],
        [-70, 27],
      ],
      h.light,
    );
    c.rect(-86, 22, 16, 16, h.deep);
    c.polygon(
      [
        [-86, -12],
        [-76, -14],
        [-76, 20],
        [-86, 18],
      ],
      h.deep,
    );
    c.rect(-60, 4, 90, 5, colour);
    c.path("M-52-8h6M-38-8h6M-24-8h6M-10-8h6M4-8h6M18-8h6", "none", { stroke: hsl(46, 95, 78), width: 5 });
    c.path("M-30-24v50M32-24v46", "none", { stroke: h.shade, width: 1 });
  };
}

// ---- large ships ----

export type Module = "box" | "sphere" | "cylinder" | "dome" | "ring" | "tank" | "truss";

interface Part {
  kind: Module;
  half: number;
}

export interface TransportPlan {
  parts: Part[];
  colour: string;
  /** Hue of the glass of domes. */
  glass: number;
  tail: number;
}

/** Draw lots for a transport made of `modules`. */
export function planTransport(
  random: Random,
  modules: readonly [Module, ...Module[]],
  least = 3,
  most = 5,
): TransportPlan {
  const parts = Array.from({ length: random.whole(least, most) }, () => ({
    kind: random.pick(modules),
    half: random.between(14, 26),
  }));
  return {
    parts,
    colour: random.pick(["#e2574c", "#f0b63f", "#4ea3f2", "#e9edf0", "#59c08f", "#f08a3a"]),
    glass: random.pick([160, 195, 45, 285]),
    tail: random.between(24, 48),
  };
}

/** Engine block, a spine with modules, and a bow. */
export function transport(plan: TransportPlan, detail: Random): Ship {
  return (c, h, engine) => {
    const start = -84;
    const step = 116 / plan.parts.length;
    trail(c, start - 6, -6, plan.tail, 5, engine);
    trail(c, start - 6, 8, plan.tail, 5, engine);
    c.rect(start, -4, 168, 9, h.dark);
    c.rect(start, -4, 168, 3, h.middle);
    c.polygon(
      [
        [start - 10, -16],
        [start + 14, -20],
        [start + 14, 22],
        [start - 10, 18],
      ],
      h.shade,
    );
    c.polygon(
      [
        [start - 10, -16],
        [start + 14, -20],
        [start + 14, -8],
        [start - 10, -7],
      ],
      h.light,
    );
    c.path(`M${start - 11.5} -12v8M${start - 11.5} 5v8`, "none", { stroke: h.deep, width: 5 });
    plan.parts.forEach((part, at) => {
      MODULES[part.kind](c, { x: start + 20 + at * step, width: step - 4, half: part.half, hull: h, plan, detail });
    });
    drawBow(c, h, start + 136, plan, detail);
  };
}

function drawBow(c: Canvas, h: Hull, x: number, plan: TransportPlan, detail: Random): void {
  c.polygon(
    [
      [x - 2, -18],
      [x + 22, -14],
      [x + 40, -2],
      [x + 40, 5],
      [x + 20, 15],
      [x - 2, 17],
    ],
    h.shade,
  );
  c.polygon(
    [
      [x - 2, -18],
      [x + 22, -14],
      [x + 40, -2],
      [x - 2, -1],
    ],
    h.light,
  );
  c.polygon(
    [
      [x - 2, -18],
      [x + 22, -14],
      [x + 40, -2],
      [x + 20, -10],
      [x - 2, -14],
    ],
    h.edge,
  );
  c.polygon(
    [
      [x + 20, -9],
      [x + 34, -2],
      [x + 18, -3],
    ],
    hsl(195, 85, 72),
  );
  c.rect(x + 4, -12, 4, 22, plan.colour);
  windows(c, detail, x + 10, 3, 20, 7, 0.6);
}

interface ModulePlace {
  x: number;
  width: number;
  half: number;
  hull: Hull;
  plan: TransportPlan;
  detail: Random;
}

const MODULES: Record<Module, (c: Canvas, place: ModulePlace) => void> = {
  box(c, { x, width, half, hull: h, detail }) {
    c.rect(x, -half, width, half * 2, h.shade);
    c.rect(x, -half, width, half * 0.75, h.middle);
    c.rect(x, -half, width, 3, h.edge);
    c.line(x + width / 2, -half, x + width / 2, half, h.dark, 1);
    windows(c, detail, x + 2, -half * 0.1 + 1, width - 3, half * 0.8, 0.55);
  },
  sphere(c, { x, width, half, hull: h, detail }) {
    const r = Math.max(half, width * 0.5);
    const middle = x + width / 2;
    const light = c.radial(
      [
        [0, h.edge],
        [0.4, h.light],
        [1, h.dark],
      ],
      { cx: 0.35, cy: 0.22, r: 0.8 },
    );
    c.circle(middle, 0, r, light);
    c.ellipse(middle, 0, r, r * 0.22, "none", { stroke: h.dark, width: 1.2 });
    windows(c, detail, middle - r * 0.6, r * 0.1 + 1, r * 1.2, 6, 0.5);
  },
  cylinder(c, { x, width, half, hull: h }) {
    const round = c.linear([
      [0, h.middle],
      [0.22, h.edge],
      [0.5, h.middle],
      [1, h.deep],
    ]);
    c.polygon(
      [
        [x + 3, -half],
        [x + width - 3, -half],
        [x + width, -half + 4],
        [x + width, half - 4],
        [x + width - 3, half],
        [x + 3, half],
        [x, half - 4],
        [x, -half + 4],
      ],
      round,
    );
    c.path(
      `M${num(x + width * 0.3)} ${num(-half)}v${num(half * 2)}M${num(x + width * 0.7)} ${num(-half)}v${num(half * 2)}`,
      "none",
      { stroke: h.dark },
    );
  },
  dome(c, { x, width, half, hull: h, plan, detail }) {
    const r = width * 0.62;
    const middle = x + width / 2;
    const glass = c.linear([
      [0, hsl(plan.glass, 70, 86)],
      [0.5, hsl(plan.glass, 60, 58)],
      [1, hsl(plan.glass, 50, 26)],
    ]);
    c.path(`M${num(middle - r)} -2a${num(r)} ${num(r * 1.05)} 0 0 1 ${num(r * 2)} 0z`, glass, {
      stroke: h.edge,
      width: 0.8,
    });
    c.path(
      `M${num(middle)} -2v${num(-r)}M${num(middle - r * 0.5)} -2q${num(r * 0.1)} ${num(-r * 0.7)} ${num(r * 0.5)} ${num(-r)}M${num(middle + r * 0.5)} -2q${num(-r * 0.1)} ${num(-r * 0.7)} ${num(-r * 0.5)} ${num(-r)}`,
      "none",
      { stroke: "#ffffff55", width: 0.8 },
    );
    c.polygon(
      [
        [x, -2],
        [x + width, -2],
        [x + width - 5, half],
        [x + 5, half],
      ],
      h.shade,
    );
    c.rect(x, -2, width, 3, h.light);
    windows(c, detail, x + 6, 4, width - 12, half - 7, 0.7);
  },
  ring(c, { x, width, half, hull: h }) {
    const middle = x + width / 2;
    c.ellipse(middle, 0, width * 0.34, half * 1.35, "none", { stroke: h.middle, width: 7 });
    c.ellipse(middle - 1.5, 0, width * 0.34, half * 1.35, "none", { stroke: h.edge, width: 1.6 });
    c.line(middle, -half * 1.3, middle, half * 1.3, h.shade, 2);
  },
  tank(c, { x, width, half, hull: h, plan }) {
    for (const y of [-half * 0.62, half * 0.62]) {
      const light = c.radial(
        [
          [0, h.edge],
          [0.45, h.middle],
          [1, h.deep],
        ],
        { cx: 0.4, cy: 0.2, r: 0.8 },
      );
      c.ellipse(x + width / 2, y, width * 0.54, half * 0.66, light);
    }
    c.rect(x + width * 0.4, -half * 1.1, width * 0.2, half * 2.2, plan.colour, { opacity: 0.75 });
  },
  truss(c, { x, width, half, hull: h, plan }) {
    const w = width;
    c.path(
      `M${num(x)} ${num(-half * 0.7)}h${num(w)}M${num(x)} ${num(half * 0.7)}h${num(w)}M${num(x)} ${num(-half * 0.7)}L${num(x + w / 2)} ${num(half * 0.7)}L${num(x + w)} ${num(-half * 0.7)}`,
      "none",
      { stroke: h.light, width: 2 },
    );
    c.rect(x + w * 0.2, -half * 0.35, w * 0.6, half * 0.7, plan.colour);
    c.rect(x + w * 0.2, -half * 0.35, w * 0.6, 2.5, "#ffffff66");
  },
};

/** A smooth long hull with rows of windows: liners and ships of state. */
export function liner(shape: Random, detail: Random): Ship {
  const deck = shape.between(6, 16);
  const fins = shape.chance();
  const dome = shape.chance(0.5);
  const glass = shape.pick([160, 195, 45]);
  const colour = shape.pick(["#4ea3f2", "#e2574c", "#f0b63f", "#59c08f"]);
  const tail = shape.between(40, 66);
  return (c, h, engine) => {
    trail(c, -100, -8, tail, 6, engine);
    trail(c, -100, 8, tail, 6, engine);
    if (fins) {
      c.polygon(
        [
          [-92, -14],
          [-58, -18],
          [-80, -52],
          [-102, -50],
        ],
        h.shade,
      );
      c.polygon(
        [
          [-92, -14],
          [-84, -15],
          [-96, -50],
          [-102, -50],
        ],
        h.edge,
      );
    }
    c.polygon(
      [
        [-60, -18],
        [50, -18],
        [38, -18 - deck],
        [-46, -18 - deck],
      ],
      h.middle,
    );
    c.polygon(
      [
        [-46, -18 - deck],
        [38, -18 - deck],
        [42, -15 - deck],
        [-49, -15 - deck],
      ],
      h.edge,
    );
    windows(c, detail, -42, -14 - deck, 80, deck - 3, 0.7);
    if (dome) {
      const light = c.linear([
        [0, hsl(glass, 70, 86)],
        [1, hsl(glass, 55, 34)],
      ]);
      c.path(`M-24 ${num(-18 - deck)}a24 20 0 0 1 48 0z`, light, { stroke: h.edge, width: 0.8 });
    }
    const body: Point[] = [
      [-100, -16],
      [-60, -21],
      [60, -20],
      [104, -8],
      [122, 3],
      [104, 12],
      [60, 22],
      [-60, 22],
      [-100, 18],
    ];
    c.polygon(body, h.middle);
    c.polygon(
      [
        [-100, -16],
        [-60, -21],
        [60, -20],
        [104, -8],
        [122, 3],
        [-100, 0],
      ],
      h.light,
    );
    c.polygon(
      [
        [-100, -16],
        [-60, -21],
        [60, -20],
        [104, -8],
        [58, -15],
        [-60, -16],
        [-100, -12],
      ],
      h.edge,
    );
    c.polygon(
      [
        [-100, 2],
        [110, 3],
        [102, 7],
        [-100, 6],
      ],
      colour,
    );
    c.polygon(
      [
        [-100, 18],
        [-60, 22],
        [60, 22],
        [104, 12],
        [58, 17],
        [-60, 17],
      ],
      h.shade,
    );
    c.polygon(
      [
        [84, -9],
        [104, -5],
        [112, 0],
        [88, -2],
      ],
      hsl(195, 85, 72),
    );
    windows(c, detail, -86, -9, 160, 7, 0.66);
    windows(c, detail, -80, 11, 150, 4, 0.5);
    c.polygon(
      [
        [-108, -12],
        [-98, -16],
        [-98, 18],
        [-108, 14],
      ],
      h.deep,
    );
    c.polygon(
      [
        [-40, 22],
        [24, 22],
        [16, 32],
        [-34, 32],
      ],
      h.dark,
    );
    c.rect(-34, 30, 50, 2, h.light, { opacity: 0.5 });
  };
}

/** A long ribbed hull between two pods: ships of the line. */
export function capital(shape: Random, detail: Random, colour = "#f0b63f"): Ship {
  const ribs = shape.whole(11, 16);
  const bow = shape.between(-4, 6);
  const tail = shape.between(44, 84);
  return (c, h, engine) => {
    for (const y of [-16, -5, 6, 17]) trail(c, -104, y, tail, 5, engine);
    c.polygon(
      [
        [-70, -26],
        [40, -34],
        [58, -28],
        [40, -22],
        [-70, -18],
      ],
      h.shade,
    );
    c.polygon(
      [
        [-70, -26],
        [40, -34],
        [58, -28],
        [-70, -23],
      ],
      h.light,
    );
    c.polygon(
      [
        [-106, -20],
        [-84, -24],
        [-84, 26],
        [-106, 22],
      ],
      h.dark,
    );
    const top: Point[] = [
      [-84, -22],
      [30, -17],
      [76, -20 - bow],
      [120, -6],
      [126, 4],
    ];
    c.polygon([...top, [108, 14], [70, 20 + bow], [30, 16], [-84, 24]], h.middle);
    c.polygon([...top, [-84, 0]], h.light);
    c.polygon(
      [
        [-84, -22],
        [30, -17],
        [76, -20 - bow],
        [120, -6],
        [76, -15 - bow],
        [30, -12],
        [-84, -17],
      ],
      h.edge,
    );
    let fine = "";
    let thick = "";
    for (let i = 0; i < ribs; i++) {
      const x = -78 + (i * 106) / ribs;
      const mark = `M${num(x)} ${num(-20 + i * 0.3)}L${num(x + 2)} ${num(19 - i * 0.2)}`;
      if (i % 3 === 0) thick += mark;
      else fine += mark;
    }
    c.path(fine, "none", { stroke: h.shade, width: 1.6 });
    c.path(thick, "none", { stroke: h.dark, width: 1.8 });
    c.polygon(
      [
        [76, -16 - bow],
        [112, -5],
        [78, -3],
      ],
      h.middle,
    );
    windows(c, detail, 40, 3, 66, 9, 0.42);
    windows(c, detail, -76, 7, 100, 8, 0.25);
    c.polygon(
      [
        [-64, 28],
        [60, 30],
        [78, 38],
        [60, 46],
        [-64, 44],
      ],
      h.shade,
    );
    c.polygon(
      [
        [-64, 28],
        [60, 30],
        [78, 38],
        [-64, 35],
      ],
      h.light,
    );
    c.polygon(
      [
        [-64, 28],
        [60, 30],
        [78, 38],
        [60, 32],
        [-64, 30.5],
      ],
      h.edge,
    );
    windows(c, detail, -56, 39, 110, 4, 0.5);
    c.polygon(
      [
        [58, 33],
        [76, 38],
        [58, 43],
      ],
      hsl(200, 70, 62, 0.8),
    );
    c.path("M-45 18v14M5 16v16M40 16v16", "none", { stroke: h.dark, width: 9 });
    c.rect(-20, -11, 5, 26, colour);
  };
}

/** A flat deck on a deep keel, with an open mouth: a carrier of small craft. */
export function carrier(shape: Random, detail: Random, colour = "#f0b63f"): Ship {
  const tower = shape.between(-40, 10);
  const tail = shape.between(44, 84);
  return (c, h, engine) => {
    for (const y of [-4, 8, 20]) trail(c, -106, y, tail, 6, engine);
    c.polygon(
      [
        [tower, -22],
        [tower + 34, -22],
        [tower + 28, -46],
        [tower + 8, -46],
      ],
      h.shade,
    );
    c.polygon(
      [
        [tower, -22],
        [tower + 14, -22],
        [tower + 16, -46],
        [tower + 8, -46],
      ],
      h.light,
    );
    windows(c, detail, tower + 12, -40, 14, 12, 0.7);
    c.line(tower + 18, -46, tower + 18, -64, h.middle, 1.6);
    c.polygon(
      [
        [-112, -22],
        [120, -22],
        [132, -14],
        [120, -8],
        [-112, -8],
      ],
      h.light,
    );
    c.polygon(
      [
        [-112, -22],
        [120, -22],
        [132, -14],
        [-112, -18],
      ],
      h.edge,
    );
    c.path("M-100-14h26M-62-14h26M-24-14h26M14-14h26M52-14h26M90-14h22", "none", { stroke: colour, width: 2 });
    c.polygon(
      [
        [-112, -8],
        [122, -8],
        [96, 26],
        [40, 36],
        [-112, 30],
      ],
      h.middle,
    );
    c.polygon(
      [
        [-112, 12],
        [108, 10],
        [96, 26],
        [40, 36],
        [-112, 30],
      ],
      h.shade,
    );
    c.polygon(
      [
        [58, -4],
        [112, -4],
        [102, 8],
        [58, 8],
      ],
      "#0a1420",
    );
    c.polygon(
      [
        [62, -1],
        [106, -1],
        [100, 5],
        [62, 5],
      ],
      hsl(200, 70, 62, 0.7),
    );
    windows(c, detail, -96, -2, 140, 9, 0.3);
    windows(c, detail, -90, 16, 120, 8, 0.25);
    c.polygon(
      [
        [-118, -18],
        [-108, -22],
        [-108, 30],
        [-118, 26],
      ],
      h.deep,
    );
  };
}

/** Two stacked three-armed plates with a red waist. */
export function baseStar(shape: Random): Ship {
  const lean = shape.between(-10, 14);
  const reach = shape.between(-10, 12);
  return (c, h) => {
    drawPlate(c, h, -26, -1, lean, reach);
    c.polygon(
      [
        [-14, -28],
        [14, -28],
        [20, 0],
        [14, 30],
        [-14, 30],
        [-20, 0],
      ],
      h.shade,
    );
    c.polygon(
      [
        [-14, -28],
        [2, -28],
        [2, 30],
        [-14, 30],
        [-20, 0],
      ],
      h.light,
    );
    c.rect(-22, -3, 44, 5, "#18040a");
    c.rect(-16, -2, 32, 3, SLIT);
    c.circle(
      0,
      0,
      28,
      c.radial([
        [0, "#ff3242b3"],
        [1, "#ff283c00"],
      ]),
    );
    drawPlate(c, h, 26, 1, lean, reach);
  };
}

function drawPlate(c: Canvas, h: Hull, y: number, side: 1 | -1, lean: number, reach: number): void {
  const arms: Point[] = [
    [118 + reach, 0.02],
    [-104 - reach, 0.16],
    [18 + lean, 0.95],
    [-26 - lean, -0.72],
  ];
  arms.forEach(([x, lift], at) => {
    const tip = y + lift * 36 * side;
    const out = x > 0 ? 10 : -10;
    c.polygon(
      [
        [-24, y - 6],
        [24, y - 6],
        [x + out, tip - 4],
        [x, tip + 5],
        [16, y + 8],
        [-16, y + 8],
      ],
      at % 2 ? h.shade : h.middle,
    );
    c.polygon(
      [
        [-24, y - 6],
        [24, y - 6],
        [x + out, tip - 4],
        [x, tip - 2],
        [0, y - 3],
      ],
      at % 2 ? h.middle : h.edge,
    );
  });
}

/** A station: a tall spine of discs with docking arms. */
export function station(shape: Random, detail: Random): Ship {
  const discs = shape.whole(3, 5);
  const arms = shape.whole(2, 3);
  return (c, h) => {
    c.polygon(
      [
        [-7, -92],
        [7, -92],
        [10, 92],
        [-10, 92],
      ],
      h.shade,
    );
    c.polygon(
      [
        [-7, -92],
        [0, -92],
        [0, 92],
        [-10, 92],
      ],
      h.light,
    );
    for (let i = 0; i < arms; i++) {
      const y = -30 + i * 42;
      c.rect(-108, y, 216, 5, h.middle);
      c.rect(-108, y, 216, 1.6, h.edge);
      c.polygon(
        mirror([
          [-122, -y - 12],
          [-98, -y - 14],
          [-98, -y + 4],
          [-122, -y + 2],
        ]),
        h.shade,
      );
      c.polygon(
        [
          [98, y - 6],
          [124, y - 4],
          [124, y + 9],
          [98, y + 11],
        ],
        h.middle,
      );
    }
    for (let i = 0; i < discs; i++) {
      const y = -70 + (i * 140) / Math.max(1, discs - 1);
      const r = 62 - Math.abs(i - (discs - 1) / 2) * 16;
      c.ellipse(0, y + 6, r, r * 0.24, h.dark);
      c.rect(-r, y, r * 2, 6, h.shade);
      c.ellipse(
        0,
        y,
        r,
        r * 0.24,
        c.linear(
          [
            [0, h.edge],
            [0.5, h.light],
            [1, h.middle],
          ],
          [0, 0],
          [1, 1],
        ),
      );
      c.ellipse(0, y, r * 0.6, r * 0.13, h.middle);
      windows(c, detail, -r + 6, y + r * 0.2 + 3, r * 2 - 12, 3, 0.55);
    }
    c.line(0, -92, 0, -112, h.middle, 2);
    c.circle(0, -113, 3, "#ff6a5a");
  };
}
