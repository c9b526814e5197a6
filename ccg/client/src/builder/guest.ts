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
