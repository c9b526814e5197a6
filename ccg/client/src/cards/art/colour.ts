/** A colour as short hexadecimal text, from hue (any degrees), saturation, lightness (percent) and alpha. */
export function hsl(hue: number, saturation: number, lightness: number, alpha = 1): string {
  const h = ((hue % 360) + 360) % 360;
  const s = clamp(saturation) / 100;
  const l = clamp(lightness) / 100;
  const reach = s * Math.min(l, 1 - l);
  const channel = (shift: number): string => {
    const k = (shift + h / 30) % 12;
    return byte(l - reach * Math.max(-1, Math.min(k - 3, 9 - k, 1)));
  };
  return shorter(`#${channel(0)}${channel(8)}${channel(4)}${alpha < 1 ? byte(alpha) : ""}`);
}

/** White or black light of a strength between 0 and 1. */
export const white = (alpha: number): string => shorter(`#ffffff${byte(alpha)}`);
export const night = (alpha: number): string => shorter(`#04080e${byte(alpha)}`);

const clamp = (percent: number): number => Math.max(0, Math.min(100, percent));

const byte = (share: number): string =>
  Math.round(Math.max(0, Math.min(1, share)) * 255)
    .toString(16)
    .padStart(2, "0");

/** `#aabbcc` as `#abc`. */
function shorter(colour: string): string {
  const pairs = colour.slice(1).match(/../g) ?? [];
  return pairs.every((pair) => pair[0] === pair[1]) ? `#${pairs.map((pair) => pair[0]).join("")}` : colour;
}
