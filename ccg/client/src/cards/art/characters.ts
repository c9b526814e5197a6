/**
 * How people look. A character keeps their face on every card of their title; somebody without an entry here
 * gets a face by lot from the title. These are our own drawings of the kind of person that a character is,
 * not likenesses.
 */

import { hsl } from "./colour";
import { Random } from "./random";

export type Skin = "pale" | "fair" | "tan" | "olive" | "brown" | "deep";
export type HairColour = "blond" | "platinum" | "auburn" | "brown" | "dark" | "black" | "grey" | "white" | "red";
export type Cut =
  | "crop"
  | "buzz"
  | "part"
  | "slick"
  | "swept"
  | "curl"
  | "receding"
  | "bald"
  | "bob"
  | "long"
  | "straight"
  | "wave"
  | "bun"
  | "tail";
export type Beard = "stubble" | "full" | "goatee" | "moustache";

export interface Face {
  skin: Skin;
  hair: HairColour;
  cut: Cut;
  /** Soft: slim neck, fine brows, full lips. Hard: broad jaw, heavy brows. */
  features: "soft" | "hard";
  age: "young" | "grown" | "old";
  build: "slight" | "medium" | "broad";
  beard?: Beard;
  glasses?: boolean;
  eyes?: "brown" | "blue" | "green" | "grey";
}

/** The people of the first two sets, by title (and by the name of a character inside another title). */
const FACES: Record<string, Face> = {
  anders: {
    skin: "tan",
    hair: "brown",
    cut: "buzz",
    features: "hard",
    age: "young",
    build: "broad",
    beard: "stubble",
    eyes: "green",
  },
  apollo: { skin: "fair", hair: "dark", cut: "crop", features: "hard", age: "young", build: "medium", eyes: "blue" },
  "billy keikeya": {
    skin: "pale",
    hair: "brown",
    cut: "curl",
    features: "hard",
    age: "young",
    build: "slight",
    eyes: "grey",
  },
  boomer: {
    skin: "olive",
    hair: "black",
    cut: "straight",
    features: "soft",
    age: "young",
    build: "slight",
    eyes: "brown",
  },
  cally: { skin: "pale", hair: "brown", cut: "tail", features: "soft", age: "young", build: "slight", eyes: "brown" },
  crashdown: {
    skin: "tan",
    hair: "black",
    cut: "part",
    features: "hard",
    age: "young",
    build: "medium",
    beard: "goatee",
  },
  "d anna biers": {
    skin: "fair",
    hair: "blond",
    cut: "long",
    features: "soft",
    age: "grown",
    build: "slight",
    eyes: "green",
  },
  dee: { skin: "brown", hair: "black", cut: "bun", features: "soft", age: "young", build: "slight", eyes: "brown" },
  doral: {
    skin: "fair",
    hair: "brown",
    cut: "receding",
    features: "hard",
    age: "grown",
    build: "medium",
    eyes: "blue",
  },
  "dr baltar": {
    skin: "olive",
    hair: "dark",
    cut: "swept",
    features: "hard",
    age: "grown",
    build: "slight",
    beard: "stubble",
    eyes: "brown",
  },
  "dr cottle": {
    skin: "pale",
    hair: "white",
    cut: "slick",
    features: "hard",
    age: "old",
    build: "medium",
    eyes: "blue",
  },
  "ellen tigh": {
    skin: "fair",
    hair: "blond",
    cut: "wave",
    features: "soft",
    age: "grown",
    build: "slight",
    eyes: "blue",
  },
  elosha: { skin: "brown", hair: "dark", cut: "curl", features: "soft", age: "grown", build: "medium", eyes: "brown" },
  "galen tyrol": {
    skin: "fair",
    hair: "dark",
    cut: "crop",
    features: "hard",
    age: "grown",
    build: "broad",
    beard: "stubble",
    eyes: "brown",
  },
  hadrian: { skin: "fair", hair: "auburn", cut: "bun", features: "soft", age: "grown", build: "medium", eyes: "green" },
  helo: { skin: "fair", hair: "black", cut: "part", features: "hard", age: "young", build: "broad", eyes: "brown" },
  "laura roslin": {
    skin: "pale",
    hair: "auburn",
    cut: "long",
    features: "soft",
    age: "grown",
    build: "slight",
    glasses: true,
    eyes: "green",
  },
  leoben: {
    skin: "fair",
    hair: "blond",
    cut: "part",
    features: "hard",
    age: "grown",
    build: "medium",
    beard: "stubble",
    eyes: "blue",
  },
  "mr gaeta": {
    skin: "olive",
    hair: "black",
    cut: "curl",
    features: "hard",
    age: "young",
    build: "slight",
    eyes: "brown",
  },
  "number six": {
    skin: "pale",
    hair: "platinum",
    cut: "wave",
    features: "soft",
    age: "young",
    build: "slight",
    eyes: "blue",
  },
  "saul tigh": {
    skin: "pale",
    hair: "white",
    cut: "receding",
    features: "hard",
    age: "old",
    build: "medium",
    eyes: "blue",
  },
  "shelley godfrey": {
    skin: "pale",
    hair: "platinum",
    cut: "wave",
    features: "soft",
    age: "young",
    build: "slight",
    eyes: "blue",
    glasses: true,
  },
  simon: { skin: "deep", hair: "black", cut: "buzz", features: "hard", age: "grown", build: "medium", eyes: "brown" },
  starbuck: { skin: "fair", hair: "blond", cut: "bob", features: "soft", age: "young", build: "medium", eyes: "green" },
  "tom zarek": { skin: "tan", hair: "grey", cut: "slick", features: "hard", age: "old", build: "broad", eyes: "brown" },
  "william adama": {
    skin: "tan",
    hair: "grey",
    cut: "part",
    features: "hard",
    age: "old",
    build: "broad",
    eyes: "brown",
  },
};

const plain = (title: string): string =>
  title
    .toLowerCase()
    .replace(/[^a-z]+/g, " ")
    .trim();

/** The face of the character called `title`. */
export function faceOf(title: string): Face {
  return FACES[plain(title)] ?? drawnFace(title);
}

/** A face by lot, the same one for the same title. */
function drawnFace(title: string): Face {
  const random = new Random(`face ${plain(title)}`);
  const features = random.pick<Face["features"]>(["soft", "hard"]);
  const age = random.pick<Face["age"]>(["young", "grown", "grown", "old"]);
  const cut =
    features === "soft"
      ? random.pick<Cut>(["bob", "long", "straight", "wave", "bun", "tail", "curl", "crop"])
      : random.pick<Cut>(["crop", "buzz", "part", "slick", "swept", "curl", "receding", "bald"]);
  const hair =
    age === "old"
      ? random.pick<HairColour>(["grey", "white", "grey", "brown"])
      : random.pick<HairColour>(["blond", "auburn", "brown", "brown", "dark", "black", "black", "red"]);
  const face: Face = {
    skin: random.pick<Skin>(["pale", "fair", "tan", "olive", "brown", "deep"]),
    hair,
    cut,
    features,
    age,
    build: features === "soft" ? random.pick(["slight", "medium"]) : random.pick(["medium", "broad"]),
    glasses: random.chance(0.14),
    eyes: random.pick(["brown", "brown", "blue", "green", "grey"]),
  };
  if (features === "hard" && random.chance(0.35)) {
    face.beard = random.pick<Beard>(["stubble", "full", "goatee", "moustache"]);
  }
  return face;
}

type Tone = readonly [hue: number, saturation: number, lightness: number];

const SKINS: Record<Skin, Tone> = {
  pale: [24, 46, 79],
  fair: [23, 46, 71],
  tan: [22, 44, 61],
  olive: [28, 38, 57],
  brown: [20, 40, 43],
  deep: [18, 38, 31],
};

const HAIRS: Record<HairColour, Tone> = {
  blond: [42, 58, 58],
  platinum: [46, 48, 76],
  auburn: [16, 58, 32],
  brown: [24, 44, 29],
  dark: [20, 34, 18],
  black: [222, 14, 13],
  grey: [212, 8, 46],
  white: [40, 8, 76],
  red: [14, 70, 42],
};

const EYES: Record<NonNullable<Face["eyes"]>, string> = {
  brown: "#4a2c1a",
  blue: "#3f7fb5",
  green: "#4f7f4c",
  grey: "#66737d",
};

/** Skin lighter or darker by `change`; shadows never go quite black. */
export function skinTone(face: Face, change = 0): string {
  const [hue, saturation, lightness] = SKINS[face.skin];
  const warm = change < 0 ? Math.max(-10, change * 0.25) : 0;
  return hsl(
    hue + warm,
    saturation + (change < 0 ? 4 : 0),
    Math.max(lightness * 0.4, Math.min(92, lightness + change)),
  );
}

export function hairTone(face: Face, change = 0): string {
  const [hue, saturation, lightness] = HAIRS[face.hair];
  return hsl(hue, saturation, Math.max(5, lightness + change * (lightness > 60 ? 1.2 : 1)));
}

export const eyeColour = (face: Face): string => EYES[face.eyes ?? "brown"];
