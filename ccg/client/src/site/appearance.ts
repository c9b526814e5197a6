/** How all pages look for this player: contrast, size of text, and the hand that the buttons are for. */

export interface Appearance {
  contrast: string;
  text: string;
  hand: string;
}

/** Where the table keeps what was set, for who is not signed in and for the first paint. */
export const SETTINGS_KEY = "ragtag-fleet.table";

/** Show pages as was set; the usual values leave no mark. */
export function showAppearance({ contrast, text, hand }: Appearance): void {
  const marks = document.documentElement.dataset;
  mark(marks, "contrast", contrast === "more" ? contrast : "");
  mark(marks, "text", text === "large" || text === "largest" ? text : "");
  mark(marks, "hand", hand === "left" ? hand : "");
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
    if (typeof kept === "object" && kept !== null) showAppearance({ contrast: "", text: "", hand: "", ...kept });
  } catch {
    // Nothing was kept, or nothing may be.
  }
}
