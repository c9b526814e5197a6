/** Ships of one hull: liners, ships of the line, carriers, base stars, stations. */

import { type Canvas, num, type Point } from "../canvas";
import { hsl } from "../colour";
import type { Random } from "../random";
import { type Hull, type Ship, SLIT, trail, windows } from "./hull";

const mirror = (points: readonly Point[]): Point[] => points.map(([x, y]): Point => [x, -y]);

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
      c.polygon([-92, -14, -58, -18, -80, -52, -102, -50], h.shade);
      c.polygon([-92, -14, -84, -15, -96, -50, -102, -50], h.edge);
    }
    c.polygon([-60, -18, 50, -18, 38, -18 - deck, -46, -18 - deck], h.middle);
    c.polygon([-46, -18 - deck, 38, -18 - deck, 42, -15 - deck, -49, -15 - deck], h.edge);
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
    c.polygon([-100, -16, -60, -21, 60, -20, 104, -8, 122, 3, -100, 0], h.light);
    c.polygon([-100, -16, -60, -21, 60, -20, 104, -8, 58, -15, -60, -16, -100, -12], h.edge);
    c.polygon([-100, 2, 110, 3, 102, 7, -100, 6], colour);
    c.polygon([-100, 18, -60, 22, 60, 22, 104, 12, 58, 17, -60, 17], h.shade);
    c.polygon([84, -9, 104, -5, 112, 0, 88, -2], hsl(195, 85, 72));
    windows(c, detail, -86, -9, 160, 7, 0.66);
    windows(c, detail, -80, 11, 150, 4, 0.5);
    c.polygon([-108, -12, -98, -16, -98, 18, -108, 14], h.deep);
    c.polygon([-40, 22, 24, 22, 16, 32, -34, 32], h.dark);
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
    c.polygon([-70, -26, 40, -34, 58, -28, 40, -22, -70, -18], h.shade);
    c.polygon([-70, -26, 40, -34, 58, -28, -70, -23], h.light);
    c.polygon([-106, -20, -84, -24, -84, 26, -106, 22], h.dark);
    const top: Point[] = [
      [-84, -22],
      [30, -17],
      [76, -20 - bow],
      [120, -6],
      [126, 4],
    ];
    c.polygon([...top, [108, 14], [70, 20 + bow], [30, 16], [-84, 24]], h.middle);
    c.polygon([...top, [-84, 0]], h.light);
    c.polygon([-84, -22, 30, -17, 76, -20 - bow, 120, -6, 76, -15 - bow, 30, -12, -84, -17], h.edge);
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
    c.polygon([76, -16 - bow, 112, -5, 78, -3], h.middle);
    windows(c, detail, 40, 3, 66, 9, 0.42);
    windows(c, detail, -76, 7, 100, 8, 0.25);
    c.polygon([-64, 28, 60, 30, 78, 38, 60, 46, -64, 44], h.shade);
    c.polygon([-64, 28, 60, 30, 78, 38, -64, 35], h.light);
    c.polygon([-64, 28, 60, 30, 78, 38, 60, 32, -64, 30.5], h.edge);
    windows(c, detail, -56, 39, 110, 4, 0.5);
    c.polygon([58, 33, 76, 38, 58, 43], hsl(200, 70, 62, 0.8));
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
    c.polygon([tower, -22, tower + 34, -22, tower + 28, -46, tower + 8, -46], h.shade);
    c.polygon([tower, -22, tower + 14, -22, tower + 16, -46, tower + 8, -46], h.light);
    windows(c, detail, tower + 12, -40, 14, 12, 0.7);
    c.line(tower + 18, -46, tower + 18, -64, h.middle, 1.6);
    c.polygon([-112, -22, 120, -22, 132, -14, 120, -8, -112, -8], h.light);
    c.polygon([-112, -22, 120, -22, 132, -14, -112, -18], h.edge);
    c.path("M-100-14h26M-62-14h26M-24-14h26M14-14h26M52-14h26M90-14h22", "none", { stroke: colour, width: 2 });
    c.polygon([-112, -8, 122, -8, 96, 26, 40, 36, -112, 30], h.middle);
    c.polygon([-112, 12, 108, 10, 96, 26, 40, 36, -112, 30], h.shade);
    c.polygon([58, -4, 112, -4, 102, 8, 58, 8], "#0a1420");
    c.polygon([62, -1, 106, -1, 100, 5, 62, 5], hsl(200, 70, 62, 0.7));
    windows(c, detail, -96, -2, 140, 9, 0.3);
    windows(c, detail, -90, 16, 120, 8, 0.25);
    c.polygon([-118, -18, -108, -22, -108, 30, -118, 26], h.deep);
  };
}

/** Two stacked three-armed plates with a red waist. */
export function baseStar(shape: Random): Ship {
  const lean = shape.between(-10, 14);
  const reach = shape.between(-10, 12);
  return (c, h) => {
    drawPlate(c, h, -26, -1, lean, reach);
    c.polygon([-14, -28, 14, -28, 20, 0, 14, 30, -14, 30, -20, 0], h.shade);
    c.polygon([-14, -28, 2, -28, 2, 30, -14, 30, -20, 0], h.light);
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
      [-24, y - 6, 24, y - 6, x + out, tip - 4, x, tip + 5, 16, y + 8, -16, y + 8],
      at % 2 ? h.shade : h.middle,
    );
    c.polygon([-24, y - 6, 24, y - 6, x + out, tip - 4, x, tip - 2, 0, y - 3], at % 2 ? h.middle : h.edge);
  });
}

/** A station: a tall spine of discs with docking arms. */
export function station(shape: Random, detail: Random): Ship {
  const discs = shape.whole(3, 5);
  const arms = shape.whole(2, 3);
  return (c, h) => {
    c.polygon([-7, -92, 7, -92, 10, 92, -10, 92], h.shade);
    c.polygon([-7, -92, 0, -92, 0, 92, -10, 92], h.light);
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
      c.polygon([98, y - 6, 124, y - 4, 124, y + 9, 98, y + 11], h.middle);
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
