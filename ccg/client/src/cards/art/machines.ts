/** Machines, head and shoulders, about the middle of the face at 0, 0. */

import type { Canvas, Point } from "./canvas";

export type Stance = "still" | "blade" | "gun" | "claws";

export interface Machine {
  /** Where the red point is in its visor, from -20 to 20. */
  eye: number;
  stance: Stance;
  crest: number;
  plates: number;
  rim: string;
}

const STEEL = { bright: "#dfe7ec", light: "#b4bec8", middle: "#69737f", shade: "#3b434d", dark: "#191e25" };

/** A soldier of chrome planes, a black visor with one red point across it. */
export function drawMachine(c: Canvas, machine: Machine): void {
  const { crest, plates } = machine;
  c.polygon([-30, 56, 30, 56, 52, 70, 96, 80, 116, 112, 122, 160, -122, 160, -116, 112, -96, 80, -52, 70], STEEL.dark);
  for (const side of [1, -1] as const) drawShoulder(c, side);
  c.polygon([-52, 78, 52, 78, 62, 124, 30, 160, -30, 160, -62, 124], STEEL.shade);
  for (let i = 0; i < plates; i++) {
    const y = 88 + i * (70 / plates);
    const x = 50 - i * 5;
    c.polygon([-x, y, 0, y + 8, x, y, x - 2, y + 6, 0, y + 14, -x + 2, y + 6], i % 2 ? STEEL.middle : STEEL.light, {
      opacity: 0.85,
    });
  }
  c.polygon([-16, 36, 16, 36, 22, 76, -22, 76], STEEL.dark);
  c.path("M-18 50H18M-18 57H18M-18 64H18M-18 71H18", "none", { stroke: STEEL.middle, width: 2 });
  drawMachineHead(c, machine, crest);
  drawStance(c, machine.stance);
}

function drawShoulder(c: Canvas, side: 1 | -1): void {
  const at = (points: readonly Point[]): Point[] => points.map(([x, y]): Point => [x * side, y]);
  c.polygon(
    at([
      [44, 72],
      [92, 74],
      [124, 104],
      [118, 136],
      [70, 118],
    ]),
    side > 0 ? STEEL.middle : STEEL.shade,
  );
  c.polygon(
    at([
      [44, 72],
      [92, 74],
      [124, 104],
      [88, 90],
    ]),
    side > 0 ? STEEL.bright : STEEL.light,
  );
  c.polygon(
    at([
      [70, 122],
      [112, 140],
      [108, 160],
      [76, 160],
    ]),
    STEEL.shade,
  );
}

function drawMachineHead(c: Canvas, { eye, rim }: Machine, crest: number): void {
  const face: Point[] = [
    [-30, -18],
    [-20, -44],
    [0, -54],
    [20, -44],
    [30, -18],
    [34, 2],
    [24, 36],
    [9, 52],
    [-9, 52],
    [-24, 36],
    [-34, 2],
  ];
  c.polygon(face, STEEL.middle);
  c.polygon([0, -54, 20, -44, 30, -18, 34, 2, 24, 36, 9, 52, 0, 52], STEEL.light);
  c.polygon([-5, -56 - crest, 5, -56 - crest, 8, -14, -8, -14], STEEL.bright);
  c.polygon([-30, -18, -20, -44, -10, -50, -14, -16], STEEL.shade);
  c.polygon([14, -47, 20, -44, 28, -22, 18, -18], STEEL.bright, { opacity: 0.7 });
  c.polygon([-40, -12, 0, -20, 40, -12, 36, 8, 0, 2, -36, 8], "#0a0508");
  c.polygon([-34, -8, 0, -14, 34, -8, 33, -3, 0, -8, -33, -3], "#4a0a12");
  c.ellipse(
    eye,
    -8,
    54,
    22,
    c.radial([
      [0, "#ff3242bf"],
      [1, "#ff283c00"],
    ]),
  );
  c.ellipse(eye, -8, 15, 3.6, "#ff2a3c");
  c.ellipse(eye, -9, 6, 2, "#ffd0cc");
  c.polygon([-22, 16, -6, 10, -6, 48, -16, 40], STEEL.shade);
  c.polygon([22, 16, 6, 10, 6, 48, 16, 40], STEEL.middle);
  c.polygon([-5, 8, 5, 8, 4, 50, -4, 50], STEEL.bright, { opacity: 0.8 });
  c.path("M-20 26L-8 22M-18 33L-7 30M20 26L8 22M18 33L7 30", "none", { stroke: STEEL.dark, width: 1.6 });
  c.path("M34 2L24 36L9 52", "none", { stroke: rim, width: 2.5 });
}

/** What its arms do, at the edge of the picture. */
function drawStance(c: Canvas, stance: Stance): void {
  if (stance === "blade") {
    c.polygon([66, 150, 86, 90, 96, 94, 92, 150], STEEL.shade);
    c.polygon([84, 96, 76, -26, 100, 88], STEEL.bright);
    c.polygon([84, 96, 76, -26, 82, 92], STEEL.light);
  } else if (stance === "gun") {
    c.polygon([-92, 160, -58, 160, -66, 104, -88, 108], STEEL.shade);
    c.polygon([-92, 110, -62, 104, -72, 40, -90, 44], STEEL.middle);
    c.polygon([-92, 110, -80, 107, -86, 43, -90, 44], STEEL.bright);
    c.polygon([-87, 44, -75, 41, -77, 18, -85, 20], STEEL.dark);
    c.circle(
      -81,
      16,
      22,
      c.radial([
        [0, "#fff1d0f2"],
        [0.35, "#ff9a4ab8"],
        [1, "#ff5a2a00"],
      ]),
    );
  } else if (stance === "claws") {
    for (let i = 0; i < 4; i++) {
      const x = 52 + i * 13;
      c.polygon([x, 132, x + 7, 130, x + 10 - i * 2, 84 - (i % 2) * 9, x + 2, 100], i % 2 ? STEEL.light : STEEL.bright);
    }
    c.polygon([46, 128, 104, 124, 112, 160, 50, 160], STEEL.middle);
    c.polygon([46, 128, 104, 124, 106, 132, 48, 137], STEEL.bright);
  }
}
