/** Motifs of people and what they do to each other: assemblies, law, faith, masks, copies. */

import { cut, d, type Point, ring, star } from "../canvas";
import { angles, flare, type Motif, polar, type Stage, ticks, waypoint } from "./stage";

/** Head and shoulders as a flat shape, feet of the shape at `y`. */
function figure({ c }: Stage, x: number, y: number, size: number, fill: string, stroke = ""): void {
  c.at(x, y, size, 0, () =>
    c.path(
      "M-14-78L0-90L14-78V-54L8-40H-8L-14-54zM-34 0V-8L-20-26L-8-34H8L20-26L34-8V0z",
      fill,
      stroke ? { stroke, width: 1.6 } : {},
    ),
  );
}

export const assembly: Motif = (stage) => {
  const { c, random, x, tone } = stage;
  const share = random.between(0.35, 0.65);
  const shift = random.whole(-2, 2);
  const lit: Point[] = [];
  const dim: Point[] = [];
  for (let row = 0; row < 5; row++) {
    const r = 36 + row * 21;
    const many = 8 + row * 4;
    for (let i = 0; i <= many; i++) {
      const angle = Math.PI + (Math.PI * i) / many;
      const at: Point = [x + r * Math.cos(angle), 170 + r * Math.sin(angle)];
      (i / many < share + shift * 0.04 ? lit : dim).push(at);
    }
  }
  c.dots(dim, 12, tone(34));
  c.dots(lit, 12, tone(72));
  c.polygon([x - 20, 190, x + 20, 190, x + 14, 160, x - 14, 160], tone(84));
  waypoint(stage, x, 148, true);
};

export const seal: Motif = (stage) => {
  const { c, random, x, y, tone, accent } = stage;
  c.circle(x, y, 84, "none", { stroke: tone(64), width: 3 });
  ticks(stage, 86, 48, 9, 2);
  c.circle(x, y, 68, tone(36, 0.6), { stroke: tone(70), width: 1.5 });
  const rays = random.whole(5, 10);
  c.polygon(star(x, y, 60, random.between(18, 34), rays), tone(74));
  c.polygon(ring(x, y, 19, random.pick([4, 6, 8])), tone(20));
  c.circle(x, y, 8, accent);
  if (random.chance())
    c.path(
      d`M${x - 96} ${y + 84}Q${x} ${y + 116} ${x + 96} ${y + 84}l-12 -16Q${x} ${y + 92} ${x - 84} ${y + 68}z`,
      tone(58),
      { stroke: tone(80) },
    );
};

export const laurel: Motif = (stage) => {
  const { c, random, x, y, tone, accent } = stage;
  const leaves = random.whole(7, 10);
  for (const side of [-1, 1]) {
    for (let i = 0; i < leaves; i++) {
      const angle = 1.25 - (i * 2.3) / leaves;
      const px = x + side * 80 * Math.cos(angle);
      const py = y + 4 + 80 * Math.sin(angle);
      c.at(px, py, 1, side * (-20 - i * (150 / leaves)) + (side < 0 ? 180 : 0), () =>
        c.path("M0 0C12-13 26-11 34 0C24 9 12 9 0 0z", tone(i % 2 ? 84 : 66)),
      );
    }
  }
  c.polygon(star(x, y, 44, 17, random.pick([5, 6, 8])), accent);
  flare(stage, x, y, 70, 0.4);
};

/** Figures round a table. */
export const council: Motif = (stage) => {
  const { c, random, x, tone, accent } = stage;
  const many = random.pick([8, 10, 12]);
  const chosen = random.whole(1, many - 2);
  for (let i = 0; i < many; i++) {
    const angle = Math.PI * 1.04 + (Math.PI * 0.92 * i) / (many - 1);
    const px = x + 112 * Math.cos(angle);
    const py = 168 + 104 * Math.sin(angle);
    figure(stage, px, py + 22, 0.42, i === chosen ? accent : tone(66 + (i % 3) * 9));
  }
  c.ellipse(x, 176, 84, 24, tone(30), { stroke: tone(84), width: 2 });
  c.ellipse(x, 174, 56, 13, tone(46));
  c.polygon(star(x, 174, 16, 6, 6), tone(90));
};

/** A balance, tipped one way. */
export const scales: Motif = (stage) => {
  const { c, random, x, y, tone, accent } = stage;
  const tip = random.pick([-16, -9, 9, 16]);
  c.path(d`M${x} ${y - 80}V${y + 84}M${x - 46} ${y + 86}H${x + 46}`, "none", { stroke: tone(78), width: 6 });
  c.path(d`M${x - 92} ${y - 52 - tip}L${x + 92} ${y - 52 + tip}`, "none", { stroke: tone(88), width: 5 });
  c.polygon([x, y - 92, x + 12, y - 80, x, y - 68, x - 12, y - 80], accent);
  for (const side of [-1, 1]) {
    const px = x + side * 92;
    const py = y - 52 + side * tip;
    c.path(d`M${px} ${py}L${px - 34} ${py + 66}H${px + 34}z`, "none", { stroke: tone(70), width: 2 });
    c.path(
      d`M${px - 42} ${py + 66}H${px + 42}Q${px + 30} ${py + 92} ${px} ${py + 92}Q${px - 30} ${py + 92} ${px - 42} ${py + 66}z`,
      tone(60),
      { stroke: tone(84) },
    );
    if (side * tip > 0) c.polygon(cut(px - 15, py + 38, 30, 28, 7), accent);
  }
};

/** Bars, and somebody behind them. */
export const bars: Motif = (stage) => {
  const { c, random, x, y, tone, accent } = stage;
  flare(stage, x + random.between(-40, 40), y - 20, 110, 0.55);
  figure(stage, x, 220, 1.5, tone(10));
  for (let i = 0; i < 9; i++) {
    const px = 10 + i * 37;
    c.rect(
      px,
      0,
      11,
      220,
      c.linear(
        [
          [0, tone(40)],
          [0.3, tone(84)],
          [1, tone(20)],
        ],
        [0, 0],
        [1, 0],
      ),
    );
  }
  c.rect(0, 40, 320, 12, tone(50));
  c.rect(0, 176, 320, 12, tone(46));
  c.polygon(cut(x - 24, y + 18, 48, 42, 9), tone(30), { stroke: tone(80), width: 3 });
  c.circle(x, y + 34, 6, accent);
  c.path(d`M${x - 3} ${y + 36}h6v12h-6z`, accent);
};

/** Many of the same, one of them lit. */
export const copies: Motif = (stage) => {
  const { random, tone, danger } = stage;
  const many = random.pick([5, 7, 9]);
  const lit = random.whole(1, many - 2);
  for (let i = 0; i < many; i++) {
    const x = ((i + 0.5) * 320) / many;
    if (i !== lit) figure(stage, x, 214, 1.25 - many * 0.05, tone(28 + (i % 2) * 9), tone(60));
  }
  const x = ((lit + 0.5) * 320) / many;
  flare(stage, x, 120, 90, 0.5);
  figure(stage, x, 216, 1.62 - many * 0.05, danger, "#ffd0ca");
  stage.c.rect(x - 13, 96, 26, 4.5, "#fff");
};

/** Two faces that look away from each other, or one split down the middle. */
export const mask: Motif = (stage) => {
  const { c, random, x, y, tone, danger, accent } = stage;
  const lean = random.between(-6, 6);
  const half = (side: 1 | -1, fill: string): void =>
    c.at(x + side * 3, y, 1.22, lean, () => c.path("M0-76L34-64L52-30L48 16L26 58L0 78z", fill), side);
  half(1, tone(80));
  half(-1, danger);
  c.at(x, y, 1.22, lean, () => {
    c.polygon([12, -16, 42, -22, 36, -6, 16, -4], tone(8));
    c.polygon([-12, -16, -42, -22, -36, -6, -16, -4], "#150308");
    c.polygon([-38, -16, -16, -12, -18, -8, -36, -11], "#ff5a62");
    c.path("M6 36Q18 44 32 34", "none", { stroke: tone(20), width: 4 });
    c.path("M-6 40Q-18 30-32 38", "none", { stroke: "#150308", width: 4 });
    c.path("M0-6L8 20L0 24", "none", { stroke: tone(40), width: 3 });
  });
  c.path(d`M${x - 4} ${y - 96}L${x + 6} ${y - 40}L${x - 6} ${y + 10}L${x + 5} ${y + 60}L${x - 3} ${y + 100}`, "none", {
    stroke: accent,
    width: 2.5,
  });
};

/** Voices: microphones towards one who speaks. */
export const voices: Motif = (stage) => {
  const { c, random, x, tone, accent } = stage;
  flare(stage, x, 70, 120, 0.6);
  figure(stage, x, 186, 1.5, tone(14), tone(70));
  c.polygon([x - 76, 160, x + 76, 160, x + 60, 224, x - 60, 224], tone(32), { stroke: tone(74), width: 2 });
  c.polygon(star(x, 190, 17, 7, 6), accent);
  const many = random.whole(3, 5);
  for (let i = 0; i < many; i++) {
    const side = i % 2 ? 1 : -1;
    const far = 40 + Math.floor(i / 2) * 44;
    c.at(x + side * far, 150 + Math.floor(i / 2) * 8, 1, side * -24, () => {
      c.rect(-3, 0, 6, 80, tone(44));
      c.polygon(cut(-10, -28, 20, 32, 6), tone(78), { stroke: tone(20) });
      c.path("M-8-18H8M-8-10H8M-8-2H8", "none", { stroke: tone(30), width: 2 });
    });
  }
};

/** Hands joined: two rings through each other. */
export const union: Motif = (stage) => {
  const { c, random, x, y, tone, accent } = stage;
  const sides = random.pick([6, 8, 30]);
  const gap = random.between(30, 40);
  for (const side of [-1, 1])
    c.polygon(ring(x + side * gap, y, 60, sides), "none", {
      stroke: side < 0 ? tone(62) : tone(88),
      width: 13,
      join: "miter",
    });
  c.inside(d`M${x - 16} ${y - 90}h40v66h-40z`, () =>
    c.polygon(ring(x - gap, y, 60, sides), "none", { stroke: tone(62), width: 13 }),
  );
  c.polygon(star(x, y, 22, 8, 8), accent);
  flare(stage, x, y, 40, 0.5);
};

/** Stars joined to a figure. */
export const constellation: Motif = (stage) => {
  const { c, random, x, y, tone, accent } = stage;
  const points: Point[] = Array.from(
    { length: random.whole(7, 11) },
    (): Point => [x + random.between(-112, 112), y + random.between(-80, 76)],
  );
  points.sort((a, b) => a[0] - b[0]);
  c.polyline(points, tone(70, 0.8), 1.6);
  const extra = points.filter((_, at) => at % 3 === 0);
  c.polyline(extra, tone(70, 0.5), 1.2, { dash: "4 4" });
  points.forEach(([px, py], at) => {
    const r = at % 3 === 0 ? 13 : 7;
    flare(stage, px, py, r * 1.5, 0.5);
    c.polygon(star(px, py, r, r * 0.2, 4), at === 3 ? accent : "#fff");
  });
};

/** A bow of stars, and its arrow. */
export const arrow: Motif = (stage) => {
  const { c, x, y, tone, accent, random } = stage;
  const turn = random.between(-40, -8);
  c.at(x, y, 1, turn, () => {
    c.path("M-20-92Q60-40 60 0Q60 40-20 92", "none", { stroke: tone(80), width: 6 });
    c.path("M-20-92L-52 0L-20 92", "none", { stroke: tone(66), width: 1.6 });
    c.line(-96, 0, 106, 0, tone(88), 4);
    c.polygon([132, 0, 98, -13, 106, 0, 98, 13], accent);
    c.path("M-96 0l-16-11M-84 0l-16-11M-96 0l-16 11M-84 0l-16 11", "none", { stroke: tone(70), width: 3 });
    for (const [px, py] of [
      [-20, -92],
      [60, 0],
      [-20, 92],
    ] as const)
      c.polygon(star(px, py, 13, 3, 4), "#fff");
  });
};

/** A snake in coils. */
export const serpent: Motif = (stage) => {
  const { c, x, y, tone, accent, random } = stage;
  const flip = random.side();
  c.at(
    x,
    y,
    1,
    0,
    () => {
      const coil = "M-120 70C-70 20-40 100 10 60C60 20 0-20 40-50C62-66 84-54 92-40";
      c.path(coil, "none", { stroke: tone(20), width: 30, cap: "round" });
      c.path(coil, "none", { stroke: tone(62), width: 24, cap: "round" });
      c.path(coil, "none", { stroke: tone(86), width: 14, dash: "4 9" });
      c.polygon([76, -50, 96, -62, 122, -46, 116, -28, 92, -26], tone(70), { stroke: tone(20), width: 2 });
      c.polygon([100, -50, 112, -46, 102, -42], accent);
      c.path("M120-38l18 2M138-36l8-6M138-36l8 5", "none", { stroke: "#ff5a62", width: 2.5 });
    },
    flip,
  );
};

/** Rays over a hand that reaches up. */
export const faith: Motif = (stage) => {
  const { c, random, x, y, tone, accent } = stage;
  const many = random.whole(9, 15);
  for (const angle of angles(many)) {
    const [ax, ay] = polar({ ...stage, y: y - 34 }, angle - 0.07, 40);
    const [bx, by] = polar({ ...stage, y: y - 34 }, angle, random.between(110, 190));
    const [ex, ey] = polar({ ...stage, y: y - 34 }, angle + 0.07, 40);
    c.polygon([ax, ay, bx, by, ex, ey], tone(64, 0.5));
  }
  flare(stage, x, y - 34, 70, 0.9);
  c.polygon(star(x, y - 34, 30, 11, random.pick([6, 8, 12])), accent);
  for (const side of [-1, 1] as const) {
    c.at(
      x,
      y,
      1,
      0,
      () => {
        c.path(
          "M10 110C22 70 18 54 34 34L44 14L50 20L44 42L60 22L66 28L52 54L68 42L72 49L54 72C48 92 52 104 56 118z",
          tone(26),
          { stroke: tone(76), width: 2 },
        );
      },
      side,
    );
  }
};

/** Eyes in the dark round somebody who does not see them. */
export const ambush: Motif = (stage) => {
  const { c, random, x, y, tone, danger } = stage;
  c.circle(
    x,
    y,
    150,
    c.radial([
      [0, tone(50, 0.5)],
      [0.5, tone(6, 0.7)],
      [1, tone(3, 0.9)],
    ]),
  );
  const many = random.whole(6, 9);
  for (const angle of angles(many)) {
    const [px, py] = polar(stage, angle + random.between(-0.2, 0.2), random.between(74, 108), 0.86);
    const wide = random.between(11, 19);
    c.polygon([px - wide, py, px, py - wide * 0.36, px + wide, py, px, py + wide * 0.36], danger, {
      stroke: "#ff9a94",
    });
    c.circle(px, py, wide * 0.2, "#fff");
  }
  figure(stage, x, y + 46, 0.86, tone(84));
  waypoint(stage, x, y - 52, true);
};

/** Rings for the wrists. */
export const cuffs: Motif = (stage) => {
  const { c, random, x, y, tone, accent } = stage;
  const turn = random.between(-24, 24);
  c.at(x, y, 1, turn, () => {
    for (const side of [-1, 1]) {
      c.circle(side * 66, 18, 44, "none", { stroke: tone(side < 0 ? 66 : 82), width: 15 });
      c.circle(side * 66, 18, 44, "none", { stroke: tone(24), width: 1.5 });
      c.polygon(cut(side * 66 - 17, -44, 34, 30, 8), tone(48), { stroke: tone(84), width: 2 });
    }
    for (let i = 0; i < 4; i++)
      c.ellipse(-33 + i * 22, -30, 14, 8, "none", { stroke: tone(i % 2 ? 70 : 88), width: 5 }, i % 2 ? 30 : -30);
    c.circle(66, -30, 5, accent);
  });
};

/** A sealed letter. */
export const letter: Motif = (stage) => {
  const { c, random, x, y, tone, danger } = stage;
  c.at(x, y, 1, random.between(-14, 14), () => {
    c.polygon([-104, -62, 104, -62, 104, 70, -104, 70], tone(20), { stroke: tone(40) });
    c.polygon([-98, -70, 98, -70, 98, 62, -98, 62], tone(84));
    c.path("M-98 62L-20-2M98 62L20-2", "none", { stroke: tone(50), width: 2 });
    c.polygon([-98, -70, 98, -70, 0, 14], tone(70), { stroke: tone(46), width: 2 });
    c.polygon(ring(0, 12, 30, 14), danger);
    c.circle(0, 12, 21, "none", { stroke: "#ffffff66", width: 2 });
    c.polygon(star(0, 12, 15, 6, random.pick([4, 5, 6])), "#ffd8c8");
  });
};

/** An open book with light over it. */
export const book: Motif = (stage) => {
  const { c, random, x, y, tone, accent } = stage;
  flare(stage, x, y - 30, 100, 0.7);
  for (const side of [-1, 1] as const) {
    c.at(
      x,
      y,
      1,
      0,
      () => {
        c.polygon([0, 58, 0, -34, 34, -50, 112, -40, 112, 62, 34, 50], tone(26), { stroke: tone(60) });
        c.polygon([0, 50, 0, -42, 34, -58, 108, -48, 108, 52, 34, 42], tone(side > 0 ? 90 : 74));
        for (let i = 0; i < 6; i++) c.line(14, -28 + i * 13, 96 - (i % 3) * 16, -38 + i * 13, tone(44), 3);
      },
      side,
    );
  }
  c.polygon(star(x, y - 76, random.between(18, 24), 8, random.pick([4, 6, 8])), accent);
  for (let i = 0; i < 6; i++)
    c.circle(x + random.between(-60, 60), y - random.between(60, 96), random.between(1.5, 3.5), tone(90, 0.9));
};
