/** Motifs of fighting: sights, salvos, bursts, formations. */

import { d, num, outline, type Point, star } from "../canvas";
import { angles, dart, flare, type Motif, orb, polar, ticks, waypoint } from "./stage";

export const sight: Motif = (stage) => {
  const { c, random, x, y, tone, accent } = stage;
  for (const [at, r] of [86, 62, 34].entries()) {
    c.circle(x, y, r, "none", {
      stroke: tone(66, 0.9),
      width: at === 1 ? 4 : 1.6,
      ...(at === 0 ? { dash: "30 10" } : {}),
    });
  }
  ticks(stage, 66, 36, 6);
  c.path(
    d`M${x + 20} ${y}H${x + 120}M${x - 20} ${y}H${x - 120}M${x} ${y + 20}V${y + 110}M${x} ${y - 20}V${y - 110}`,
    "none",
    { stroke: tone(78), width: 2.2 },
  );
  const many = random.whole(1, 4);
  for (let i = 0; i < many; i++) {
    const [px, py] = i === 0 ? [x, y] : polar(stage, random.angle(), random.between(30, 66));
    dart(stage, px, py - 11, i === 0 ? 0.8 : 0.55, i === 0 ? accent : tone(64), random.between(-50, 50));
  }
};

export const vectors: Motif = (stage) => {
  const { c, random, x, y, tone } = stage;
  for (let i = 0; i < 4; i++) {
    const from = 30 + i * 42 + random.between(-8, 8);
    const to = y + random.between(-24, 24);
    const bend = random.between(-50, 50);
    c.path(d`M-10 ${from}C90 ${from + bend} 150 ${to + bend} ${x + 50} ${to}`, "none", {
      stroke: tone(i % 2 ? 58 : 74, 0.95),
      width: 5 - i * 0.6,
      ...(i % 2 ? { dash: "10 5" } : {}),
    });
    c.polygon([x + 72, to, x + 50, to - 8, x + 55, to, x + 50, to + 8], tone(82));
  }
  flare(stage, x + 84, y, 66, 0.8);
  c.circle(x + 84, y, 46, "none", { stroke: tone(80), width: 2.5, dash: "16 7" });
  c.circle(x + 84, y, 17, stage.accent);
};

export const salvo: Motif = (stage) => {
  const { c, random, x, tone } = stage;
  const many = random.whole(5, 8);
  for (let i = 0; i < many; i++) {
    const from = 20 + (i * 280) / many;
    const top = random.between(18, 70);
    const tip = from + (x - from) * 0.5 + random.between(-12, 12);
    c.path(d`M${from} 224C${from} 150 ${tip} 140 ${tip} ${top + 24}`, "none", {
      stroke: c.linear([
        [0, tone(92)],
        [1, tone(44, 0)],
      ]),
      width: 5,
    });
    c.path(d`M${tip} ${top}l6 14v16h-12v-16z`, tone(86));
    c.path(d`M${tip} ${top}l6 14h-12z`, i % 3 === 0 ? stage.accent : tone(60));
    c.path(d`M${tip - 6} ${top + 24}l-4 10h20l-4 -10z`, tone(48));
  }
};

export const burst: Motif = (stage) => {
  const { c, random, x, y, tone } = stage;
  angles(22).forEach((angle) => {
    const turned = angle + random.between(-0.1, 0.1);
    const far = random.between(60, 190);
    const wide = random.between(0.2, 0.6);
    c.polygon(
      [polar(stage, turned - wide, 16), polar(stage, turned, far), polar(stage, turned + wide, 16)],
      tone(random.between(46, 74), 0.85),
    );
  });
  for (let i = 0; i < 18; i++) {
    const angle = random.angle();
    const far = random.between(40, 140);
    const size = random.between(4, 14);
    c.polygon(
      [polar(stage, angle, far), polar(stage, angle + 0.1, far + size), polar(stage, angle + 0.16, far)],
      tone(8),
    );
  }
  c.circle(
    x,
    y,
    46,
    c.radial([
      [0, "#fff"],
      [0.4, tone(78)],
      [1, tone(56, 0)],
    ]),
  );
};

/** Dark stripes above and below: something is wrong. */
function stripes(stage: Parameters<Motif>[0]): void {
  const bars = (y: number, high: number): string =>
    Array.from(
      { length: 13 },
      (_, at) =>
        `${outline([
          [at * 30 - 20, y],
          [at * 30 - 4, y],
          [at * 30 - 4 - high, y + high],
          [at * 30 - 20 - high, y + high],
        ])}z`,
    ).join("");
  stage.c.path(bars(198, 22) + bars(0, 12), stage.tone(54, 0.95));
}

export const alarm: Motif = (stage) => {
  const { c, x, y, tone } = stage;
  flare(stage, x, y, 120, 0.4);
  c.polygon([x, y - 84, x + 92, y + 66, x - 92, y + 66], tone(24, 0.8), { stroke: tone(66), width: 9, join: "bevel" });
  c.polygon([x - 8, y - 26, x + 8, y - 26, x + 4, y + 22, x - 4, y + 22], "#fff");
  c.circle(x, y + 40, 6.5, "#fff");
  stripes(stage);
};

export const klaxon: Motif = (stage) => {
  const { c, random, x, y, tone, danger } = stage;
  const turn = random.between(-30, 30);
  c.at(x, y, 1, turn, () => {
    const beam = c.linear(
      [
        [0, tone(70, 0.8)],
        [1, tone(50, 0)],
      ],
      [0, 0],
      [1, 0],
    );
    c.polygon([10, -12, 230, -86, 230, 86, 10, 12], beam);
    c.at(0, 0, 1, 180, () => c.polygon([10, -12, 230, -86, 230, 86, 10, 12], beam));
  });
  c.circle(x, y, 54, tone(22), { stroke: tone(64), width: 4 });
  c.circle(
    x,
    y,
    40,
    c.radial([
      [0, "#fff"],
      [0.35, tone(80)],
      [1, danger],
    ]),
  );
  c.circle(x, y, 40, "none", { stroke: tone(86), width: 2 });
  ticks(stage, 46, 24, 6, 2);
  stripes(stage);
};

export const formation: Motif = (stage) => {
  const { c, random, x, tone, accent } = stage;
  const many = random.pick([3, 5, 5, 7]);
  for (let i = 0; i < many; i++) {
    const off = i - (many - 1) / 2;
    const px = x + off * (260 / many);
    const py = 118 + Math.abs(off) * 22;
    const size = 1.5 - many * 0.08;
    c.path(d`M${px} ${py + 40 * size}V230`, "none", { stroke: tone(86, 0.5), width: 4, dash: "2 4" });
    dart(stage, px, py, size, off === 0 ? "#fff" : tone(80));
  }
  c.circle(x, 58, 30, "none", { stroke: accent, width: 3, dash: "12 6" });
  c.circle(x, 58, 8, accent);
};

export const assault: Motif = (stage) => {
  const { c, x, tone, danger, random } = stage;
  const y = random.between(50, 72);
  for (const off of [-1, 0, 1]) {
    const px = x + off * 76;
    const py = off === 0 ? 172 : 188;
    c.path(d`M${px} ${py}Q${px + off * 24} ${y + 70} ${x + off * 20} ${y + 30}`, "none", {
      stroke: tone(86),
      width: 6,
    });
    c.polygon([x + off * 18, y + 20, x + off * 20 + 11, y + 36, x + off * 22 - 11, y + 36], tone(92));
    dart(stage, px, py - 8, 1.1, off === 0 ? "#fff" : tone(76));
  }
  c.polygon([x - 48, y + 6, x - 16, y - 20, x + 16, y - 20, x + 48, y + 6, x + 16, y + 18, x - 16, y + 18], danger);
  c.polygon([x - 48, y + 6, x - 16, y - 20, x + 16, y - 20, x + 48, y + 6], "#ffffff26");
  c.polygon([x, y - 11, x + 9, y, x, y + 11, x - 9, y], stage.accent);
};

/** Two craft nose to nose. */
export const duel: Motif = (stage) => {
  const { c, random, x, y, tone, accent, danger } = stage;
  const lean = random.between(-18, 18);
  c.polygon([0, 0, x + lean, 0, x - lean, 220, 0, 220], tone(60, 0.14));
  dart(stage, x - 26, y, 2.5, tone(80), 90);
  dart(stage, x + 26, y, 2.5, danger, -90);
  c.path(d`M${x + lean} 0L${x - lean} 220`, "none", { stroke: accent, width: 3 });
  c.polygon(star(x, y, 26, 7, 4), "#fff");
  flare(stage, x, y, 44, 0.8);
  for (const side of [-1, 1])
    c.path(
      d`M${x + side * 118} ${y - 30}h${side * 40}M${x + side * 126} ${y}h${side * 50}M${x + side * 118} ${y + 30}h${side * 40}`,
      "none",
      { stroke: tone(70, 0.6), width: 3 },
    );
};

/** A hull with a breach in it, and the way in. */
export const breach: Motif = (stage) => {
  const { c, random, x, y, tone, accent } = stage;
  for (let row = 0; row < 5; row++) {
    for (let column = 0; column < 6; column++) {
      c.rect(column * 62 - 20 + (row % 2) * 26, row * 46 - 8, 60, 44, tone(20 + ((row * 7 + column * 5) % 4) * 4), {
        stroke: tone(46, 0.6),
      });
    }
  }
  const hole = angles(14).map((angle): Point => polar(stage, angle, random.between(48, 72)));
  c.polygon(hole, tone(4), { stroke: tone(84), width: 3, join: "miter" });
  flare(stage, x, y, 60, 0.75);
  for (const angle of angles(14)) {
    const far = random.between(78, 116);
    c.polygon([polar(stage, angle - 0.12, 66), polar(stage, angle, far), polar(stage, angle + 0.12, 66)], tone(52));
  }
  dart(stage, x, y - 22, 1.25, accent, random.between(-20, 20));
};

/** A big ship about to strike another. */
export const collision: Motif = (stage) => {
  const { c, x, y, tone, accent, danger } = stage;
  c.polygon([-10, y + 66, x - 60, y + 20, x - 4, y - 2, x - 30, y + 30, -10, y + 104], tone(76));
  c.polygon([-10, y + 66, x - 60, y + 20, x - 4, y - 2, -10, y + 80], tone(92));
  c.polygon([x + 30, y - 74, 330, y - 104, 330, y + 10, x + 46, y + 16], danger);
  c.polygon([x + 30, y - 74, 330, y - 104, 330, y - 60, x + 34, y - 44], "#ffffff30");
  c.polygon(star(x + 20, y - 10, 62, 20, 9), tone(84));
  c.polygon(star(x + 20, y - 10, 36, 12, 9), accent);
  flare(stage, x + 20, y - 10, 84, 0.8);
};

/** Rounds in a row, one of them lit. */
export const rounds: Motif = (stage) => {
  const { c, random, tone, accent } = stage;
  const many = random.whole(6, 8);
  const lit = random.whole(1, many - 2);
  const wide = 272 / many;
  for (let i = 0; i < many; i++) {
    const x = 24 + i * wide;
    const top = 62 + (i % 2) * 8;
    const body = c.linear(
      [
        [0, tone(34)],
        [0.3, i === lit ? accent : tone(80)],
        [1, tone(20)],
      ],
      [0, 0],
      [1, 0],
    );
    const w = wide * 0.66;
    c.path(
      d`M${x} ${top + 40}Q${x} ${top + 8} ${x + w / 2} ${top}Q${x + w} ${top + 8} ${x + w} ${top + 40}z`,
      i === lit ? accent : tone(62),
    );
    c.rect(x, top + 40, w, 92, body);
    c.rect(x - 2, top + 124, w + 4, 8, tone(54));
    if (i === lit) flare(stage, x + w / 2, top + 20, 46, 0.7);
  }
  c.rect(0, 196, 320, 5, tone(60, 0.7));
  c.path(`M0 208h320`, "none", { stroke: tone(60, 0.5), width: 3, dash: "14 8" });
};

/** A craft tumbling away, and the beacon it left. */
export const downed: Motif = (stage) => {
  const { c, random, x, y, tone, accent } = stage;
  const turn = random.between(110, 160);
  c.path(d`M-10 ${y - 84}C80 ${y - 90} ${x - 30} ${y - 60} ${x + 6} ${y + 4}`, "none", {
    stroke: tone(60, 0.7),
    width: 14,
    dash: "4 3",
  });
  c.path(d`M-10 ${y - 84}C80 ${y - 90} ${x - 30} ${y - 60} ${x + 6} ${y + 4}`, "none", {
    stroke: tone(88, 0.8),
    width: 3,
  });
  dart(stage, x + 22, y + 44, 2, tone(82), turn);
  for (let i = 0; i < 9; i++) {
    const [px, py] = polar(stage, random.angle(), random.between(20, 84));
    c.polygon([px, py, px + random.between(4, 10), py + 3, px + 2, py + random.between(5, 11)], tone(70, 0.8));
  }
  for (const r of [14, 30, 46]) c.circle(x + 88, y + 48, r, "none", { stroke: accent, width: 2, opacity: 1 - r / 60 });
  c.circle(x + 88, y + 48, 5, accent);
};

/** A pattern of fire laid along a line. */
export const strafe: Motif = (stage) => {
  const { c, random, y, tone, accent } = stage;
  const slope = random.between(-0.5, 0.5);
  for (let i = 0; i < 9; i++) {
    const px = 18 + i * 35;
    const py = y + 40 + (px - 160) * slope * 0.4 + (i % 2) * 14;
    c.line(px - 42, py - 130, px, py, tone(78, 0.8), 2.4, { dash: "16 8" });
    c.polygon(star(px, py, 17, 6, 7), i === 4 ? accent : tone(72));
  }
  dart(stage, 74, 22, 1.4, "#fff", 120);
  dart(stage, 132, 12, 0.9, tone(72), 120);
};

/** Contacts on a sweep. */
export const contacts: Motif = (stage) => {
  const { c, random, x, y, tone, danger, accent } = stage;
  for (const r of [24, 48, 72, 96]) c.circle(x, y, r, "none", { stroke: tone(62, 0.7), width: r === 96 ? 2.5 : 1.2 });
  ticks(stage, 96, 48, 6, 1.4);
  c.path(d`M${x - 96} ${y}h192M${x} ${y - 96}v192`, "none", { stroke: tone(62, 0.5) });
  const sweep = random.angle();
  const [ax, ay] = polar(stage, sweep, 96);
  const [bx, by] = polar(stage, sweep + 0.8, 96);
  c.path(d`M${x} ${y}L${ax} ${ay}A96 96 0 0 1 ${bx} ${by}z`, tone(70, 0.34));
  c.line(x, y, bx, by, tone(88), 2);
  const many = random.whole(3, 8);
  for (let i = 0; i < many; i++) {
    const [px, py] = polar(stage, random.angle(), random.between(26, 88));
    c.path(d`M${px} ${py - 7}l7 12h-14z`, i === 0 ? accent : i % 2 ? danger : tone(84));
  }
};

/** The place to hold, and rings that close round it. */
export const closing: Motif = (stage) => {
  const { c, x, y, tone, random } = stage;
  const turn = random.between(0, 40);
  for (const [at, r] of [104, 80, 58].entries()) {
    c.at(x, y, 1, turn * (at % 2 ? -1 : 1), () =>
      c.polygon(octagon(r), "none", {
        stroke: tone(50 + at * 14),
        width: 3 + at * 2,
        dash: at === 2 ? "none" : `${num(r * 0.5)} ${num(r * 0.22)}`,
      }),
    );
  }
  for (const angle of angles(4)) {
    const [px, py] = polar(stage, angle + Math.PI / 4, 66);
    const [qx, qy] = polar(stage, angle + Math.PI / 4, 34);
    c.line(px, py, qx, qy, tone(84), 4);
    c.circle(qx, qy, 5, tone(92));
  }
  orb(stage, x, y, 15, 92, 40);
  waypoint(stage, x, y, true);
};

const octagon = (r: number): Point[] =>
  angles(8).map((angle): Point => [r * Math.cos(angle + Math.PI / 8), r * Math.sin(angle + Math.PI / 8)]);

/** A shield of several shells. */
export const shield: Motif = (stage) => {
  const { c, random, x, y, tone, accent } = stage;
  const shells = random.whole(3, 6);
  for (let i = shells - 1; i >= 0; i--) {
    const s = 1 + i * 0.28;
    c.path(
      d`M${x - 44 * s} ${y - 46 * s}H${x + 44 * s}V${y + 6 * s}C${x + 44 * s} ${y + 38 * s} ${x + 20 * s} ${y + 54 * s} ${x} ${y + 66 * s}C${x - 20 * s} ${y + 54 * s} ${x - 44 * s} ${y + 38 * s} ${x - 44 * s} ${y + 6 * s}z`,
      i === 0 ? tone(58, 0.95) : tone(50, 0.1),
      { stroke: tone(70, 0.85 - i * 0.12), width: 2 },
    );
  }
  const mark = random.whole(0, 2);
  if (mark === 0) c.polygon([x, y - 30, x + 26, y, x, y + 32, x - 26, y], accent);
  else if (mark === 1) c.polygon(star(x, y, 30, 12, random.whole(5, 8)), accent);
  else
    c.path(d`M${x - 28} ${y - 20}h56M${x - 28} ${y}h56M${x - 18} ${y + 20}h36`, "none", { stroke: accent, width: 8 });
};
