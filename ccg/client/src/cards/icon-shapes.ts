/**
 * The icons as data: one list of shapes each, on a grid of 24, in the current colour.
 *
 * Strokes unless `fill` says otherwise; square caps, round joins, cut corners. Kept apart from the component
 * so that the build can also write them into `icons.svg` for pages made by the server.
 */

export interface IconShape {
  d: string;
  /** Filled instead of stroked. */
  fill?: true;
  /** Stroke width in place of the usual one. */
  width?: number;
}

const octagon = "M8.3 2.8h7.4l5.5 5.5v7.4l-5.5 5.5H8.3l-5.5-5.5V8.3z";
const shield = "M4 3.5h16v8.2c0 4.3-3.2 7.3-8 9.6-4.8-2.3-8-5.3-8-9.6z";
const card = "M8 2.8h8l3 3v12.4l-3 3H8l-3-3V5.8z";
const slitEye = "M1.8 12 7 6.8h10l5.2 5.2-5.2 5.2H7z";
const dot = (x: number, y: number, r: number): string =>
  `M${x - r} ${y}a${r} ${r} 0 1 0 ${2 * r} 0a${r} ${r} 0 1 0 ${-2 * r} 0z`;

const stroke = (...paths: string[]): IconShape[] => paths.map((d) => ({ d }));
const filled = (...paths: string[]): IconShape[] => paths.map((d) => ({ d, fill: true }));

export const ICON_SHAPES = {
  // resources
  persuasion: stroke("M7 3h10l4 4v6l-4 4h-4.5L8 21v-4H7l-4-4V7z", "M8 8.5h8M8 12h5"),
  logistics: stroke(
    "M12 2.8 20.2 7.2v9.6L12 21.2 3.8 16.8V7.2z",
    "M3.8 7.2 12 11.7l8.2-4.5M12 11.7v9.5",
    "M7.9 5 16.2 9.5",
  ),
  security: [
    ...stroke("M12 2.5v5M12 16.5v5M2.5 12h5M16.5 12h5", "M8.6 4.6h6.8l4 4v6.8l-4 4H8.6l-4-4V8.6z"),
    ...filled(dot(12, 12, 1.7)),
  ],
  // numbers
  power: stroke(shield),
  threat: [...stroke(slitEye, "M5.5 12h2M16.5 12h2"), ...filled(dot(12, 12, 2.9))],
  mystic: filled(
    "M12 1.8 13.9 8 19.2 4.8 16 10.1 22.2 12 16 13.9 19.2 19.2 13.9 16 12 22.2 10.1 16 4.8 19.2 8 13.9 1.8 12 8 10.1 4.8 4.8 10.1 8z",
  ),
  influence: stroke("M3.5 3.5h17M6 3.5v15.5l6-4 6 4V3.5", "M9.3 9.6 12 7.2l2.7 2.4"),
  // what happens to cards
  commit: stroke("M3 4h18", "M12 8v12M6.8 14.8 12 20l5.2-5.2"),
  ready: stroke("M3 20h18", "M12 16V4M6.8 9.2 12 4l5.2 5.2"),
  exhaust: filled(`${card}M7.1 14.6l1.5 1.8 8.3-7.2-1.5-1.8z`),
  restore: stroke(card, "M8 7.5h8v5H8zM8 16.5h5"),
  sacrifice: stroke(
    "M10.6 2.8H8l-3 3v12.4l3 3h1.6l2-4.6-2.6-3.6 3-3.6-2-3z",
    "M14.4 2.8H16l3 3v12.4l-3 3h-2.6l2-5-2.6-3.6 3-3.6-2.2-2.8z",
  ),
  challenge: stroke("M3 12h13M11 6.5l5.5 5.5L11 17.5", "M20.5 4v16"),
  defend: stroke(shield, "M8.2 11.6 11 14.4l5-5.4"),
  link: stroke("M9.5 14.5 14.5 9.5", "M11 6.5 13.5 4h3.6L20 6.9v3.6L17.5 13M13 17.5 10.5 20H6.9L4 17.1V13.5L6.5 11"),
  supply: stroke("M3.5 8 12 4l8.5 4L12 12z", "M3.5 12 12 16l8.5-4M3.5 16 12 20l8.5-4"),
  stack: stroke("M4 16.5h16M6 20h12", "M6.5 4h11l2 2v7h-15V6z"),
  // places
  deck: stroke("M9 2.8h8.2l3 3v10.4l-3 3", "M6.2 5.6h8l3 3v9.8l-3 3h-8l-3-3V8.6z"),
  hand: stroke("M9.2 4.2h5.6v14.6H9.2z", "M9.2 7.4 4.4 8.9l3 10.6 1.8-.5M14.8 7.4l4.8 1.5-3 10.6-1.8-.5"),
  discard: stroke("M3.5 14.5v5h17v-5", "M12 3v11M7.6 9.8 12 14.2l4.4-4.4"),
  removed: stroke("M3.5 14.5v5h17v-5", "M7.5 3.5 16.5 12.5M16.5 3.5 7.5 12.5"),
  // types
  personnel: stroke("M12 3.2 15.4 5v4.6L12 12.4 8.6 9.6V5z", "M4 20.8v-3.4l3.4-3.2h9.2l3.4 3.2v3.4z"),
  ship: stroke("M12 2.5 14.6 10l6.4 6.8v2.4l-6.6-1.6L12 21.5l-2.4-3.9L3 19.2v-2.4L9.4 10z"),
  event: stroke("M13.6 2.5 5 13.4h5.6L9.4 21.5 19 9.8h-6z"),
  mission: stroke("M5.5 21.5V3", "M5.5 4h13l-3.4 4.2 3.4 4.3h-13"),
  base: stroke(octagon, "M10.2 8h3.6l2.4 2.4v3.2L13.8 16h-3.6l-2.4-2.4v-3.2z", "M12 2.8V8M12 16v5.2"),
  // the game
  ring: stroke(octagon),
  clock: stroke(octagon, "M12 7v5.4l3.6 2.2"),
  first: filled(`${octagon}M13.9 6.4h-2.1L8.7 8.5v2.5l2.6-1.7v8.4h2.6z`),
  // seat marks: one for each seat, so that a colour never stands alone
  "seat-1": filled("M9 3h6v18H9z"),
  "seat-2": filled("M12 2.5 17 7v10l-5 4.5L7 17V7z"),
  "seat-3": filled(octagon),
  "seat-4": filled("M12 2.5 21.5 12 12 21.5 2.5 12z"),
  "seat-5": filled("M12 3 22 20.5H2z"),
  "seat-6": filled("M4 4h16v16H4z"),
  "seat-7": filled("M2 4.5h20L12 21z"),
  "seat-8": filled("M9 3h6v6h6v6h-6v6H9v-6H3V9h6z"),
  // pages and controls
  search: stroke("M7.2 3h5.6l4 4v5.6l-4 4H7.2l-4-4V7z", "m15.5 15.5 5.5 5.5"),
  check: stroke("m4 12.5 5.2 5.2L20 6.5"),
  cross: stroke("m5.5 5.5 13 13M18.5 5.5l-13 13"),
  warn: stroke("M12 3 22 20.5H2z", "M12 9.5v5M12 17v.8"),
  info: stroke(octagon, "M12 11v6M12 7v.6"),
  pending: stroke("M7 3h10M7 21h10M8 3v4l4 5 4-5V3M8 21v-4l4-5 4 5v4"),
  eye: stroke(slitEye, dot(12, 12, 2.6)),
  heart: stroke("M12 20.5 3.5 12V7.5L7 4h2.5L12 6.5 14.5 4H17l3.5 3.5V12z"),
  fork: stroke("M6 3v5l6 5v8M18 3v5l-6 5"),
  play: filled("M6 3.5 20 12 6 20.5z"),
  pause: [{ d: "M8 4v16M16 4v16", width: 3 }],
  step: [...filled("M5 4 15 12 5 20z"), { d: "M19 4v16", width: 2.4 }],
  undo: stroke("M8.5 4.5 4 9l4.5 4.5", "M4 9h11l5 5v1.5l-4.5 4.5H9"),
  gear: stroke(octagon, dot(12, 12, 3.3)),
  menu: stroke("M3.5 6h17M3.5 12h17M3.5 18h17"),
  plus: stroke("M12 4v16M4 12h16"),
  minus: stroke("M4 12h16"),
  right: stroke("M8.5 4.5 16 12l-7.5 7.5"),
  left: stroke("M15.5 4.5 8 12l7.5 7.5"),
  down: stroke("M4.5 8.5 12 16l7.5-7.5"),
  up: stroke("M4.5 15.5 12 8l7.5 7.5"),
  chat: stroke("M4 4.5h16v11h-9l-4.5 4v-4H4z"),
  copy: stroke("M8.5 8.5h9l3 3v9h-12z", "M5.5 15.5h-2v-12h9l3 3v2"),
  share: stroke("M12 15V3M7 8l5-5 5 5M5 12v7.5l1.5 1.5h11l1.5-1.5V12"),
  trash: stroke("M4 6.5h16M9 6.5v-3h6v3M6 6.5l1 14h10l1-14"),
  edit: stroke("M4 20v-4L15.5 4.5l4 4L8 20z", "M13 7l4 4"),
  users: stroke(
    "M9 3.5 12 5v4l-3 2.5L6 9V5z",
    "M2.5 19.5v-3l3-3h7l3 3v3z",
    "M15.5 4 18 5.5v3l-2.5 2.2M18 13.5h1l2.5 2.5v3.5h-3",
  ),
  computer: stroke("M5.5 4h13l2 2v9l-2 2h-13l-2-2V6z", "M12 17v3.5M7.5 20.5h9M8 10.5h8"),
  sun: stroke(
    "M9.5 7.5h5l2 2v5l-2 2h-5l-2-2v-5z",
    "M12 2.5v2M12 19.5v2M2.5 12h2M19.5 12h2M5.3 5.3l1.3 1.3M17.4 17.4l1.3 1.3M18.7 5.3l-1.3 1.3M6.6 17.4l-1.3 1.3",
  ),
  moon: stroke("M14.5 3.5H10L4 9.5v5l6 6h5l4.5-4.5-5 .5L10 12.5v-5z"),
  book: stroke("M4 4.5h6.5L12 6l1.5-1.5H20v14h-6.5L12 20l-1.5-1.5H4zM12 6v14"),
  sound: stroke("M4 9.5h3.5l5-5v15l-5-5H4z", "M16.5 8.5v7M20 6v12"),
} as const satisfies Record<string, readonly IconShape[]>;

export type IconName = keyof typeof ICON_SHAPES;

export const isIconName = (name: string): name is IconName => Object.hasOwn(ICON_SHAPES, name);

/** Ring and five darts in formation, on a grid of 48: the logo, the back of every card. */
export const EMBLEM = {
  ring: "M15 2h18l13 13v18L33 46H15L2 33V15z",
  darts:
    "M24 8l5.5 15-5.5-3-5.5 3zM13.5 20l4 11-4-2.2-4 2.2zM34.5 20l4 11-4-2.2-4 2.2zM19.5 31l2.6 7-2.6-1.4L17 38zM29 29.5l3 8.5-3-1.7-3 1.7z",
} as const;

/** Stroke width for an icon shown `size` pixels high: small ones need more. */
export const strokeWidth = (size: number): number => (size <= 16 ? 2.1 : size >= 40 ? 1.6 : 1.8);

/** All icons and the emblem as one SVG file of symbols, for `<use href="/static/icons.svg#NAME">`. */
export function iconSheet(): string {
  const symbols = Object.entries<readonly IconShape[]>(ICON_SHAPES).map(([name, shapes]) => {
    const paths = shapes.map(({ d, fill, width }) =>
      fill
        ? `<path d="${d}" fill="currentColor" fill-rule="evenodd" stroke="none"/>`
        : `<path d="${d}"${width ? ` stroke-width="${width}"` : ""}/>`,
    );
    return `<symbol id="${name}" viewBox="0 0 24 24" fill="none" stroke="currentColor" stroke-width="1.8" stroke-linejoin="round" stroke-linecap="square">${paths.join("")}</symbol>`;
  });
  const emblem = `<symbol id="emblem" viewBox="0 0 48 48" fill="none" stroke="currentColor" stroke-width="2" stroke-linejoin="round"><path d="${EMBLEM.ring}"/><path d="${EMBLEM.darts}" fill="currentColor" stroke="none"/></symbol>`;
  return `<svg xmlns="http://www.w3.org/2000/svg">${symbols.join("")}${emblem}</svg>`;
}
