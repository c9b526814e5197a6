/**
 * What a player has set for the table. It is kept with the account, or the guest, and in this browser: for the first
 * paint, for those who only look on, and until the server has heard of it.
 */

import { SETTINGS_KEY } from "../site/appearance";
import { keepIn } from "../storage";
import { KNOWN, SETTINGS, type Settings } from "./settings-data";

/** As it lies in the browser; `unsent` has the id of whose it is while the server has not got it. */
type Stored = Partial<Settings> & { unsent?: string };

function stored(storage: Pick<Storage, "getItem"> | null): Stored {
  return parsed(storage?.getItem(SETTINGS_KEY) ?? "");
}

function parsed(text: string): Stored {
  try {
    const kept: unknown = JSON.parse(text || "{}");
    return typeof kept === "object" && kept !== null ? kept : {};
  } catch {
    return {};
  }
}

/** Every setting that is known is taken over; anything missing or strange is the usual value. */
function settingsOf(kept: Stored): Settings {
  const settings: Record<string, unknown> = { ...SETTINGS };
  for (const [name, known] of Object.entries(KNOWN)) {
    const value: unknown = kept[name as keyof Settings];
    const many = Array.isArray(SETTINGS[name as keyof Settings]);
    if (many && Array.isArray(value)) settings[name] = known.filter((one) => value.includes(one));
    else if (!many && known.includes(value as string)) settings[name] = value;
  }
  return settings as unknown as Settings;
}

/**
 * Read the settings: what `user` has set here and has not reached the server, else what the server keeps, else what this
 * browser keeps.
 */
export function readSettings(storage: Pick<Storage, "getItem"> | null, kept = "", user = ""): Settings {
  const here = stored(storage);
  return settingsOf(kept && here.unsent !== user ? parsed(kept) : here);
}

/** Keep what was set in this browser; `unsent` is the id of whose it is while the server has not got it. */
export function saveSettings(storage: Pick<Storage, "setItem"> | null, settings: Settings, unsent = ""): void {
  keepIn(storage, SETTINGS_KEY, JSON.stringify(unsent ? { ...settings, unsent } : settings));
}

/** What `user` has set here and has not reached the server; null where it has everything, or another was here since. */
export function unsentSettings(storage: Pick<Storage, "getItem"> | null, user: string): Settings | null {
  const here = stored(storage);
  return here.unsent === user ? settingsOf(here) : null;
}

/** How a card is read here: without a mouse there is nothing to point with. */
export function howToRead(): string {
  return typeof matchMedia === "function" && matchMedia("(hover: none)").matches ? "Tap a card" : "Point at a card";
}

/** Whether the system asks for less movement; that wins over the chosen speed. */
export function wantsNoMotion(): boolean {
  return typeof matchMedia === "function" && matchMedia("(prefers-reduced-motion: reduce)").matches;
}
