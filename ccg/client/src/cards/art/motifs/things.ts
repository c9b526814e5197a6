/** Motifs of things: gauges, papers, machines, stores. */

import { cut, d, type Point, ring, star } from "../canvas";
import { angles, dart, flare, type Motif, orb, polar, ticks, waypoint } from "./stage";

/** A dial that stands at some share. */
export const dial: Motif = (stage) => {
  const { c, random, x, y, tone, accent } = stage;
  c.circle(x, y, 86, tone(24, 0.7), { stroke: tone(64), width: 2 });
  ticks(stage, 74, random.pick([36, 48, 60]), 8);
  const end = -Math.PI / 2 + random.between(1.2, 5.4);
  const [ex, ey] = polar(stage, end, 60);
  c.path(d`M${x} ${y - 60}A60 60 0 ${end + Math.PI / 2 > Math.PI ? 1 : 0} 1 ${ex} ${ey}`, "none", {
    stroke: tone(66),
    width: 17,
  });
  const [tx, ty] = polar(stage, end, 70);
  c.line(x, y, tx, ty, "#fff", 4);
  c.circle(x, y, 12, accent);
};

/** A half gauge with a mark at its end: fuel, air, time. */
export const gauge: Motif = (stage) => {
  const { c, random, x, y, tone, danger, accent } = stage;
  const foot = y + 56;
  const arc = (r: number, from: number, to: number): string => {
    const point = (share: number): Point => [x - r * Math.cos(share * Math.PI), foot - r * Math.sin(share * Math.PI)];
    const [ax, ay] = point(from);
    const [bx, by] = point(to);
    return d`M${ax} ${ay}A${r} ${r} 0 0 1 ${bx} ${by}`;
  };
  c.path(arc(106, 0, 0.22), "none", { stroke: danger, width: 20 });
  c.path(arc(106, 0.24, 0.62), "none", { stroke: tone(52), width: 20 });
  c.path(arc(106, 0.64, 1), "none", { stroke: tone(78), width: 20 });
  for (let i = 0; i <= 10; i++) {
    const angle = (i / 10) * Math.PI;
    c.line(
      x - 86 * Math.cos(angle),
      foot - 86 * Math.sin(angle),
      x - (i % 5 ? 78 : 70) * Math.cos(angle),
      foot - (i % 5 ? 78 : 70) * Math.sin(angle),
      tone(84),
      i % 5 ? 1.6 : 3,
    );
  }
  const at = random.pick([0.05, 0.12, 0.88, 0.95]) * Math.PI;
  c.polygon(
    [
      x - 92 * Math.cos(at),
      foot - 92 * Math.sin(at),
      x + 7 * Math.sin(at),
      foot - 7 * Math.cos(at),
      x - 7 * Math.sin(at),
      foot + 7 * Math.cos(at),
    ],
    "#fff",
  );
  c.circle(x, foot, 15, tone(30), { stroke: tone(84), width: 3 });
  c.path(d`M${x} ${foot - 62}q16 22 16 30a16 16 0 0 1 -32 0q0 -8 16 -30z`, accent);
};

/** A heartbeat. */
export const pulse: Motif = (stage) => {
  const { c, random, x, y, tone, accent } = stage;
  const beats = random.whole(1, 3);
  const points: Point[] = [[-6, y]];
  for (let i = 0; i < beats; i++) {
    const at = ((i + 0.5) * 320) / beats;
    const high = random.between(46, 84);
    points.push(
      [at - 34, y],
      [at - 24, y - 14],
      [at - 16, y],
      [at - 8, y + 16],
      [at + 2, y - high],
      [at + 14, y + high * 0.6],
      [at + 22, y],
      [at + 34, y - 10],
      [at + 42, y],
    );
  }
  points.push([326, y]);
  c.polyline(points, tone(60, 0.35), 12, { join: "round" });
  c.polyline(points, tone(84), 3.5, { join: "bevel" });
  const [cx, cy] = [x + random.between(60, 84), y - 62];
  c.polygon(
    [
      cx - 9,
      cy - 26,
      cx + 9,
      cy - 26,
      cx + 9,
      cy - 9,
      cx + 26,
      cy - 9,
      cx + 26,
      cy + 9,
      cx + 9,
      cy + 9,
      cx + 9,
      cy + 26,
      cx - 9,
      cy + 26,
      cx - 9,
      cy + 9,
      cx - 26,
      cy + 9,
      cx - 26,
      cy - 9,
      cx - 9,
      cy - 9,
    ],
    accent,
  );
};

/** A fan of cards. */
export const hand: Motif = (stage) => {
  const { c, random, x, y, tone, accent } = stage;
  const many = random.pick([4, 5, 6]);
  const best = random.whole(1, many - 2);
  for (let i = 0; i < many; i++) {
    c.at(x, y + 96, 1, (i - (many - 1) / 2) * 15, () => {
      const lift = i === best ? -14 : 0;
      c.polygon(cut(-36, -160 + lift, 72, 104, 12), i === best ? tone(72) : tone(28 + i * 5), {
        stroke: tone(84),
        width: 2,
      });
      c.polygon(star(0, -108 + lift, 20, i === best ? 8 : 11, i === best ? 6 : 4), i === best ? accent : tone(14, 0.7));
      c.path(d`M-22 ${-76 + lift}h44`, "none", { stroke: tone(14, 0.6), width: 4 });
    });
  }
};

/** Paths about one middle. */
export const orbits: Motif = (stage) => {
  const { c, random, x, y, tone, accent } = stage;
  const tilt = random.between(-28, 28);
  const many = random.whole(2, 4);
  for (let i = 0; i < many; i++) {
    const r = 44 + i * 26;
    c.ellipse(
      x,
      y,
      r * 1.3,
      r * 0.6,
      "none",
      { stroke: tone(66, 0.9), width: i === 1 ? 3 : 1.4 },
      tilt + i * random.between(-14, 14),
    );
    const angle = random.angle();
    c.circle(x + r * 1.2 * Math.cos(angle), y + r * 0.58 * Math.sin(angle), 9 - i, i === 1 ? accent : "#fff");
  }
  orb(stage, x, y, 27, 96, 44);
  flare(stage, x, y, 52, 0.5);
};

/** Signals over each other. */
export const wave: Motif = (stage) => {
  const { c, random, x, y, tone } = stage;
  flare(stage, x, y, 90, 0.5);
  for (let i = 0; i < 4; i++) {
    const high = random.between(20, 70);
    const rate = random.between(0.05, 0.13);
    const phase = random.between(0, 6);
    const points = Array.from({ length: 65 }, (_, at): Point => {
      const px = at * 5;
      return [px, y + Math.sin(px * rate + phase) * high * Math.exp(-(((px - x) / 88) ** 2))];
    });
    c.polyline(points, i === 0 ? "#fff" : tone(i % 2 ? 62 : 80, 0.85), i === 0 ? 2.4 : 2.6);
  }
};

/** A core with tracks running from it. */
export const circuit: Motif = (stage) => {
  const { c, random, x, y, tone, accent } = stage;
  const ends: Point[] = [];
  let bright = "";
  let dim = "";
  for (let i = 0; i < 22; i++) {
    let px = x;
    let py = y;
    let way = random.whole(0, 7);
    let path = d`M${px} ${py}`;
    for (let step = 0; step < 4; step++) {
      const long = random.between(16, 46);
      px += long * Math.cos((way * Math.PI) / 4);
      py += long * Math.sin((way * Math.PI) / 4);
      path += d`L${px} ${py}`;
      way += random.whole(-1, 1);
    }
    if (i % 2) bright += path;
    else dim += path;
    ends.push([px, py]);
  }
  c.path(dim, "none", { stroke: tone(42), width: 2.2 });
  c.path(bright, "none", { stroke: tone(64), width: 2.2 });
  c.dots(ends, 7.2, tone(76));
  const r = random.between(24, 36);
  c.polygon(cut(x - r, y - r, 2 * r, 2 * r, r * 0.6), tone(10), { stroke: tone(72), width: 3 });
  c.ellipse(x, y, r * 0.68, r * 0.16, accent);
};

/** An eye that looks back. */
export const eye: Motif = (stage) => {
  const { c, random, x, y, tone, accent } = stage;
  c.polygon([x - 142, y, x - 80, y - 48, x + 80, y - 48, x + 142, y, x + 80, y + 48, x - 80, y + 48], tone(8), {
    stroke: tone(62),
    width: 4,
  });
  const look = random.between(-40, 40);
  for (const r of [42, 30, 18])
    c.circle(x + look, y, r, tone(r === 30 ? 20 : 58, r === 42 ? 0.8 : 1), { stroke: tone(78), width: 2 });
  flare(stage, x + look, y, 60, 0.6);
  c.circle(x + look, y, 11, accent);
  c.path(
    Array.from({ length: 9 }, (_, at) => d`M${x - 120 + at * 30} ${y - 64}v-10M${x - 120 + at * 30} ${y + 64}v10`).join(
      "",
    ),
    "none",
    { stroke: tone(64), width: 3 },
  );
};

/** Crates, one of them open. */
export const crates: Motif = (stage) => {
  const { c, random, tone, accent } = stage;
  const box = (x: number, y: number, s: number, open: boolean): void => {
    c.polygon([x, y - s * 0.58, x + s, y - s * 0.08, x, y + s * 0.42, x - s, y - s * 0.08], tone(open ? 12 : 78));
    c.polygon([x - s, y - s * 0.08, x, y + s * 0.42, x, y + s * 1.46, x - s, y + s * 0.96], tone(48));
    c.polygon([x + s, y - s * 0.08, x, y + s * 0.42, x, y + s * 1.46, x + s, y + s * 0.96], tone(30));
    if (open) {
      flare(stage, x, y - s * 0.3, s * 1.5, 0.8);
      c.polygon(star(x, y - s * 0.5, s * 0.5, s * 0.18, 8), accent);
    } else {
      c.polygon(
        [x - s * 0.5, y - s * 0.33, x - s * 0.3, y - s * 0.43, x + s * 0.7, y + s * 0.07, x + s * 0.5, y + s * 0.17],
        tone(60),
      );
    }
    c.polygon([x - s, y + s * 0.3, x, y + s * 0.8, x, y + s * 0.98, x - s, y + s * 0.48], tone(64, 0.7));
  };
  const lit = random.whole(0, 3);
  const places: Point[] = [
    [92, 66],
    [228, 66],
    [160, 104],
    [44, 130],
  ];
  places.push([276, 132]);
  for (const [at, [x, y]] of places.entries()) {
    box(x + random.between(-8, 8), y, at === 2 ? 52 : 38, at === lit || (lit === 3 && at === 2));
  }
};

/** A sheet with lines of writing and a mark of office. */
export const paper: Motif = (stage) => {
  const { c, random, x, y, tone, accent } = stage;
  c.at(x, y + 4, 0.9, random.between(-12, 12), () => {
    c.polygon(cut(-66, -96, 132, 190, 16), tone(14), { stroke: tone(50), width: 2 });
    c.group(() => c.polygon(cut(-66, -96, 132, 190, 16), tone(86)), { transform: "translate(-7 -7)" });
    c.rect(-56, -84, random.between(50, 84), 9, tone(30));
    const rows = random.whole(5, 7);
    for (let i = 0; i < rows; i++) c.rect(-56, -62 + i * 15, random.between(60, 106), 4.5, tone(i === 2 ? 30 : 56));
    c.circle(28, 58, 22, accent);
    c.polygon(star(28, 58, 17, 7, random.pick([5, 6, 8])), tone(26));
    c.path("M-56 60q14-16 24 0t26-6", "none", { stroke: tone(24), width: 3 });
  });
};

/** A plane broken into shards. */
export const fracture: Motif = (stage) => {
  const { c, random, x, y, tone, accent } = stage;
  const spokes = random.whole(8, 11);
  const rims = angles(spokes).map((angle) => angle + random.between(-0.2, 0.2));
  rims.forEach((angle, at) => {
    const next = (rims[(at + 1) % spokes] ?? 0) + (at === spokes - 1 ? 2 * Math.PI : 0);
    const out = random.between(6, 20);
    const middle = (angle + next) / 2;
    const shift: Point = [out * Math.cos(middle), out * Math.sin(middle)];
    const move = ([px, py]: Point): Point => [px + shift[0], py + shift[1]];
    const near = random.between(6, 14);
    const far = random.between(70, 128);
    c.polygon(
      [
        polar(stage, middle, near),
        polar(stage, angle, far * 0.5),
        polar(stage, angle, far),
        polar(stage, next, far),
        polar(stage, next, far * 0.5),
      ].map(move),
      tone(24 + ((at * 13) % 46)),
      { stroke: tone(80, 0.8), width: 1.4 },
    );
  });
  flare(stage, x, y, 46, 1);
  c.polygon(star(x, y, 17, 5, 4), accent);
};

/** Sand in a glass. */
export const hourglass: Motif = (stage) => {
  const { c, random, x, y, tone, accent } = stage;
  const left = random.between(0.25, 0.8);
  c.path(d`M${x - 52} ${y - 80}H${x + 52}L${x + 6} ${y}L${x + 52} ${y + 80}H${x - 52}L${x - 6} ${y}z`, tone(20, 0.8), {
    stroke: tone(80),
    width: 4,
    join: "bevel",
  });
  c.polygon([x - 46 * left, y - 76 * left, x + 46 * left, y - 76 * left, x, y - 2], tone(70));
  const heap = 1 - left;
  c.polygon(
    [x - 46, y + 76, x + 46, y + 76, x + 20, y + 76 - 46 * heap, x, y + 66 - 50 * heap, x - 20, y + 76 - 46 * heap],
    tone(70),
  );
  c.line(x, y, x, y + 70 - 46 * heap, accent, 3, { dash: "4 4" });
  c.path(d`M${x - 66} ${y - 86}h132M${x - 66} ${y + 86}h132`, "none", { stroke: tone(88), width: 9 });
  ticks(stage, 108, 24, 7);
};

/** A door with light behind it. */
export const airlock: Motif = (stage) => {
  const { c, random, x, y, tone, accent } = stage;
  const open = random.between(10, 40);
  c.polygon(cut(x - 98, y - 98, 196, 200, 46), tone(18), { stroke: tone(64), width: 8 });
  c.polygon(cut(x - 84, y - 84, 168, 172, 40), tone(82));
  flare(stage, x, y, 90, 0.9);
  for (const side of [-1, 1]) {
    const edge = x + side * open;
    c.polygon(
      [
        edge,
        y - 84,
        x + side * 48,
        y - 84,
        x + side * 84,
        y - 44,
        x + side * 84,
        y + 48,
        x + side * 44,
        y + 88,
        edge,
        y + 88,
        edge + side * 10,
        y + 40,
        edge,
        y + 20,
        edge + side * 10,
        y - 20,
      ],
      tone(side < 0 ? 42 : 32),
      { stroke: tone(16), width: 2 },
    );
    c.path(d`M${edge + side * 20} ${y - 50}h${side * 24}M${edge + side * 20} ${y + 56}h${side * 20}`, "none", {
      stroke: tone(60),
      width: 5,
    });
  }
  c.circle(x + 110, y - 92, 8, accent);
};

/** A flame. */
export const flame: Motif = (stage) => {
  const { c, random, x, y, tone } = stage;
  flare(stage, x, y + 20, 120, 0.6);
  const layers: [number, string][] = [
    [1.5, tone(44)],
    [1.1, tone(62)],
    [0.72, tone(82)],
    [0.36, "#fff"],
  ];
  const sway = random.between(-22, 22);
  const split = random.between(10, 34);
  for (const [s, fill] of layers) {
    c.path(
      d`M${x} ${y + 92}C${x - 72 * s} ${y + 92} ${x - 66 * s} ${y + 20} ${x - 34 * s} ${y - 10 * s}C${x - 30 * s} ${y + 10} ${x - 16 * s} ${y + 10} ${x - 12 * s} ${y - 4}C${x - 8 * s} ${y - 30 * s} ${x + sway * s} ${y - 36 * s} ${x + sway * s} ${y - 62 * s}C${x + 34 * s} ${y - 38 * s} ${x + 20 * s} ${y - 20} ${x + split * s} ${y - 8}C${x + 40 * s} ${y - 12} ${x + 44 * s} ${y - 26 * s} ${x + 42 * s} ${y - 36 * s}C${x + 80 * s} ${y + 20} ${x + 66 * s} ${y + 92} ${x} ${y + 92}z`,
      fill,
    );
  }
};

/** A badge with wings. */
export const wings: Motif = (stage) => {
  const { c, random, x, y, tone, accent } = stage;
  const feathers = random.whole(4, 6);
  for (const side of [-1, 1] as const) {
    c.at(
      x,
      y,
      1,
      0,
      () => {
        for (let i = 0; i < feathers; i++) {
          const top = -34 + i * (60 / feathers);
          c.polygon([18, top + 12, 136 - i * 17, top - 16, 124 - i * 17, top, 20, top + 26], tone(84 - i * 8), {
            stroke: tone(24),
          });
        }
      },
      side,
    );
  }
  c.polygon(cut(x - 30, y - 44, 60, 88, 14), tone(30), { stroke: tone(86), width: 3 });
  dart(stage, x, y - 34, 1.5, accent);
  flare(stage, x, y, 50, 0.3);
};

/** Wheels of a machine. */
export const gears: Motif = (stage) => {
  const { c, random, x, y, tone, accent } = stage;
  const wheel = (px: number, py: number, r: number, teeth: number, fill: string, turn: number): void => {
    const points: Point[] = [];
    for (let i = 0; i < teeth; i++) {
      for (const [part, reach] of [
        [0, r],
        [0.22, r * 1.16],
        [0.5, r * 1.16],
        [0.72, r],
      ] as const) {
        const angle = ((i + part) / teeth) * 2 * Math.PI + turn;
        points.push([px + reach * Math.cos(angle), py + reach * Math.sin(angle)]);
      }
    }
    c.polygon(points, fill, { stroke: tone(16), width: 2 });
    c.circle(px, py, r * 0.6, tone(16));
    c.circle(px, py, r * 0.5, fill);
    c.circle(px, py, r * 0.2, tone(12));
  };
  const turn = random.between(0, 1);
  wheel(x - 52, y + 18, 56, 12, tone(72), turn);
  wheel(x + 52, y - 30, 40, 9, tone(52), turn + 0.2);
  wheel(x + 60, y + 58, 24, 7, accent, turn);
};

/** Vessels with something that must not get out. */
export const samples: Motif = (stage) => {
  const { c, random, tone, danger } = stage;
  const many = random.whole(4, 6);
  const odd = random.whole(0, many - 1);
  for (let i = 0; i < many; i++) {
    const x = 160 + (i - (many - 1) / 2) * 48;
    const full = random.between(40, 92);
    c.path(d`M${x - 14} 40h28v124a14 14 0 0 1 -28 0z`, tone(20, 0.7), { stroke: tone(80), width: 2.5 });
    c.path(d`M${x - 11} ${166 - full}h22v${full - 2}a11 11 0 0 1 -22 0z`, i === odd ? danger : tone(58));
    c.rect(x - 18, 34, 36, 8, tone(86));
    c.dots(
      [
        [x - 4, 150 - full * 0.4],
        [x + 4, 156 - full * 0.2],
        [x, 140 - full * 0.3],
      ],
      5,
      "#ffffffaa",
    );
    if (i === odd) flare(stage, x, 130, 44, 0.5);
  }
  c.rect(20, 184, 280, 8, tone(60));
  waypoint(stage, 160 + (odd - (many - 1) / 2) * 48, 16, true);
};

/** A ship that is filled from another. */
export const refuel: Motif = (stage) => {
  const { c, random, x, y, tone, accent } = stage;
  const light = c.linear([
    [0, tone(46)],
    [0.25, tone(86)],
    [1, tone(20)],
  ]);
  c.polygon(cut(10, y - 76, 150, 54, 18), light);
  c.polygon(cut(30, y - 22, 110, 30, 10), tone(36));
  for (let i = 0; i < 3; i++) c.rect(34 + i * 36, y - 76, 6, 54, tone(30));
  const sag = random.between(24, 60);
  c.path(d`M120 ${y - 6}C150 ${y + sag + 40} ${x + 30} ${y + sag} ${x + 62} ${y + 30}`, "none", {
    stroke: tone(90),
    width: 5,
  });
  c.path(d`M120 ${y - 6}C150 ${y + sag + 40} ${x + 30} ${y + sag} ${x + 62} ${y + 30}`, "none", {
    stroke: accent,
    width: 2.5,
    dash: "10 8",
  });
  dart(stage, x + 58, y + 28, 2, tone(76), -74 + random.between(-10, 10));
  waypoint(stage, x + 62, y + 30, true);
};

/** Notes on their lines. */
export const melody: Motif = (stage) => {
  const { c, random, y, tone, accent } = stage;
  const bend = random.between(-24, 24);
  for (let i = 0; i < 5; i++)
    c.path(d`M0 ${y - 40 + i * 20}Q160 ${y - 40 + i * 20 + bend} 320 ${y - 40 + i * 20}`, "none", {
      stroke: tone(70, 0.8),
      width: 1.8,
    });
  for (let i = 0; i < 7; i++) {
    const px = 34 + i * 43;
    const py = y + random.whole(-4, 4) * 10 + bend * 0.4;
    const fill = i === 4 ? accent : tone(90);
    c.ellipse(px, py, 11, 8, fill, {}, -20);
    c.line(px + 9, py - 2, px + 9, py - 46, fill, 3);
    if (i % 2) c.path(d`M${px + 9} ${py - 46}q16 8 12 24`, "none", { stroke: fill, width: 3 });
  }
};

/** Rain on a pane. */
export const rain: Motif = (stage) => {
  const { c, random, x, y, tone, accent } = stage;
  const lean = random.between(-14, 14);
  let near = "";
  let far = "";
  for (let i = 0; i < 60; i++) {
    const px = random.between(-10, 330);
    const py = random.between(-20, 210);
    const long = random.between(14, 44);
    const drop = d`M${px} ${py}l${(lean * long) / 40} ${long}`;
    if (i % 3) far += drop;
    else near += drop;
  }
  c.path(far, "none", { stroke: tone(70, 0.4), width: 1.4 });
  c.path(near, "none", { stroke: tone(92, 0.8), width: 2.2 });
  for (const r of [1, 2, 3]) c.ellipse(x, y + 62, r * 34, r * 9, "none", { stroke: tone(84, 0.9 - r * 0.2), width: 2 });
  c.path(d`M${x} ${y - 24}q22 36 22 50a22 22 0 0 1 -44 0q0 -14 22 -50z`, accent);
};

/** One way that seems to be three. */
export const fork: Motif = (stage) => {
  const { c, random, x, y, tone, accent } = stage;
  const real = random.whole(0, 2);
  for (let i = 0; i < 3; i++) {
    const end = y + (i - 1) * 72;
    const line = d`M-10 ${y}H${x - 66}C${x - 10} ${y} ${x - 10} ${end} ${x + 66} ${end}`;
    const strong = i === real;
    c.path(line, "none", strong ? { stroke: tone(92), width: 6 } : { stroke: tone(62, 0.9), width: 4, dash: "9 8" });
    c.polygon([x + 98, end, x + 62, end - 15, x + 70, end, x + 62, end + 15], strong ? accent : tone(56));
    if (!strong) c.circle(x + 82, end, 27, "none", { stroke: tone(60, 0.7), width: 1.6, dash: "4 5" });
  }
  flare(stage, x + 84, y + (real - 1) * 72, 40, 0.6);
};

/** Something above its reflection, which is not the same. */
export const mirror: Motif = (stage) => {
  const { c, random, x, y, tone, danger, accent } = stage;
  const shape = random.pick([4, 6, 8]);
  const tower: Point[] = [
    [-52, 0],
    [-52, -34],
    [-30, -34],
    [-30, -60],
    [-12, -60],
    [0, -92],
    [12, -60],
    [30, -60],
    [30, -34],
    [52, -34],
    [52, 0],
  ];
  c.at(x, y, 1, 0, () => c.polygon(tower, tone(84)));
  c.group(() => c.polygon(tower, danger, { opacity: 0.85 }), { transform: d`translate(${x} ${y + 6}) scale(1 -1)` });
  for (let i = 0; i < 7; i++) {
    const wide = random.between(40, 130);
    c.rect(x - wide / 2 + random.between(-30, 30), y + 14 + i * 12, wide, 2.4, tone(12, 0.75));
  }
  c.rect(0, y, 320, 5, tone(70, 0.9));
  c.polygon(ring(x, y - 104, 9, shape), accent);
  c.polygon(ring(x, y + 110, 7, shape), "#ff9a94");
};

/** A lens over tracks. */
export const lens: Motif = (stage) => {
  const { c, random, x, y, tone, accent } = stage;
  const turn = random.between(-30, 10);
  for (let i = 0; i < 9; i++) {
    const px = 16 + i * 36;
    const py = y + Math.sin(i * 0.9 + turn) * 36 + (i % 2) * 16;
    c.ellipse(px, py, 7, 12, tone(60, 0.75), {}, 60);
    c.ellipse(px + 12, py + 5, 4, 6, tone(60, 0.75), {}, 60);
  }
  c.at(x, y - 6, 1, turn, () => {
    c.polygon(cut(48, -9, 84, 20, 6), tone(34), { stroke: tone(80), width: 2 });
    c.circle(0, 0, 58, tone(70, 0.28), { stroke: tone(90), width: 9 });
    c.path("M-40-14A44 44 0 0 1-8-42", "none", { stroke: "#ffffffcc", width: 5 });
  });
  c.ellipse(x, y, 17, 27, accent, {}, 60);
  c.ellipse(x + 26, y + 12, 9, 13, accent, {}, 60);
};
