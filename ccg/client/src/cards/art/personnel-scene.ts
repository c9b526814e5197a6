/** Pictures of personnel: the title decides the face, the full name decides place, light and clothes. */

import type { CardFacts } from "../facts";
import { Canvas } from "./canvas";
import { type Face, faceOf } from "./characters";
import type { Clothes, Dress } from "./clothes";
import { hsl } from "./colour";
import { drawMachine, type Machine, type Stance } from "./machines";
import { drawBust, drawShadow } from "./people";
import { drawPlace } from "./places";
import { Random } from "./random";
import { drawFade } from "./space";

const DRESS_BY_TRAIT: readonly (readonly [string, Dress])[] = [
  ["Pilot", "pilot"],
  ["Officer", "officer"],
  ["Politician", "politician"],
  ["Enlisted", "enlisted"],
  ["Civilian", "civilian"],
  ["Cylon", "cylon"],
];

const HUES: Record<Dress, readonly [number, ...number[]]> = {
  pilot: [20, 28, 210, 196, 176, 232],
  officer: [214, 204, 226, 188, 248, 170],
  politician: [282, 256, 320, 300, 210, 340],
  enlisted: [36, 48, 24, 200, 90],
  civilian: [164, 180, 142, 196, 30, 220],
  cylon: [352, 340, 4],
};

const dressOf = (card: CardFacts): Dress =>
  DRESS_BY_TRAIT.find(([trait]) => card.traits.includes(trait))?.[1] ?? "civilian";

export function personnelScene(card: CardFacts, seed: string): string {
  const c = new Canvas(seed);
  const random = new Random(seed);
  if (card.traits.includes("Machine")) drawMachines(c, random, card);
  else drawPerson(c, random, card);
  drawFade(c, 0.48);
  return c.toString();
}

// ---- people ----

function drawPerson(c: Canvas, random: Random, card: CardFacts): void {
  const dress = dressOf(card);
  const cylon = card.traits.includes("Cylon");
  const hue = random.pick(HUES[dress]) + random.between(-8, 8);
  const light = random.side();
  drawPlace(c, random, dress, hue, light);
  const face = faceOf(card.title || card.subtitle);
  const clothes = clothesOf(random, dress, hue);
  const x = 160 - light * random.between(0, 14);
  const y = 92 + random.between(-4, 5);
  const scale = random.between(0.96, 1.14);
  const tilt = random.between(-3, 3);
  if (cylon) drawCopies(c, face, x, y);
  const rim = cylon ? "#ff5a66" : hsl(hue, 85, 80);
  c.at(x, y, scale, tilt, () => drawBust(c, { face, clothes, rim }), light);
}

/** Fading copies on each side: there are many of them. */
function drawCopies(c: Canvas, face: Face, x: number, y: number): void {
  for (let far = 3; far >= 1; far--) {
    for (const side of [-1, 1]) {
      const colour = hsl(352, 66, 30 - far * 7);
      c.group(
        () => c.at(x + side * far * 46, y + 4 + far * 5, 1.02 - far * 0.07, 0, () => drawShadow(c, face, colour)),
        {
          opacity: 0.92 - far * 0.18,
        },
      );
    }
  }
}

/** Hue, saturation and lightness of the cloth; civilians and politicians wear what they like. */
function clothOf(random: Random, dress: Dress, hue: number): readonly [number, number, number] {
  switch (dress) {
    case "pilot":
      return [random.pick([70, 64, 80]), 14, 24];
    case "officer":
      return [220, 34, 24];
    case "politician":
      return [hue + random.pick([8, 150, 40]), 20, 22];
    case "enlisted":
      return [random.pick([30, 26, 92]), 44, 32];
    case "civilian":
      return [random.between(0, 360), 26, random.between(26, 38)];
    case "cylon":
      return [random.pick([350, 356, 320]), 58, random.pick([18, 26, 34])];
  }
}

function clothesOf(random: Random, dress: Dress, hue: number): Clothes {
  const [h, s, l] = clothOf(random, dress, hue);
  return {
    dress,
    cloth: hsl(h, s, l),
    lit: hsl(h, s, l + 18),
    trim: hsl(h, s + 4, Math.max(6, l - 10)),
    accent: random.pick(["#e2574c", "#f0b63f", "#58b6f2", "#e9edf0", "#59c08f", "#c99af0"]),
    variant: random.whole(0, 2),
  };
}

// ---- machines ----

/** What a machine's name says of its arms; otherwise by lot. */
const STANCES: readonly (readonly [RegExp, Stance])[] = [
  [/assassin|slayer|blade/i, "blade"],
  [/ambush|hunter|tracker|gun|fire/i, "gun"],
  [/harass|guardian|claw/i, "claws"],
];

function drawMachines(c: Canvas, random: Random, card: CardFacts): void {
  const light = random.side();
  const hue = random.pick([352, 340, 4, 16]) + random.between(-8, 8);
  drawPlace(c, random, "cylon", hue, light);
  const stance = STANCES.find(([words]) => words.test(card.name))?.[1] ?? random.pick(["still", "claws", "gun"]);
  const draw = (more: Partial<Machine> = {}): void =>
    drawMachine(c, {
      eye: random.between(-20, 20),
      stance,
      crest: random.pick([2, 6, 12, 20]),
      plates: random.whole(4, 6),
      rim: "#ff6a74",
      ...more,
    });
  const company = random.whole(0, 3);
  for (let i = 0; i < company; i++) {
    const side = i % 2 ? 1 : -1;
    const far = i > 1 ? 124 : 78;
    c.group(
      () =>
        c.at(160 + side * far, 100 + (i > 1 ? 16 : 6), i > 1 ? 0.56 : 0.72, 0, () =>
          draw({ stance: "still", rim: "#ff4a58" }),
        ),
      {
        opacity: i > 1 ? 0.4 : 0.55,
      },
    );
  }
  const close = company === 0 ? random.between(1.15, 1.5) : random.between(0.92, 1.08);
  c.at(160 + random.between(-14, 14), close > 1.15 ? 104 : 88, close, random.between(-4, 4), () => draw(), light);
}
