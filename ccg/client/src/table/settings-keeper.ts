/** Brings what a player has set to the server: loaded once something is set, or was and has not got there. */

import { persistently } from "../persistently";
import { saveSettings } from "./settings";
import type { Settings } from "./settings-data";

/** Milliseconds for an answer: on a bad line a request may hang for minutes, and later settings wait for it. */
const PATIENCE = 20_000;

export interface KeeperParts {
  storage: Pick<Storage, "getItem" | "setItem"> | null;
  /** Where the server keeps them; null for who is not signed in. */
  address: string | null;
  token: string;
  /** The mark of what the server keeps, as far as this page knows. */
  known?: string | null;
  /** Whose they are, by id. */
  user: string;
  fetch?: typeof fetch;
}

export interface Keeper {
  save(settings: Settings): void;
}

/**
 * Keeps settings here and on the server, one change after another and of several that wait the newest. What gets no
 * answer is sent again; what is refused stays unsent, and goes with the next change or visit. Each request names what
 * the page knows to be kept: one that was given up and arrives late is refused then, and takes nothing back.
 */
export function settingsKeeper(parts: KeeperParts): Keeper {
  const { storage, address, token, user } = parts;
  const ask = parts.fetch ?? ((...what: Parameters<typeof fetch>) => fetch(...what));
  let newest: Settings | null = null;
  let busy = false;
  let known = parts.known ?? document.querySelector<HTMLElement>("[data-revision]")?.dataset.revision ?? null;

  /** Send what is the newest by now, knowing what others have set or not; return that, and whether it was taken. */
  const put = async (): Promise<[Settings | null, boolean]> => {
    const settings = newest;
    const named = known;
    const answer = await ask(address ?? "", {
      method: "PUT",
      headers: {
        "Content-Type": "application/json",
        "X-CSRFToken": token,
        ...(named && { "If-Match": named }),
      },
      body: JSON.stringify(settings),
      signal: AbortSignal.timeout(PATIENCE),
    });
    const kept = answer.headers.get("ETag");
    if (answer.ok) known = kept;
    if (answer.status === 412 && named) {
      known = kept === named ? null : kept; // a mark that does not come through unchanged is not named again
      return put();
    }
    if (answer.status >= 500 || answer.status === 429) throw new Error(`Later: ${answer.status}`);
    return [settings, answer.ok];
  };
  const send = async (): Promise<void> => {
    if (busy || !address) return;
    busy = true;
    while (newest) {
      const [sent, taken] = await persistently(put);
      if (sent !== newest) continue;
      newest = null;
      if (sent && taken) saveSettings(storage, sent);
    }
    busy = false;
  };
  return {
    save(settings) {
      saveSettings(storage, settings, user);
      newest = settings;
      void send();
    },
  };
}
