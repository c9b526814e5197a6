/** Transports: an engine, a spine with modules by lot, a bow. */

import { type Canvas, num } from "../canvas";
import { hsl } from "../colour";
import type { Random } from "../random";
import { type Hull, type Ship, trail, windows } from "./hull";

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
    c.polygon([start - 10, -16, start + 14, -20, start + 14, 22, start - 10, 18], h.shade);
    c.polygon([start - 10, -16, start + 14, -20, start + 14, -8, start - 10, -7], h.light);
    c.path(`M${start - 11.5} -12v8M${start - 11.5} 5v8`, "none", { stroke: h.deep, width: 5 });
    plan.parts.forEach((part, at) => {
      MODULES[part.kind](c, { x: start + 20 + at * step, width: step - 4, half: part.half, hull: h, plan, detail });
    });
    drawBow(c, h, start + 136, plan, detail);
  };
}

function drawBow(c: Canvas, h: Hull, x: number, plan: TransportPlan, detail: Random): void {
  c.polygon([x - 2, -18, x + 22, -14, x + 40, -2, x + 40, 5, x + 20, 15, x - 2, 17], h.shade);
  c.polygon([x - 2, -18, x + 22, -14, x + 40, -2, x - 2, -1], h.light);
  c.polygon([x - 2, -18, x + 22, -14, x + 40, -2, x + 20, -10, x - 2, -14], h.edge);
  c.polygon([x + 20, -9, x + 34, -2, x + 18, -3], hsl(195, 85, 72));
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
        x + 3,
        -half,
        x + width - 3,
        -half,
        x + width,
        -half + 4,
        x + width,
        half - 4,
        x + width - 3,
        half,
        x + 3,
        half,
        x,
        half - 4,
        x,
        -half + 4,
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
    c.polygon([x, -2, x + width, -2, x + width - 5, half, x + 5, half], h.shade);
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
