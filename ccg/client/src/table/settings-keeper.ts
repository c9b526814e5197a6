/** Brings what a player has set to the server: loaded once something is set, or was and has not got there. */

import { saveSettings } from "./settings";
import type { Settings } from "./settings-data";

/** Milliseconds for an answer: on a bad line a request may hang for minutes, and later settings wait for it. */
const PATIENCE = 20_000;

export interface KeeperParts {
  storage: Pick<Storage, "getItem" | "setItem"> | null;
  /** Where the server keeps them; null for who is not signed in. */
  address: string | null;
  token: string;
  fetch?: typeof fetch;
}

export interface Keeper {
  save(settings: Settings): void;
}

/** Keeps settings here and, one change after another, on the server; what did not get there goes with the next. */
export function settingsKeeper(parts: KeeperParts): Keeper {
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
        signal: AbortSignal.timeout(PATIENCE),
      });
      return answer.ok;
    } catch {
      return false; // It stays unsent.
    }
  };
  return {
    save(settings) {
      saveSettings(storage, settings, address !== null);
      waiting = settings;
      void send();
    },
  };
}
