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
  document.querySelector("[data-unsent]")?.remove();
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
  document.querySelector("[data-unsent]")?.remove();
  const words = document.createElement("p");
  words.className = "unsent";
  words.dataset.unsent = "";
  words.setAttribute("role", "alert");
  words.textContent = OFFLINE;
  // A modal window lies above all of the page.
  ((submitter ?? form).closest("dialog") ?? document.body).append(words);
  addEventListener(
    "online",
    () => {
      words.textContent = ONLINE;
      setTimeout(() => words.remove(), SHOWN);
    },
    { once: true },
  );
}
