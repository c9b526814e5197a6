/**
 * Going on as a guest without leaving the builder behind as a page of its own: the page comes anew in its place, so that
 * going back leads to where the visitor came from, and not to the builder as it was before.
 */

import { takeBackUnsent } from "../site/unsent";

/** What the page around gives: each of it can be another in tests. */
interface Surroundings {
  fetch(input: string, init: RequestInit): Promise<Pick<Response, "ok" | "type" | "status">>;
  /** Show this address in place of the page. */
  replace(address: string): void;
  /** Say that the site cannot be reached, where `button` was pressed. */
  unreached(button: HTMLElement | null): void;
}

/** Milliseconds for an answer: on a bad line a request may hang for minutes, and nothing would be said meanwhile. */
const PATIENCE = 15_000;

/**
 * Send `form` behind the page; where the server does not agree, as a page, which says why. Where it cannot be reached,
 * the page stays: the browser would show one of its own, and nothing of the deck.
 */
export function goOnInPlace(form: HTMLFormElement, { fetch, replace, unreached }: Surroundings): void {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    const { submitter } = event as SubmitEvent;
    takeBackUnsent();
    // Where it leads on to is not fetched: that is this page, which is loaded anew.
    const signal = AbortSignal.timeout(PATIENCE);
    fetch(form.action, { method: "POST", body: new FormData(form), redirect: "manual", signal }).then(
      ({ ok, type, status }) => {
        if (ok || type === "opaqueredirect") replace(location.href);
        else if (status >= 500) unreached(submitter);
        else form.submit();
      },
      () => unreached(submitter),
    );
  });
}

/** What is known of the deck on the page, and how the server comes to have it. */
interface Saving {
  state: { get(): { kept: boolean } };
  refresh(): Promise<void>;
  flush(): Promise<boolean>;
}

/**
 * Have the page come `anew`: at once where the browser keeps the deck, else once the server has it. Where it cannot have
 * it now, the page stays as it is, as nobody else has the deck; it goes on trying to save it.
 */
export async function withTheDeck({ state, refresh, flush }: Saving, anew: () => void): Promise<void> {
  if (!state.get().kept) {
    await refresh();
    if (!(await flush())) return;
  }
  anew();
}
