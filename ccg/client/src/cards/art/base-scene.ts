/** Pictures of bases: ships larger than on ship cards, stations, and rooms and buildings by the words of the name. */

import type { CardFacts } from "../facts";
import { Canvas, cut, d, type Point, ring, star } from "./canvas";
import { hsl } from "./colour";
import { Random } from "./random";
import {
  baseStar,
  capital,
  carrier,
  fighter,
  hull,
  liner,
  type Module,
  planTransport,
  type Ship,
  station,
  transport,
} from "./ships";
import { drawFade, drawPlanet, drawSpace, drawStars } from "./space";

const WIDTH = 420;
const HEIGHT = 260;

type Place = (c: Canvas, random: Random) => void;

/** Bases that are not seen from outside. */
const PLACES: readonly (readonly [RegExp, Place])[] = [
  [/quarters|cabin|office/i, quarters],
  [/hangar|bay\b|deck/i, hangarBay],
  [/operations|room|bridge|center|centre|cic/i, operations],
  [/school|city|town|settlement|camp|temple/i, grounds],
];

export function baseScene(card: CardFacts, seed: string): string {
  const c = new Canvas(`${seed} base`, WIDTH, HEIGHT);
  const random = new Random(`${seed} base`);
  const place = PLACES.find(([words]) => words.test(card.name))?.[1];
  if (place) place(c, random);
  else outside(c, random, card);
  drawFade(c, 0.5);
  return c.toString();
}

// ---- seen from outside ----

interface Look {
  ship: Ship;
  scale: number;
  turn: number;
  warm: boolean;
}

const MODULES: readonly (readonly [RegExp, readonly [Module, ...Module[]]])[] = [
  [/agro|garden|farm/i, ["dome"]],
  [/celestra|lab|research/i, ["sphere", "ring", "cylinder", "sphere"]],
];

function lookOf(card: CardFacts, random: Random): Look {
  const shape = new Random(`hull ${card.title}`);
  if (/base ?star/i.test(card.name))
    return { ship: baseStar(shape), scale: 1.36, turn: random.between(-8, 4), warm: false };
  if (/anchorage|station|port|dock/i.test(card.name))
    return { ship: station(shape, random), scale: 1.1, turn: random.between(-9, 9), warm: true };
  if (/flattop|carrier/i.test(card.name)) return { ship: carrier(shape, random), scale: 1.42, turn: -6, warm: true };
  if (/galactica|battlestar|\bBS\b/i.test(card.name))
    return { ship: capital(shape, random), scale: 1.5, turn: random.between(-9, -4), warm: true };
  if (/colonial (one|heavy)|liner/i.test(card.name))
    return { ship: liner(shape, random), scale: 1.5, turn: -7, warm: true };
  const modules =
    MODULES.find(([words]) => words.test(card.name))?.[1] ?? (["box", "sphere", "cylinder", "ring", "box"] as const);
  return { ship: transport(planTransport(shape, modules, 4, 5), random), scale: 1.65, turn: -7, warm: true };
}

function outside(c: Canvas, random: Random, card: CardFacts): void {
  const enemy = /base ?star|cylon/i.test(card.name);
  const hue = enemy ? random.pick([350, 340, 6]) : random.pick([214, 204, 224, 190, 240]);
  const other = enemy ? random.pick([285, 20, 320]) : random.pick([34, 28, 42, 20, 176, 265]);
  drawSpace(c, random, { hue, other, clouds: 5, stars: 120 });
  const side = random.side();
  if (random.chance(0.8)) {
    drawPlanet(c, random, {
      x: 210 + side * random.between(60, 110),
      y: HEIGHT + random.between(70, 100),
      r: random.between(150, 180),
      hue: enemy ? 350 : random.pick([28, 200, 150, 38, 210]),
      light: [0.4, 0.05],
    });
  }
  if (random.chance(0.7)) {
    drawPlanet(c, random, {
      x: 210 - side * random.between(110, 160),
      y: random.between(36, 64),
      r: random.between(14, 28),
      hue: other,
      surface: "craters",
    });
  }
  const look = lookOf(card, random);
  const escort = enemy ? null : fighter(random, random);
  if (escort) {
    for (let i = 0; i < 3; i++) {
      c.at(
        210 - side * (118 + i * 24),
        52 + i * 15,
        0.2 - i * 0.03,
        -10 * side,
        () => escort(c, hull(210, 12), 200),
        side,
      );
    }
  }
  const colours = look.warm ? hull(random.pick([38, 30, 210]), 10) : hull(345, 10);
  c.at(206, 120, look.scale, look.turn * side, () => look.ship(c, colours, enemy ? 352 : 200), side);
}

// ---- seen from inside ----

/** The wall of a room in its hue, lit from one side. */
function wall(c: Canvas, random: Random, hue: number): void {
  c.fill(
    c.linear([
      [0, hsl(hue, 36, 12)],
      [0.6, hsl(hue, 36, 24)],
      [1, hsl(hue, 36, 10)],
    ]),
  );
  const x = random.between(120, 300);
  c.ellipse(
    x,
    70,
    260,
    150,
    c.radial([
      [0, hsl(hue, 70, 66, 0.6)],
      [1, hsl(hue, 60, 40, 0)],
    ]),
  );
}

function hangarBay(c: Canvas, random: Random): void {
  const hue = random.pick([210, 200, 36]);
  wall(c, random, hue);
  for (let i = 0; i < 7; i++) {
    const k = 1 - i * 0.125;
    c.polygon(
      cut(210 - 240 * k, 106 - 130 * k, 480 * k, 250 * k, 76 * k),
      i % 2 ? hsl(hue, 30, 14 + i * 3) : hsl(hue, 32, 18 + i * 3),
      { stroke: hsl(hue, 44, 46, 0.7) },
    );
  }
  c.inside(
    `M${cut(170, 70, 80, 62, 18)
      .map(([x, y]) => `${x} ${y}`)
      .join("L")}z`,
    () => {
      c.rect(160, 60, 100, 80, hsl(214, 50, 8));
      drawStars(c, random, 120, 140);
      c.circle(
        230,
        92,
        30,
        c.radial([
          [0, "#fff"],
          [0.4, hsl(200, 90, 80, 0.6)],
          [1, hsl(200, 90, 60, 0)],
        ]),
      );
    },
  );
  c.polygon([0, 222, 170, 140, 250, 140, 420, 222, 420, 260, 0, 260], hsl(hue, 26, 14));
  for (let i = -4; i <= 4; i++)
    c.line(210 + i * 9, 140, 210 + i * 74, 260, hsl(46, 80, 56, i === 0 ? 0.9 : 0.4), i === 0 ? 3 : 2, {
      dash: "16 10",
    });
  const craft = [fighter(random, new Random("left")), fighter(random, new Random("right"))] as const;
  c.at(96, 168, 0.86, 4, () => craft[0](c, hull(210, 10), 200));
  c.at(330, 172, 0.86, -4, () => craft[1](c, hull(36, 10), 200), -1);
  c.at(150, 138, 0.34, 0, () => craft[1](c, hull(210, 10), 200));
  c.at(274, 138, 0.34, 0, () => craft[0](c, hull(210, 10), 200), -1);
  for (let i = 0; i < 5; i++) c.rect(60 + i * 66, 12 + Math.abs(i - 2) * 5, 46, 5, hsl(48, 90, 86, 0.9));
}

function operations(c: Canvas, random: Random): void {
  const hue = random.pick([206, 170, 224]);
  wall(c, random, hue);
  for (let i = 0; i < 5; i++) {
    const x = 14 + i * 82;
    const y = 22 - Math.abs(i - 2) * 4 + 8;
    c.polygon(cut(x, y, 70, 54, 9), hsl(hue, 40, 8), { stroke: hsl(hue, 50, 56), width: 2 });
    drawDisplay(c, random, x + 8, y + 8, 54, 38, i === 2 ? 352 : hue);
  }
  c.polygon([0, 150, 420, 150, 420, 260, 0, 260], hsl(hue, 34, 9, 0.8));
  c.polygon([70, 172, 350, 172, 400, 232, 20, 232], hsl(hue, 40, 16), { stroke: hsl(hue, 60, 60), width: 2 });
  for (const r of [20, 46, 72, 98]) c.ellipse(210, 202, r * 1.35, r * 0.28, "none", { stroke: hsl(hue, 70, 70, 0.8) });
  c.ellipse(
    210,
    196,
    150,
    46,
    c.radial([
      [0, hsl(hue, 90, 84, 0.6)],
      [1, hsl(hue, 90, 60, 0)],
    ]),
  );
  for (let i = 0; i < 7; i++)
    c.path(d`M${random.between(110, 310)} ${random.between(190, 214)}l5 8h-10z`, i < 2 ? "#ff5a5f" : "#ffc46b");
  const people: Point[] = [
    [70, 150],
    [130, 142],
    [292, 142],
    [352, 150],
  ];
  for (const [x, y] of people) drawFigure(c, x, y + 78, hsl(hue, 40, 5), hsl(hue, 70, 62));
  for (let i = 0; i < 6; i++) c.rect(24 + i * 66, 8, 40, 3.5, hsl(48, 90, 84, 0.8));
}

function drawDisplay(
  c: Canvas,
  random: Random,
  x: number,
  y: number,
  width: number,
  height: number,
  hue: number,
): void {
  const bright = hsl(hue, 80, 68);
  const kind = random.whole(0, 2);
  if (kind === 0)
    c.polyline(
      Array.from({ length: 10 }, (_, at): Point => [x + (width * at) / 9, y + height * random.between(0.1, 0.9)]),
      bright,
      1.8,
    );
  else if (kind === 1) {
    for (const r of [0.46, 0.3, 0.14]) c.circle(x + width / 2, y + height / 2, height * r, "none", { stroke: bright });
    c.line(x + width / 2, y + height / 2, x + width * 0.8, y + height * 0.2, bright, 1.6);
  } else
    for (let row = 0; row < 6; row++)
      c.rect(x, y + (row * height) / 6, width * random.between(0.3, 1), 3, hsl(hue, 70, 60, 0.85));
}

function drawFigure(c: Canvas, x: number, y: number, fill: string, rim: string): void {
  c.at(x, y, 0.95, 0, () =>
    c.path("M-12-68L0-78L12-68V-48L7-36H-7L-12-48zM-30 0V-10L-18-24L-7-30H7L18-24L30-10V0z", fill, {
      stroke: rim,
      width: 1.4,
    }),
  );
}

function quarters(c: Canvas, random: Random): void {
  const hue = random.pick([30, 24, 36]);
  wall(c, random, hue);
  for (let row = 0; row < 3; row++) {
    const y = 24 + row * 46;
    for (let i = 0; i < 16; i++) {
      const high = random.between(22, 36);
      c.rect(
        14 + i * 9.4,
        y + 38 - high,
        7.6,
        high,
        hsl(random.pick([8, 30, 150, 210, 280]), 34, random.between(24, 44)),
      );
    }
    c.rect(8, y + 38, 160, 5, hsl(hue, 40, 18));
  }
  const x = 292;
  c.polygon(ring(x, 82, 66, 8, 66, Math.PI / 8), hsl(hue, 34, 16), { stroke: hsl(hue, 44, 50), width: 4 });
  c.inside(
    `M${ring(x, 82, 56, 8, 56, Math.PI / 8)
      .map(([px, py]) => `${px.toFixed(1)} ${py.toFixed(1)}`)
      .join("L")}z`,
    () => {
      c.rect(x - 60, 20, 120, 124, hsl(218, 56, 9));
      drawStars(c, random, 140, 150);
      drawPlanet(c, random, { x: x + 26, y: 118, r: 44, hue: random.pick([200, 28, 150]), light: [0.3, 0.2] });
    },
  );
  c.polygon([0, 196, 420, 186, 420, 260, 0, 260], hsl(hue, 46, 13));
  c.polygon([0, 196, 420, 186, 420, 192, 0, 203], hsl(hue, 50, 34));
  c.polygon([196, 178, 262, 174, 270, 184, 200, 189], "#e9e2d0");
  c.path("M206 180L256 177M208 184L250 181", "none", { stroke: "#6b5a44", width: 1.4 });
  c.line(120, 192, 120, 150, hsl(46, 50, 40), 4);
  c.polygon([98, 152, 142, 152, 132, 122, 108, 122], hsl(46, 90, 74));
  c.circle(
    120,
    152,
    90,
    c.radial([
      [0, "#ffe6a8aa"],
      [0.4, "#ffc46b44"],
      [1, "#ffc46b00"],
    ]),
  );
  drawModelShip(c);
}

function drawModelShip(c: Canvas): void {
  const model = capital(new Random("model"), new Random("model"));
  c.at(346, 176, 0.34, -6, () => model(c, hull(38, 16), 200));
}

function grounds(c: Canvas, random: Random): void {
  const hue = random.pick([206, 190, 28]);
  c.fill(
    c.linear([
      [0, hsl(hue, 48, 22)],
      [0.6, hsl(hue + 10, 50, 46)],
      [1, hsl(34, 60, 54)],
    ]),
  );
  c.circle(random.between(70, 150), 74, 30, "#ffe9bc");
  c.circle(
    110,
    74,
    150,
    c.radial([
      [0, "#ffe9bcaa"],
      [1, "#ffe9bc00"],
    ]),
  );
  for (let layer = 0; layer < 2; layer++) {
    for (let i = 0; i < 13; i++) {
      const high = random.between(50, 130) - layer * 36;
      c.rect(i * 36 - 12, 196 - high, random.between(20, 32), high + 10, hsl(hue, 26, 34 - layer * 9));
    }
  }
  c.polygon([92, 206, 92, 108, 210, 74, 328, 108, 328, 206], hsl(36, 20, 66));
  c.polygon([80, 110, 210, 66, 340, 110, 340, 118, 80, 118], hsl(36, 24, 82));
  c.polygon(star(210, 96, 13, 6, 8), hsl(40, 50, 44));
  for (let i = 0; i < 7; i++) {
    const x = 104 + i * 33;
    c.rect(
      x,
      118,
      14,
      88,
      c.linear(
        [
          [0, hsl(36, 26, 90)],
          [0.5, hsl(36, 20, 72)],
          [1, hsl(36, 20, 44)],
        ],
        [0, 0],
        [1, 0],
      ),
    );
    if (i < 6) c.rect(x + 17, 130, 13, 60, hsl(hue, 40, 18));
  }
  c.polygon([70, 206, 350, 206, 376, 222, 44, 222], hsl(36, 18, 74));
  c.polygon([0, 216, 420, 210, 420, 260, 0, 260], hsl(110, 26, 18));
  c.polygon([170, 222, 250, 222, 300, 260, 110, 260], hsl(36, 16, 56));
  for (let i = 0; i < 5; i++) {
    const x = random.pick([28, 62, 366, 398, 340]) + random.between(-12, 12);
    c.line(x, 230, x, 196, hsl(24, 40, 18), 4);
    c.polygon(ring(x, 182, random.between(17, 25), 8), hsl(random.between(96, 130), 34, random.between(22, 32)));
  }
}
