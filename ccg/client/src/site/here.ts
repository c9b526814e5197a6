/**
 * Pages that wait for others (`data-here`, an address): the site is told every `data-here-seconds` that somebody still
 * waits, and answers with the table to go to once there is one. `[data-here-words]` shows how it stands.
 */

import { storageOf } from "../storage";

/** Milliseconds for an answer: less than those after which somebody who is not heard of counts as gone. */
const PATIENCE = 6_000;

/** A page that was loaded anew is not once more for so many milliseconds: what refused it may do so each time. */
const ANEW = 60_000;
const KEY = "here-anew";

const REFUSED =
  "The site does not hear that you wait here, so you are not waiting just now. This page tries again; if that does not help, sign in again, or try another network.";
const UNHEARD =
  "The site cannot be reached, so you are not waiting just now. This page tries again and goes on by itself.";

interface Answer {
  state: "waiting" | "paired" | "none";
  table: string | null;
  words: string;
}

/** Begin to tell, if this page waits. */
export function startWaiting(page: Document = document, go: (address: string) => void = goTo): void {
  const part = page.querySelector<HTMLElement>("[data-here]");
  if (part?.dataset.here) void wait(part, part.dataset.here, go);
}

async function wait(part: HTMLElement, address: string, go: (address: string) => void): Promise<void> {
  const page = part.ownerDocument;
  let missed = 0;
  while (part.isConnected) {
    const answer = await tell(page, address);
    if (answer?.table) {
      const told = part.querySelector("[data-here-found]");
      if (told) told.textContent = "An opponent is here.";
      page.title = "Your match begins";
      return go(answer.table);
    }
    // Whoever is not waited for any more is told so by the page as it is now; with a fragment nothing would be loaded.
    const refused = answer?.state === "none";
    if (refused && mayLoadAnew()) return go(page.location.href.split("#", 1)[0] as string);
    const words = part.querySelector("[data-here-words]");
    missed = answer ? 0 : missed + 1;
    if (words && (answer || missed > 1)) words.textContent = refused ? REFUSED : (answer?.words ?? UNHEARD);
    await new Promise((done) => setTimeout(done, 1000 * (Number(part.dataset.hereSeconds) || 5)));
  }
}

/** What the site answers; null where it is away for a moment. */
async function tell(page: Document, address: string): Promise<Answer | null> {
  const token = page.querySelector<HTMLInputElement>("input[name=csrfmiddlewaretoken]")?.value ?? "";
  const body = new URLSearchParams({ csrfmiddlewaretoken: token, hidden: page.hidden ? "yes" : "no" });
  try {
    const signal = AbortSignal.timeout(PATIENCE); // On a bad line a request may hang for minutes.
    const answer = await fetch(address, { method: "POST", body, headers: { Accept: "application/json" }, signal });
    // 403 where somebody signed in or out in another tab: the token of this page is an old one.
    if ([403, 404].includes(answer.status)) return { state: "none", table: null, words: "" };
    return answer.ok ? ((await answer.json()) as Answer) : null;
  } catch {
    return null;
  }
}

/** Whether the page was not loaded anew just now; where the browser keeps nothing, whether it is not new itself. */
function mayLoadAnew(): boolean {
  try {
    const storage = storageOf("sessionStorage");
    if (storage) {
      const since = Date.now() - Number(storage.getItem(KEY));
      // A clock that was set back says nothing.
      if (since >= 0 && since < ANEW) return false;
      storage.setItem(KEY, String(Date.now()));
      return true;
    }
  } catch {
    // It may be read and not written to.
  }
  return performance.now() >= ANEW;
}

function goTo(address: string): void {
  location.assign(address);
}
