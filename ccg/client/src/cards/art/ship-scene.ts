/** Pictures of ships. */

import type { CardFacts } from "../facts";
import { Canvas, type Point } from "./canvas";
import { hsl } from "./colour";
import { Random } from "./random";
import {
  capital,
  distant,
  fighter,
  type Hull,
  heavyRaider,
  hull,
  liner,
  type Module,
  planTransport,
  raider,
  type Ship,
  scout,
  shuttle,
  transport,
} from "./ships";
import { drawFade, drawPlanet, drawRocks, drawSpace } from "./space";

/** What a transport is built of, by the words of its name; any of them where no word says more. */
const BUILDS: readonly (readonly [RegExp, readonly [Module, ...Module[]]])[] = [
  [/mining|ordnance|prison|queen|tender/i, ["box", "truss", "cylinder"]],
  [/refinery|fuel|tanker|tylium/i, ["tank", "tank", "cylinder", "truss"]],
  [/supply|freighter|cargo|troop|heavy/i, ["box", "box", "cylinder", "truss"]],
  [/park|agro|garden|farm|botan/i, ["dome", "dome", "ring", "sphere"]],
  [/cloud|vacation|resort/i, ["dome", "sphere", "ring"]],
];
const ANY: readonly [Module, ...Module[]] = ["box", "box", "sphere", "cylinder", "dome", "ring", "tank"];
const SLEEK = /liner|olympic|colonial one|cruiser|passenger|gemenon|traveller/i;

/** The ship of a card. All cards of one title show the same ship; numbered craft differ in their paint. */
export function shipOf(card: CardFacts): Ship {
  const kind = (card.title || card.subtitle).replace(/[\d\s]+$/, "");
  const shape = new Random(`hull ${kind}`);
  const paint = new Random(`paint ${card.title || card.name}`);
  const has = (trait: string): boolean => card.traits.includes(trait);
  const cylon = isCylonCraft(card);
  if (has("Fighter")) return cylon ? raider(paint) : fighter(shape, paint);
  if (has("Scout")) return cylon ? heavyRaider(paint) : scout(shape, paint);
  if (has("Capital Ship")) return capital(shape, paint);
  if (/shuttle/i.test(card.name)) return shuttle(paint, paint);
  if (SLEEK.test(card.name)) return liner(paint, paint);
  const build = BUILDS.find(([words]) => words.test(card.name))?.[1] ?? ANY;
  return transport(planTransport(paint, build), paint);
}

/** Captured craft keep their makers' shape. */
const isCylonCraft = (card: CardFacts): boolean => card.traits.includes("Cylon") || /\braider\b/i.test(card.name);

const small = (card: CardFacts): boolean => card.traits.includes("Fighter") || card.traits.includes("Scout");

type Backdrop = (c: Canvas, random: Random, other: number, side: 1 | -1) => void;

const BACKDROPS: readonly [Backdrop, ...Backdrop[]] = [
  (c, random, other, side) =>
    drawPlanet(c, random, {
      x: 160 + side * random.between(80, 130),
      y: random.between(20, 90),
      r: random.between(44, 76),
      hue: other + random.between(-20, 20),
      light: [side > 0 ? 0.25 : 0.7, 0.2],
      ...(random.chance(0.4) ? { ring: random.between(-28, -8) } : {}),
    }),
  (c, random, other, side) =>
    drawPlanet(c, random, {
      x: 160 + side * random.between(0, 90),
      y: 220 + random.between(80, 120),
      r: random.between(130, 170),
      hue: other,
      light: [0.4, 0.06],
    }),
  (c, random, other) => drawRocks(c, random, other),
  (c, random, other, side) => drawSun(c, random, other, side),
  (c, random, _, side) => drawFarFleet(c, random, side),
  (c, random, other, side) => drawComet(c, random, other, side),
  (c, random, other, side) => drawGalaxy(c, random, other, side),
];

/** A near sun with a wide glare. */
function drawSun(c: Canvas, random: Random, other: number, side: 1 | -1): void {
  const x = 160 + side * random.between(70, 130);
  const y = random.between(10, 60);
  const hue = random.pick([other, 42, 28]);
  c.circle(
    x,
    y,
    150,
    c.radial([
      [0, hsl(hue, 95, 84, 0.85)],
      [0.18, hsl(hue, 95, 70, 0.5)],
      [0.5, hsl(hue, 90, 55, 0.16)],
      [1, hsl(hue, 90, 50, 0)],
    ]),
  );
  c.circle(x, y, random.between(13, 24), hsl(hue, 100, 94));
  c.ellipse(x, y, 210, 2, hsl(hue, 100, 86, 0.35), {}, random.between(-12, 12));
}

/** Big ships far away, in the haze. */
function drawFarFleet(c: Canvas, random: Random, side: 1 | -1): void {
  const far: Hull = distant(distant(hull(216, 20)));
  const many = random.whole(2, 4);
  for (let i = 0; i < many; i++) {
    const ship = i === 0 ? capital(random, random) : transport(planTransport(random, ANY), random);
    const x = 160 + side * (random.between(-130, 30) + i * 46);
    c.at(
      x,
      random.between(24, 80),
      i === 0 ? 0.42 : random.between(0.16, 0.28),
      random.between(-8, -2) * side,
      () => ship(c, far, 205),
      side,
    );
  }
}

/** A comet: a small head and a long double tail. */
function drawComet(c: Canvas, random: Random, other: number, side: 1 | -1): void {
  const x = 160 + side * random.between(60, 120);
  const y = random.between(26, 70);
  const turn = random.between(-32, -14);
  c.at(
    x,
    y,
    random.between(0.9, 1.4),
    turn * side,
    () => {
      const tail = (width: number, strength: number): void => {
        const fade = c.linear(
          [
            [0, hsl(other, 80, 60, 0)],
            [1, hsl(other, 90, 84, strength)],
          ],
          [0, 0],
          [1, 0],
        );
        c.polygon([0, -width, -190, -width * 2.4, -190, width * 2.8, 0, width], fade);
      };
      tail(11, 0.4);
      tail(5, 0.75);
      c.circle(
        0,
        0,
        26,
        c.radial([
          [0, "#ffffffee"],
          [0.3, hsl(other, 90, 86, 0.7)],
          [1, hsl(other, 90, 70, 0)],
        ]),
      );
      c.circle(0, 0, 6, "#fff");
    },
    side,
  );
}

/** A galaxy seen at a slant. */
function drawGalaxy(c: Canvas, random: Random, other: number, side: 1 | -1): void {
  const x = 160 + side * random.between(60, 110);
  const y = random.between(36, 78);
  const tilt = random.between(-34, 20);
  const disc = (reach: number, flat: number, strength: number, hue: number): void => {
    const light = c.radial([
      [0, hsl(hue, 80, 86, strength)],
      [0.45, hsl(hue, 70, 60, strength * 0.45)],
      [1, hsl(hue, 70, 50, 0)],
    ]);
    c.ellipse(x, y, reach, flat, light, {}, tilt);
  };
  disc(120, 34, 0.5, other);
  disc(74, 22, 0.7, other + 20);
  disc(26, 13, 1, 44);
  const specks: Point[] = Array.from({ length: 36 }, () => {
    const angle = random.angle();
    const far = random.between(24, 104);
    const turned = (tilt * Math.PI) / 180;
    const along = far * Math.cos(angle);
    const across = far * 0.26 * Math.sin(angle);
    return [
      x + along * Math.cos(turned) - across * Math.sin(turned),
      y + along * Math.sin(turned) + across * Math.cos(turned),
    ];
  });
  c.dots(specks, 1.2, "#ffffffb8");
}

/** Fire between craft: bright dashes towards the nose of the ship. */
function drawTracers(c: Canvas, random: Random, cylon: boolean, flip: 1 | -1): void {
  const colour = cylon ? "#ff6a72" : "#ffd78a";
  const slope = random.between(-0.35, -0.1);
  for (let i = 0; i < 3; i++) {
    const y = random.between(40, 120);
    const x = flip > 0 ? random.between(200, 230) : random.between(90, 120);
    const far = flip * 110;
    c.line(x, y, x + far, y + slope * 110, colour, 2, { dash: "14 10", opacity: 0.9 });
  }
}

/** A burst far off, where something has been hit. */
function drawHit(c: Canvas, random: Random, flip: 1 | -1): void {
  const x = flip > 0 ? random.between(240, 292) : random.between(28, 80);
  const y = random.between(26, 74);
  const r = random.between(16, 26);
  c.circle(
    x,
    y,
    r * 1.7,
    c.radial([
      [0, "#fff4d6f2"],
      [0.3, "#ffb45ecc"],
      [0.7, "#e2502a44"],
      [1, "#e2502a00"],
    ]),
  );
  for (let i = 0; i < 7; i++) {
    const angle = random.angle();
    const far = random.between(r * 0.8, r * 1.9);
    c.line(
      x + 4 * Math.cos(angle),
      y + 4 * Math.sin(angle),
      x + far * Math.cos(angle),
      y + far * Math.sin(angle),
      "#ffd9a0cc",
      1.6,
    );
  }
}

export function shipScene(card: CardFacts, seed: string): string {
  const c = new Canvas(seed);
  const random = new Random(seed);
  const cylon = isCylonCraft(card);
  const enemy = card.traits.includes("Cylon");
  const hue = enemy ? random.pick([352, 340, 12]) : random.pick([212, 222, 200, 232, 190, 250]);
  const other = enemy ? random.pick([285, 20, 330]) : random.pick([265, 28, 172, 320, 205, 190, 140]);
  drawSpace(c, random, { hue, other });
  const side = random.side();
  random.pick(BACKDROPS)(c, random, other, side);

  const craft = small(card);
  const ship = shipOf(card);
  const colours = hull(enemy ? 345 : random.pick([208, 214, 36, 200]), enemy ? 10 : 12);
  const engine = cylon ? 352 : random.pick([200, 192, 206, 28]);
  const turn = (craft ? random.between(-26, -8) : random.between(-10, -3)) * side;
  const draw = (h: Hull) => () => ship(c, h, engine);

  if (craft && random.chance(0.4)) drawHit(c, random, side);
  for (const [x, y, scale] of wingmen(card, random, side)) {
    c.at(x, y, scale, turn, draw(distant(hull(enemy ? 345 : 210, 18))), side);
  }
  if (craft && random.chance(0.35)) drawTracers(c, random, enemy, side);
  c.at(
    160 + side * random.between(-4, 8),
    112 + random.between(-6, 6),
    scaleOf(card, random),
    turn,
    draw(colours),
    side,
  );
  drawFade(c);
  return c.toString();
}

/** Small craft have none to two others far behind; a squadron always has five. */
function wingmen(card: CardFacts, random: Random, side: 1 | -1): [...Point, number][] {
  const squadron = /squadron|swarm|wing\b/i.test(card.name);
  const many = squadron ? 5 : small(card) ? random.whole(0, 2) : 0;
  return Array.from({ length: many }, (_, at) => {
    const x = squadron ? 160 + side * (70 - at * 44) : 160 - side * random.between(40, 110);
    const y = squadron ? 40 + (at % 2) * 22 + random.between(-6, 6) : random.between(24, 86);
    return [x, y, squadron ? 0.36 : random.between(0.16, 0.3)];
  });
}

function scaleOf(card: CardFacts, random: Random): number {
  if (card.traits.includes("Capital Ship")) return random.between(0.98, 1.08);
  if (small(card)) return random.between(0.86, 1.06);
  return /shuttle/i.test(card.name) ? random.between(0.84, 0.96) : random.between(0.98, 1.12);
}
