/**
 * A form that is sent without a network: the browser would show a page of its own in place of this one, with what was
 * typed in it, and what was sent to this very address could not be gone back to.
 */

/** Milliseconds in which a site that can be reached without a network, such as one of this computer, has answered. */
const PATIENCE = 4_000;
/** So many milliseconds it is told that the browser is online again. */
const SHOWN = 15_000;
const OFFLINE = "You are offline, so nothing was sent. This page is as you left it: press again when you are back.";
const ONLINE = "You are online again. Press again, and it is sent.";

/** Forms that go although the browser knows of no network. */
const reaching = new WeakSet<HTMLFormElement>();

/** Whether `form` is held back. It is sent after all where the site answers; else the page says what happened. */
export function heldOffline(form: HTMLFormElement, submitter: HTMLElement | null): boolean {
  takeBackUnsent();
  if (navigator.onLine !== false || reaching.has(form)) return false;
  void fetch(location.href, { method: "HEAD", cache: "no-store", signal: AbortSignal.timeout(PATIENCE) }).then(
    () => {
      reaching.add(form);
      form.requestSubmit(submitter);
      reaching.delete(form);
    },
    () => tell(form, submitter),
  );
  return true;
}

function tell(form: HTMLFormElement, submitter: HTMLElement | null): void {
  form.dispatchEvent(new CustomEvent("unsent", { bubbles: true }));
  const said = sayUnsent(OFFLINE, submitter ?? form);
  addEventListener(
    "online",
    () => {
      said.textContent = ONLINE;
      setTimeout(() => said.remove(), SHOWN);
    },
    { once: true },
  );
}

/**
 * Say `words`, that a form was not sent, above all of the page: in the window in which `place` is, if it is in one, as
 * that lies over the rest.
 */
export function sayUnsent(words: string, place: Element | null): HTMLElement {
  takeBackUnsent();
  const said = document.createElement("p");
  said.className = "unsent";
  said.dataset.unsent = "";
  said.setAttribute("role", "alert");
  said.textContent = words;
  (place?.closest("dialog") ?? document.body).append(said);
  return said;
}

/** Take the sentence away, as the form is sent again. */
export function takeBackUnsent(): void {
  document.querySelector("[data-unsent]")?.remove();
}
