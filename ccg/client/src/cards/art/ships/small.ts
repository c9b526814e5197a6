/** Craft for a crew of a few: fighters, scouts, shuttles, and those of the Cylons. */

import { type Canvas, num, type Point } from "../canvas";
import { hsl } from "../colour";
import type { Random } from "../random";
import { GLASS, GLASS_LIT, glow, type Ship, SLIT, trail } from "./hull";

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
    c.polygon([-58, -9, -6, -12, -42 - sweep * 0.4, far, -74 - sweep * 0.3, far - 2], h.shade);
    c.polygon([-58, -9, -6, -12, -10, -15, -62, -13], h.middle);
    c.polygon([-66, -12, -40, -13, -66, -40, -78, -38], h.dark);
    c.polygon([-66, -12, -60, -12.4, -75, -38.4, -78, -38], h.middle);
    c.polygon([-64, -13, 18, -15, 62, -8, 104, 1, 62, 9, 10, 13, -64, 13], h.middle);
    c.polygon([-64, -13, 18, -15, 62, -8, 104, 1, -64, -2], h.light);
    c.polygon([-64, -13, 18, -15, 62, -8, 104, 1, 60, -5.5, 16, -12, -64, -10], h.edge);
    c.polygon([62, -8, 104, 1, 62, 9], colour);
    c.polygon([66, -4, 104, 1, 66, 0], "#ffffff66");
    c.polygon([14, -14.5, 30, -19, 46, -16, 58, -9, 24, -8], GLASS);
    c.polygon([20, -14, 31, -17.5, 42, -15.5, 26, -11], GLASS_LIT);
    const tip: Point = [-40 - sweep, 40 + span];
    c.polygon([[-44, 4], [22, 6], tip, [-84 - sweep * 0.6, 46 + span]], h.light);
    c.polygon([-44, 4, -84 - sweep * 0.6, 46 + span, -74 - sweep * 0.5, 46 + span, -26, 5], h.shade);
    c.polygon([[-2, 6], [22, 6], tip, [-50 - sweep, 41 + span]], h.edge, { opacity: 0.5 });
    c.line(-58 - sweep * 0.8, 44 + span, -18 - sweep * 0.5, 44 + span, h.edge, 2.2);
    c.polygon([-72, -8, -60, -13, -60, 14, -72, 10], h.deep);
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
        -28,
        13 + span * 0.3,
        -6,
        13 + span * 0.22,
        -36 - sweep * 0.6,
        27 + span * 0.66,
        -54 - sweep * 0.5,
        29 + span * 0.68,
      ],
      colour,
    );
  }
  if (kind === 2) {
    c.polygon([-64, -1, 48, -1, 58, 3, -64, 4], colour);
    c.polygon([-66, -20, -54, -20, -64, -36, -73, -36], colour);
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
    c.polygon([-50, -12, -10, -20 - slim, 26, -12, 50, 0, 24, -9, -10, -16 - slim], h.edge);
    c.polygon([8, -7, 38, -3, 44, 1, 8, 2], "#12040a");
    c.polygon([10, -5, 36, -2, 10, 0], SLIT);
    glow(c, 24, -2, 11);
  };
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
    c.polygon([-60, -30, 0, -38, -4, -28, -62, -20], h.shade);
    c.polygon([-72, -22, -20, -32, 34, -28, 72, -4, 80, 12, 60, 26, -30, 32, -72, 22], h.middle);
    c.polygon([-72, -22, -20, -32, 34, -28, 72, -4, 20, -4, -72, -2], h.light);
    c.polygon([-72, -22, -20, -32, 34, -28, 40, -24, -18, -27, -72, -18], h.edge);
    c.polygon([34, -25, 68, -5, 42, -4, 24, -8], "#08131f");
    c.polygon([38, -22, 56, -11, 40, -9, 32, -12], hsl(195, 85, 76, 0.9));
    c.polygon([59, -9, 66, -5, 48, -5], hsl(195, 85, 70, 0.7));
    if (pod) {
      c.polygon([-66, 16, 18, 18, 8, 40, -70, 36], h.shade);
      c.polygon([-66, 16, 18, 18, 15, 24, -66, 22], h.light);
      c.polygon([18, 18, 34, 24, 8, 40], h.dark);
    } else {
      c.polygon([-58, 24, -6, 26, 14, 34, -2, 42, -62, 38], h.shade);
      c.polygon([-58, 24, -6, 26, 14, 34, -58, 29], h.light);
    }
    c.rect(-78, 14, 10, 20, h.deep);
    c.polygon([-76, -24, -64, -25, -64, 0, -76, 0], h.deep);
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
    c.polygon([-74, -20, 10, -24, 60, -8, 66, 2, 56, 12, 6, 24, -74, 20], h.middle);
    c.polygon([-74, -20, 10, -24, 60, -8, 66, 2, -74, 0], h.light);
    c.polygon([-74, -20, 10, -24, 60, -8, 8, -19, -74, -15], h.edge);
    c.polygon([14, -8, 58, -3, 60, 2, 14, 3], "#12040a");
    c.polygon([18, -5, 54, -2, 18, 1], SLIT);
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
    c.polygon([-70, -24, -44, -26, -58, -52 - fin, -76, -50 - fin], h.shade);
    c.polygon([-70, -24, -60, -25, -70, -50 - fin, -76, -50 - fin], h.edge);
    c.polygon([-78, -22, 30, -26, 66, -16, 84, 4, 76, 20, 40, 28, -78, 26], h.middle);
    c.polygon([-78, -22, 30, -26, 66, -16, 84, 4, -78, 0], h.light);
    c.polygon([-78, -22, 30, -26, 66, -16, 28, -21, -78, -17], h.edge);
    c.polygon([40, -20, 64, -13, 78, 1, 52, 0, 36, -8], "#08131f");
    c.polygon([44, -16, 62, -11, 70, -4, 46, -6], hsl(195, 85, 76, 0.9));
    c.polygon([-70, 20, 14, 24, 26, 32, 14, 40, -70, 40], h.shade);
    c.polygon([-70, 20, 14, 24, 26, 32, -70, 27], h.light);
    c.rect(-86, 22, 16, 16, h.deep);
    c.polygon([-86, -12, -76, -14, -76, 20, -86, 18], h.deep);
    c.rect(-60, 4, 90, 5, colour);
    c.path("M-52-8h6M-38-8h6M-24-8h6M-10-8h6M4-8h6M18-8h6", "none", { stroke: hsl(46, 95, 78), width: 5 });
    c.path("M-30-24v50M32-24v46", "none", { stroke: h.shade, width: 1 });
  };
}
