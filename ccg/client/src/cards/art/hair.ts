/** Cuts of hair as paths about the middle of a face, for a head `w` wide from there to the cheek. */

import { d } from "./canvas";
import type { Cut } from "./characters";

/** What lies behind head and neck; not every cut has it. */
export function hairBehind(cut: Cut, w: number): string | null {
  switch (cut) {
    case "bob":
      return d`M${-w - 9} 26C${-w - 17} -72 ${w + 17} -72 ${w + 9} 26L${w - 3} 36H${-w + 3}z`;
    case "long":
      return d`M${-w - 11} 72C${-w - 23} -87 ${w + 23} -87 ${w + 11} 72L8 58H-8z`;
    case "straight":
      return d`M${-w - 9} 78C${-w - 15} -90 ${w + 15} -90 ${w + 9} 78L${w - 6} 84L6 60H-6L${-w + 6} 84z`;
    case "wave":
      return d`M${-w - 15} 60C${-w - 4} 32 ${-w - 25} 4 ${-w - 8} -20C${-w + 2} -61 ${w - 2} -61 ${w + 8} -20C${w + 25} 4 ${w + 4} 32 ${w + 15} 60L${w - 8} 52H${-w + 8}z`;
    case "bun":
      return d`M-13 -42C-22 -68 20 -72 17 -42z`;
    case "tail":
      return d`M6 -44C46 -52 ${w + 30} -8 ${w + 12} 42C${w + 16} 10 ${w + 8} -12 8 -24z`;
    case "swept":
      return d`M${-w - 5} 22C${-w - 13} -30 ${w + 13} -30 ${w + 5} 22L${w - 6} 30H${-w + 6}z`;
    default:
      return null;
  }
}

/** What frames the face from above; bald heads have none. */
export function hairBefore(cut: Cut, w: number): string | null {
  switch (cut) {
    case "crop":
      return d`M${-w - 2} -2C${-w - 8} -54 ${w + 8} -56 ${w + 2} -2L${w - 3} -14C${w - 5} -27 10 -30 3 -27C-5 -24 -14 -29 ${-w + 5} -21L${-w + 2} -8z`;
    case "buzz":
      return d`M${-w - 1} -6C${-w - 3} -49 ${w + 3} -49 ${w + 1} -6L${w - 2} -19C${w - 8} -31 ${-w + 8} -31 ${-w + 2} -19z`;
    case "part":
      return d`M${-w - 3} 2C${-w - 12} -58 ${w + 14} -61 ${w + 3} 2L${w - 2} -16C6 -20 -8 -28 -14 -35C-16 -25 ${-w + 2} -21 ${-w + 2} -8z`;
    case "slick":
      return d`M${-w - 2} -4C${-w - 7} -60 ${w + 7} -60 ${w + 2} -4L${w - 3} -23L10 -34H-10L${-w + 3} -23z`;
    case "swept":
      return d`M${-w - 6} 20C${-w - 15} -22 ${-w - 9} -60 4 -60C${w + 12} -60 ${w + 14} -22 ${w + 6} 16L${w} 10C${w + 2} -14 ${w - 6} -25 -5 -34C-12 -25 ${-w + 3} -16 ${-w + 1} 12z`;
    case "receding":
      return d`M${-w - 2} 4C${-w - 6} -22 ${-w - 3} -42 -13 -48C-2 -51 10 -50 16 -46C${w + 5} -39 ${w + 5} -18 ${w + 2} 4L${w - 3} -8C${w - 4} -25 15 -39 4 -38C-5 -43 ${-w + 7} -30 ${-w + 3} -8z`;
    case "bald":
      return null;
    case "bob":
      return d`M${-w - 8} 20C${-w - 16} -68 ${w + 16} -70 ${w + 8} 20L${w - 2} 10C${w} -18 6 -20 -8 -32C${-w + 4} -20 ${-w + 2} -4 ${-w + 3} 12z`;
    case "long":
      return d`M${-w - 9} 44C${-w - 20} -76 ${w + 20} -76 ${w + 9} 44L${w - 1} 16C${w - 1} -20 4 -26 0 -35C-4 -26 ${-w + 1} -20 ${-w + 1} 16z`;
    case "straight":
      return d`M${-w - 7} 62C${-w - 13} -82 ${w + 13} -82 ${w + 7} 62L${w - 4} 58C${w + 1} 12 ${w - 1} -10 ${w - 7} -19C9 -14 -6 -24 -11 -30C${-w + 7} -22 ${-w - 1} 10 ${-w + 4} 58z`;
    case "wave":
      return d`M${-w - 12} 32C${-w - 2} 13 ${-w - 18} -4 ${-w - 5} -24C${-w + 4} -63 ${w + 6} -61 ${w + 6} -22C${w + 18} -4 ${w + 2} 13 ${w + 12} 32C${w - 3} 12 ${w + 3} -13 ${w - 7} -22C7 -20 -6 -30 -10 -35C${-w} -18 ${-w + 2} 8 ${-w - 12} 32z`;
    case "bun":
      return d`M${-w - 2} 3C${-w - 8} -57 ${w + 8} -57 ${w + 2} 3L${w - 2} -13C${w - 8} -33 ${-w + 8} -33 ${-w + 2} -13z`;
    case "tail":
      return d`M${-w - 2} 6C${-w - 9} -57 ${w + 9} -58 ${w + 2} 4L${w - 2} -12C${w - 9} -26 2 -27 -6 -33C${-w + 6} -28 ${-w + 3} -14 ${-w + 2} 4z`;
    case "curl":
      return d`M${-w - 4} 0C${-w - 18} -20 ${-w - 8} -42 ${-w + 8} -44C-16 -60 8 -62 16 -50C${w + 8} -50 ${w + 18} -24 ${w + 4} 0C${w + 1} -20 ${w - 6} -20 10 -27C4 -21 -4 -29 -11 -23C-17 -27 ${-w + 3} -22 ${-w - 4} 0z`;
  }
}

/** Whether the ears can be seen. */
export const showsEars = (cut: Cut): boolean => !["bob", "long", "straight", "wave", "swept"].includes(cut);

/** Strands of light over the hair, for cuts that fall or wave. */
export function strands(cut: Cut, w: number): string | null {
  switch (cut) {
    case "long":
    case "straight":
      return d`M${w + 2} 40C${w + 6} 0 ${w} -34 8 -46M${-w - 3} 40C${-w - 7} 0 ${-w} -34 -10 -46M${w - 3} 8C${w - 2} -18 14 -32 4 -42`;
    case "wave":
      return d`M${w + 6} 24C${w - 2} 6 ${w + 10} -10 ${w} -26C${w - 6} -42 10 -48 0 -48M${-w - 6} 24C${-w + 2} 6 ${-w - 10} -10 ${-w} -26C${-w + 6} -42 -10 -48 -4 -48`;
    case "bob":
    case "swept":
      return d`M${w + 3} 14C${w + 5} -26 14 -48 -4 -46M${-w - 3} 14C${-w - 4} -22 -16 -40 -8 -46`;
    case "part":
    case "slick":
      return d`M${w - 2} -20C16 -36 0 -42 -12 -42M${w} -26C20 -44 6 -48 -6 -48`;
    default:
      return null;
  }
}
