/** What a player has set for the table, kept in this browser. */

import { type AutoPass, SETTINGS, type Settings, type Speed } from "./store";

const KEY = "ragtag-fleet.table";
const PASSES: AutoPass[] = ["never", "alone"];
const SPEEDS: Speed[] = ["half", "normal", "double", "off"];

/** Read the settings; anything missing or strange becomes the usual value. */
export function readSettings(storage: Pick<Storage, "getItem"> | null): Settings {
  try {
    const kept: unknown = JSON.parse(storage?.getItem(KEY) ?? "{}");
    if (typeof kept !== "object" || kept === null) return SETTINGS;
    const { autoPass, speed } = kept as Partial<Settings>;
    return {
      autoPass: autoPass && PASSES.includes(autoPass) ? autoPass : SETTINGS.autoPass,
      speed: speed && SPEEDS.includes(speed) ? speed : SETTINGS.speed,
    };
  } catch {
    return SETTINGS;
  }
}

export function saveSettings(storage: Pick<Storage, "setItem"> | null, settings: Settings): void {
  try {
    storage?.setItem(KEY, JSON.stringify(settings));
  } catch {
    // A browser that keeps nothing (private window, full storage) still plays.
  }
}

/** Whether the system asks for less movement; that wins over the chosen speed. */
export function wantsNoMotion(): boolean {
  return typeof matchMedia === "function" && matchMedia("(prefers-reduced-motion: reduce)").matches;
}
