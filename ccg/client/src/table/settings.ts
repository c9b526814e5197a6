/**
 * What a player has set for the table. It is kept with the account, or the guest, and in this browser: for the first
 * paint, for those who only look on, and until the server has heard of it.
 */

import { SETTINGS_KEY } from "../site/appearance";
import { KNOWN, SETTINGS, type Settings } from "./settings-data";

/** As it lies in the browser; `unsent` while the server has not got it. */
type Stored = Partial<Settings> & { unsent?: boolean };

type Store = Pick<Storage, "getItem" | "setItem">;

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
 * Read the settings: what was set here and has not reached the server, else what the server keeps, else what this
 * browser keeps.
 */
export function readSettings(storage: Pick<Storage, "getItem"> | null, kept = ""): Settings {
  const here = stored(storage);
  return settingsOf(kept && !here.unsent ? parsed(kept) : here);
}

export function saveSettings(storage: Pick<Storage, "setItem"> | null, settings: Settings, unsent = false): void {
  try {
    storage?.setItem(SETTINGS_KEY, JSON.stringify(unsent ? { ...settings, unsent } : settings));
  } catch {
    // A browser that keeps nothing (private window, full storage) still plays.
  }
}

export interface KeeperParts {
  storage: Store | null;
  /** Where the server keeps them; null for who is not signed in. */
  address: string | null;
  token: string;
  fetch?: typeof fetch;
}

/** Keeps settings here and, one change after another, on the server; what did not get there goes with the next. */
export function settingsKeeper(parts: KeeperParts): { save(settings: Settings): void; catchUp(): void } {
  const { storage, address, token } = parts;
  const ask = parts.fetch ?? ((...what: Parameters<typeof fetch>) => fetch(...what));
  let waiting: Settings | null = null;
  let busy = false;

  const send = async (): Promise<void> => {
    if (busy || !address) return;
    busy = true;
    while (waiting) {
      const settings: Settings = waiting;
      waiting = null;
      if (!(await put(settings))) break;
      if (!waiting) saveSettings(storage, settings);
    }
    busy = false;
  };
  const put = async (settings: Settings): Promise<boolean> => {
    try {
      const answer = await ask(address ?? "", {
        method: "PUT",
        headers: { "Content-Type": "application/json", "X-CSRFToken": token },
        body: JSON.stringify(settings),
      });
      return answer.ok;
    } catch {
      return false; // It stays unsent.
    }
  };
  const save = (settings: Settings): void => {
    saveSettings(storage, settings, address !== null);
    waiting = settings;
    void send();
  };
  return {
    save,
    catchUp: () => {
      if (address && stored(storage).unsent) save(settingsOf(stored(storage)));
    },
  };
}

/** How a card is read here: without a mouse there is nothing to point with. */
export function howToRead(): string {
  return typeof matchMedia === "function" && matchMedia("(hover: none)").matches ? "Tap a card" : "Point at a card";
}

/** Whether the system asks for less movement; that wins over the chosen speed. */
export function wantsNoMotion(): boolean {
  return typeof matchMedia === "function" && matchMedia("(prefers-reduced-motion: reduce)").matches;
}
