/** Pictures of events and missions: one motif on a grid, amber or silver; a bright point in the middle of it. */

import type { CardFacts } from "../facts";
import { Canvas } from "./canvas";
import { hsl } from "./colour";
import { motifOf } from "./motifs";
import { Random } from "./random";
import { drawFade } from "./space";

const LAMP = "#ffc46b";
const DANGER = "#d8343f";

/** Hues of events by trait, and those of the rest. */
const EVENT_HUES: Record<string, readonly [number, ...number[]]> = {
  Cylon: [356, 350, 4],
  Crisis: [14, 8, 20],
  Political: [41, 37, 39],
  Military: [32, 28, 36],
  Civilian: [42, 44],
  none: [38, 30, 41, 22, 34],
};

const MISSION_TONES: Record<string, readonly [hue: number, saturation: number]> = {
  Military: [212, 24],
  Political: [36, 30],
  Cylon: [354, 38],
  Civilian: [150, 22],
  none: [200, 18],
};

const traitIn = (card: CardFacts, table: Record<string, unknown>): string =>
  card.traits.find((trait) => trait in table) ?? "none";

export function eventScene(card: CardFacts, seed: string): string {
  const c = new Canvas(seed);
  const random = new Random(seed);
  const trait = card.traits.includes("Cylon") ? "Cylon" : traitIn(card, EVENT_HUES);
  const hue = random.pick(EVENT_HUES[trait] ?? [38]) + random.between(-3, 3);
  const tone = (lightness: number, strength = 1): string => hsl(hue, 92, lightness, strength);
  c.fill(
    c.linear(
      [
        [0, hsl(hue - 8, 60, 9)],
        [0.5, hsl(hue - 7, 66, 17)],
        [1, hsl(hue - 12, 60, 7)],
      ],
      [0, 0],
      [0.4, 1],
    ),
  );
  const x = random.between(140, 180);
  const y = random.between(98, 116);
  drawHalo(c, x, y, tone(52, 0.62), tone(38, 0.2), tone(30, 0));
  drawGrid(c, random, tone(60, 0.1));
  motifOf(card, random).draw({ c, random, x, y, tone, accent: "#fff", danger: DANGER });
  drawFade(c, 0.5);
  return c.toString();
}

export function missionScene(card: CardFacts, seed: string): string {
  const c = new Canvas(seed);
  const random = new Random(seed);
  const [hue, saturation] = MISSION_TONES[traitIn(card, MISSION_TONES)] ?? [200, 18];
  const shift = random.between(-10, 10);
  const tone = (lightness: number, strength = 1): string => hsl(hue + shift, saturation, lightness, strength);
  c.fill(
    c.linear(
      [
        [0, tone(13)],
        [0.6, tone(22)],
        [1, tone(9)],
      ],
      [0, 0],
      [0.4, 1],
    ),
  );
  const x = random.between(144, 176);
  const y = random.between(98, 114);
  drawHalo(c, x, y - 6, tone(60, 0.5), tone(50, 0.2), tone(40, 0));
  drawGrid(c, random, tone(80, 0.08));
  motifOf(card, random).draw({ c, random, x, y, tone, accent: LAMP, danger: DANGER });
  drawFade(c, 0.5);
  c.path("M10 22V10H22M298 10H310V22M310 198V210H298M22 210H10V198", "none", { stroke: tone(90, 0.8), width: 1.5 });
  return c.toString();
}

function drawHalo(c: Canvas, x: number, y: number, near: string, middle: string, far: string): void {
  c.ellipse(
    x,
    y,
    190,
    140,
    c.radial([
      [0, near],
      [0.5, middle],
      [1, far],
    ]),
  );
}

/** Squares, rays or rings behind the motif. */
function drawGrid(c: Canvas, random: Random, colour: string): void {
  const kind = random.whole(0, 2);
  let lines = "";
  if (kind === 0) {
    for (let i = 0; i <= 16; i++) lines += `M${i * 20} 0V220`;
    for (let i = 0; i <= 11; i++) lines += `M0 ${i * 20}H320`;
  } else if (kind === 1) {
    for (let i = -6; i <= 16; i++) lines += `M${i * 26} 0l130 220`;
    for (let i = 0; i <= 22; i++) lines += `M${i * 26} 0l-130 220`;
  } else {
    for (let i = 1; i < 9; i++)
      lines += `M${160 - i * 26} 110a${i * 26} ${i * 26} 0 1 0 ${i * 52} 0a${i * 26} ${i * 26} 0 1 0 ${-i * 52} 0`;
  }
  c.path(lines, "none", { stroke: colour });
}
