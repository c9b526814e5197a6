/** What people wear, by their trait; drawn inside the shape of their shoulders, the face's middle at 0, 0. */

import { type Canvas, cut, d, type Point } from "./canvas";
import { type Face, skinTone } from "./characters";

export type Dress = "pilot" | "officer" | "politician" | "enlisted" | "civilian" | "cylon";

export interface Clothes {
  dress: Dress;
  /** Cloth, its lit side, its trim. */
  cloth: string;
  lit: string;
  trim: string;
  /** Straps, seams, ties, pips. */
  accent: string;
  /** One of three ways to wear it. */
  variant: number;
}

export interface Wearer {
  face: Face;
  clothes: Clothes;
  /** From the middle to the side of the neck, and of the shoulders. */
  neck: number;
  wide: number;
}

const TOP = 52;
const FOOT = 146;

export function drawClothes(c: Canvas, wearer: Wearer): void {
  DRESSES[wearer.clothes.dress](c, wearer);
}

/** The same points on both sides of the body. */
function both(c: Canvas, points: readonly Point[], fill: string): void {
  c.polygon(points, fill);
  c.polygon(
    points.map(([x, y]): Point => [-x, y]),
    fill,
  );
}

const DRESSES: Record<Dress, (c: Canvas, wearer: Wearer) => void> = {
  pilot(c, { clothes: { trim, accent, variant } }) {
    both(
      c,
      [
        [30, TOP + 14],
        [8, TOP + 26],
        [28, FOOT],
        [52, FOOT],
      ],
      trim,
    );
    c.rect(-70, TOP + 62, 140, 9, trim);
    c.polygon(cut(-14, TOP + 52, 28, 26, 6), "#c9d2d8");
    c.polygon(cut(-9, TOP + 57, 18, 16, 4), "#59656f");
    c.rect(36, TOP + 44, 18, 11, accent);
    c.path(d`M36 ${TOP + 44}h18v3h-18z`, "#ffffff66");
    if (variant === 1)
      c.path(d`M-44 ${TOP + 22}C-70 ${TOP + 40} -66 ${TOP + 70} -40 ${FOOT}`, "none", { stroke: "#8b979f", width: 6 });
    if (variant === 2)
      c.path(d`M-58 ${TOP + 36}L-40 ${TOP + 46}M-62 ${TOP + 44}L-44 ${TOP + 54}`, "none", { stroke: accent, width: 4 });
  },
  officer(c, { clothes: { trim, accent, variant } }) {
    c.polygon([-10, TOP + 10, 10, TOP + 10, -34, FOOT, -46, FOOT], trim);
    c.line(6, TOP + 14, -32, FOOT, accent, 2.4);
    for (let i = 0; i < 3; i++) c.circle(33 + i * 9, TOP + 30 + i * 3.5, 2.7, accent);
    if (variant !== 1) {
      c.rect(32, TOP + 58, 24, 4, "#d8c27a");
      c.rect(32, TOP + 64, 16, 4, "#b9534d");
    }
    if (variant === 2)
      c.polygon([-70, TOP + 30, -46, TOP + 22, -44, TOP + 30, -72, TOP + 39], accent, { opacity: 0.8 });
    c.path(d`M10 ${TOP + 40}L-20 ${TOP + 46}`, "none", { stroke: trim, width: 1.4 });
  },
  politician(c, { face, clothes: { trim, accent, variant } }) {
    if (face.features === "soft") {
      c.polygon([-15, TOP + 2, 15, TOP + 2, 0, TOP + 46], skinTone(face, -6));
      c.path(d`M-13 ${TOP + 10}Q0 ${TOP + 32} 13 ${TOP + 10}`, "none", { stroke: "#e8cf7c", width: 1.6 });
      c.polygon([-17, TOP + 2, -8, TOP + 2, 3, TOP + 42, 0, TOP + 62], accent);
      c.polygon([17, TOP + 2, 8, TOP + 2, -3, TOP + 42, 0, TOP + 62], accent);
    } else {
      c.polygon([-16, TOP + 4, 16, TOP + 4, 0, FOOT], "#e9e6df");
      c.polygon([-5, TOP + 8, 5, TOP + 8, 7.5, FOOT, -7.5, FOOT], accent);
      c.polygon([-5.5, TOP + 7, 5.5, TOP + 7, 3.5, TOP + 16, -3.5, TOP + 16], "#00000033");
    }
    both(
      c,
      [
        [19, TOP + 2],
        [2, FOOT],
        [54, FOOT],
        [36, TOP + 34],
      ],
      trim,
    );
    if (variant > 0) c.polygon(cut(-38, TOP + 50, 10, 10, 3), "#e8cf7c");
    else c.polygon([30, TOP + 52, 46, TOP + 49, 47, TOP + 54, 31, TOP + 57], "#f2f0ea");
  },
  enlisted(c, { face, clothes: { trim, accent, variant } }) {
    c.polygon([-22, TOP + 8, 22, TOP + 8, 15, TOP + 44, -15, TOP + 44], skinTone(face, -10));
    c.polygon([-22, TOP + 30, 0, TOP + 40, 22, TOP + 30, 24, FOOT, -24, FOOT], "#59636b");
    both(
      c,
      [
        [34, TOP + 12],
        [17, TOP + 8],
        [20, FOOT],
        [46, FOOT],
      ],
      trim,
    );
    c.path(d`M-9 ${TOP + 8}L-1 ${TOP + 50}L9 ${TOP + 8}`, "none", { stroke: "#c9d2d8", width: 1.2 });
    c.polygon(cut(-6, TOP + 48, 11, 14, 3), "#c9d2d8");
    if (variant === 1) c.rect(-76, TOP + 70, 152, 6, accent);
    if (variant === 2) c.path(d`M28 ${TOP + 46}h22v22h-22z`, trim, { stroke: accent, width: 1.6 });
  },
  civilian(c, { face, clothes: { trim, accent, variant } }) {
    if (variant === 1) {
      c.polygon([-19, TOP - 4, 19, TOP - 4, 24, TOP + 18, 0, TOP + 30, -24, TOP + 18], accent);
      c.path(d`M-20 ${TOP + 4}Q0 ${TOP + 16} 20 ${TOP + 2}M-22 ${TOP + 12}Q0 ${TOP + 24} 22 ${TOP + 11}`, "none", {
        stroke: "#00000040",
        width: 2,
      });
      c.polygon([4, TOP + 22, 18, TOP + 20, 22, FOOT, 2, FOOT], accent);
      return;
    }
    c.polygon([-18, TOP, 18, TOP, 0, TOP + 50], skinTone(face, -10));
    if (variant === 2) {
      c.polygon([-16, TOP + 8, 16, TOP + 8, 10, FOOT, -10, FOOT], accent);
      both(
        c,
        [
          [20, TOP - 2],
          [40, TOP + 22],
          [14, FOOT],
          [10, TOP + 40],
        ],
        trim,
      );
      return;
    }
    both(
      c,
      [
        [20, TOP - 2],
        [32, TOP + 18],
        [10, TOP + 74],
        [0, TOP + 50],
      ],
      trim,
    );
    c.line(0, TOP + 54, 0, FOOT, trim, 2);
  },
  cylon(c, { face, clothes: { trim, accent, variant } }) {
    const deep = face.features === "soft" ? 66 : 46;
    c.polygon([-17, TOP, 17, TOP, 0, TOP + deep], skinTone(face, -8));
    both(
      c,
      [
        [19, TOP - 2],
        [0, TOP + deep + 3],
        [50, FOOT],
        [40, TOP + 16],
      ],
      trim,
    );
    if (variant === 1) c.path(d`M-14 ${TOP + 4}L0 ${TOP + 24}L14 ${TOP + 4}`, "none", { stroke: accent, width: 1.6 });
    if (variant === 2) c.line(0, TOP + deep, 0, FOOT, accent, 2);
  },
};

/** What stands up around the neck, over the shoulders. */
export function drawCollar(c: Canvas, { clothes: { dress, trim, accent }, neck }: Wearer): void {
  if (dress === "pilot") {
    c.ellipse(0, TOP + 6, neck + 13, 9, "none", { stroke: "#b9c4cb", width: 5 });
    c.path(d`M${-neck - 13} ${TOP + 6}a${neck + 13} 9 0 0 0 ${2 * neck + 26} 0`, "none", { stroke: accent, width: 2 });
  } else if (dress === "officer") {
    const out = neck + 5;
    both(
      c,
      [
        [out, TOP - 3],
        [neck + 1, TOP - 13],
        [neck - 6, TOP + 12],
        [neck + 6, TOP + 10],
      ],
      trim,
    );
    c.line(neck + 1, TOP - 13, neck - 6, TOP + 12, accent, 1.2);
  }
}
