/**
 * A second press of a button that has sent its form does nothing while the first is on its way: browsers would send the
 * form again, and whoever clicks twice would have two copies of a deck, or two tables.
 */

/** How long the answer is waited for: a file that is saved leaves the page as it is. */
export const HELD_MS = 10_000;

/** Whether a form is held back for another reason. */
export type Held = (form: HTMLFormElement, submitter: HTMLElement | null) => boolean;

let held: Held = () => false;

/** Ask `also` of each form before it is sent. */
export function holdIf(also: Held): void {
  held = also;
}

/** Hold back what is sent twice; forms that only ask for something, and those that a script sends itself, go on. */
export function startOnce(page: Window = window): void {
  let sent = new WeakMap<Element, number>();
  // On the window, so after all who listen on the page and may have taken the form into their own hands.
  page.addEventListener("submit", (event) => {
    const form = event.target as HTMLFormElement;
    if (event.defaultPrevented || form.method !== "post") return;
    const { submitter } = event as SubmitEvent;
    if (held(form, submitter)) return event.preventDefault();
    const pressed = submitter ?? form;
    const now = performance.now();
    if (now - (sent.get(pressed) ?? -HELD_MS) < HELD_MS) event.preventDefault();
    else sent.set(pressed, now);
  });
  // The page is there again as it was left.
  page.addEventListener("pageshow", () => {
    sent = new WeakMap();
  });
}
