/**
 * Parts of a page that change while one looks (`data-refresh`, in seconds): the page is asked for again, and the part
 * with the same id takes the place of what is shown, unless it is the same. What has the focus keeps it: a button or a
 * link that is there again has it again, and while one fills in a field nothing is replaced. It ends where the part no
 * longer asks for it. A page that nobody looks at asks for nothing, as it may be open for days, unless something begins
 * without them there (`data-refresh-unseen`). Without script such pages load themselves again.
 *
 * Where the site says by a socket when something is new (`data-live`, its path), the page asks at once, and else seldom.
 */

import { News } from "./news";

/** Milliseconds for an answer: on a bad line a request may hang for minutes, and nothing would be asked meanwhile. */
const PATIENCE = 15_000;

/** Keep the parts of this page up to date. */
export function startRefreshing(page: Document = document): void {
  for (const part of page.querySelectorAll<HTMLElement>("[id][data-refresh]")) void keepFresh(part);
}

async function keepFresh(first: HTMLElement): Promise<void> {
  const news = first.dataset.live ? new News(first.dataset.live) : null;
  let part: HTMLElement | null = first;
  let missed = false;
  while (part) {
    const seconds = Number(part.dataset.refresh);
    if (!(seconds > 0)) break;
    await (news && !missed ? news.wait(seconds) : new Promise((done) => setTimeout(done, 1000 * seconds)));
    if (document.visibilityState === "hidden" && !("refreshUnseen" in part.dataset)) continue;
    const fresh = await again(part.id);
    const focused = part.contains(document.activeElement) ? document.activeElement : null;
    const filling = focused?.matches("input, select, textarea") === true;
    missed = fresh === null || filling; // what the socket has said is not said again
    if (fresh === "gone") {
      location.reload();
      break;
    }
    if (fresh && !filling && !fresh.isEqualNode(part)) {
      part.replaceWith(fresh);
      part = fresh;
      if (focused) sameIn(part, focused)?.focus({ preventScroll: true });
    }
  }
  news?.close();
}

/** What in `part` is the same as `other`, which was in the part before. */
const sameIn = (part: HTMLElement, other: Element): HTMLElement | undefined =>
  [...part.querySelectorAll<HTMLElement>(other.tagName)].find((one) => one.isEqualNode(other));

/** The part as it is now; null where the server is away for a moment, "gone" where there is no such part any more. */
async function again(id: string): Promise<HTMLElement | null | "gone"> {
  try {
    const signal = AbortSignal.timeout(PATIENCE);
    const answer = await fetch(location.href, { headers: { Accept: "text/html" }, signal });
    if (answer.status === 429 || answer.status >= 500) return null;
    if (answer.redirected) return "gone";
    const page = new DOMParser().parseFromString(await answer.text(), "text/html");
    return page.getElementById(id) ?? "gone";
  } catch {
    return null;
  }
}
