/** How all pages look for this player: contrast, size of text, the hand that the buttons are for, and which keys they have. */

export interface Appearance {
  contrast: string;
  text: string;
  hand: string;
  keys: string;
}

/** Where the table keeps what was set, for who is not signed in and for the first paint. */
export const SETTINGS_KEY = "ragtag-fleet.table";

/** Show pages as was set; the usual values leave no mark. */
export function showAppearance({ contrast, text, hand, keys }: Appearance): void {
  const marks = document.documentElement.dataset;
  mark(marks, "contrast", contrast === "more" ? contrast : "");
  mark(marks, "text", text === "large" || text === "largest" ? text : "");
  mark(marks, "hand", hand === "left" ? hand : "");
  mark(marks, "keys", keys === "off" ? keys : "");
}

function mark(marks: DOMStringMap, name: string, value: string): void {
  if (value) marks[name] = value;
  else delete marks[name];
}

/** Take up what this browser has kept, unless the page was made for somebody signed in, whose settings it shows. */
export function startAppearance(): void {
  if ("kept" in document.documentElement.dataset) return;
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(SETTINGS_KEY) ?? "{}");
    if (typeof kept === "object" && kept !== null)
      showAppearance({ contrast: "", text: "", hand: "", keys: "", ...kept });
  } catch {
    // Nothing was kept, or nothing may be.
  }
}

/**
 * Whether `event` is a letter, a digit or another sign, and such keys are switched off: they do nothing by themselves then,
 * on any page. What has the focus may still take them, as a field does.
 */
export const isSwitchedOff = (event: KeyboardEvent): boolean =>
  document.documentElement.dataset.keys === "off" &&
  [...event.key].length === 1 &&
  event.key !== " " &&
  !event.ctrlKey &&
  !event.metaKey;
