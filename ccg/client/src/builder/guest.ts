/**
 * Going on as a guest without leaving the builder behind as a page of its own: the page comes anew in its place, so that
 * going back leads to where the visitor came from, and not to the builder as it was before.
 */

/** What the page around gives: each of it can be another in tests. */
interface Surroundings {
  fetch(input: string, init: RequestInit): Promise<Pick<Response, "ok" | "type">>;
  /** Show this address in place of the page. */
  replace(address: string): void;
}

/** Send `form` behind the page; where the server does not agree, as a page, which says why. */
export function goOnInPlace(form: HTMLFormElement, { fetch, replace }: Surroundings): void {
  form.addEventListener("submit", (event) => {
    event.preventDefault();
    // Where it leads on to is not fetched: that is this page, which is loaded anew.
    fetch(form.action, { method: "POST", body: new FormData(form), redirect: "manual" })
      .then(({ ok, type }) => ok || type === "opaqueredirect")
      .catch(() => false)
      .then((done) => (done ? replace(location.href) : form.submit()));
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
