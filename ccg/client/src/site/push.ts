/** The part of the page of notices that lets this browser take push messages (`data-push`), or no longer. */

const DENIED =
  "You have told this browser to show no notices of this site. " +
  "To have them, allow this site in the browser's settings for notifications, then open this page again.";

const NOT_ALLOWED =
  "Nothing was changed: this browser was not allowed to show notices. Press the button again, and allow them.";

const UNREACHED =
  "The site cannot be reached, so it is not certain whether anything was changed. Press the button again in a moment.";
/** Milliseconds for an answer: on a bad line a request may hang for minutes, and no button can be pressed meanwhile. */
const PATIENCE = 20_000;

/** The site has not answered; browsers say so in words of their own. */
class Unreached extends Error {}

/** What `asked` gives; rejects with an Unreached where there was no answer. */
const reached = <T>(asked: Promise<T>): Promise<T> =>
  asked.catch((error: unknown) => {
    const ofLine = error instanceof TypeError || (error instanceof DOMException && error.name === "TimeoutError");
    throw ofLine ? new Unreached() : error;
  });

/** Make the buttons of `part` work; says what is so in this browser. */
export async function startPush(part: HTMLElement): Promise<void> {
  const { key = "", address = "", worker = "", known = "" } = part.dataset;
  // A new password ends all notices, and who has signed in here since has to want them: the browser knows of neither.
  const kept = new Set(known.split(" "));
  const state = part.querySelector<HTMLElement>("[data-push-state]");
  const on = part.querySelector<HTMLButtonElement>("[data-push-on]");
  const off = part.querySelector<HTMLButtonElement>("[data-push-off]");
  if (!state || !on || !off) return;
  if (!("serviceWorker" in navigator) || !("PushManager" in window)) {
    state.textContent = "This browser takes no notices from pages, or only over HTTPS.";
    return;
  }
  const show = async (): Promise<void> => {
    const made = await subscription(worker);
    const subscribed = made !== null && kept.has(await hashOf(made.endpoint));
    const denied = Notification.permission === "denied";
    on.hidden = subscribed || denied;
    off.hidden = !subscribed;
    if (subscribed) allowTest();
    if (subscribed) state.textContent = "This browser shows notices, even while no page of ours is open.";
    else if (denied) state.textContent = DENIED;
    else state.textContent = "This browser shows no notices yet.";
  };
  const doing = (work: () => Promise<void>) => async (): Promise<void> => {
    const own = hasFocus(on, off);
    on.disabled = off.disabled = true;
    try {
      await work();
      await show();
    } catch (error) {
      if (error instanceof DOMException && error.name === "NotAllowedError") {
        await show();
        if (Notification.permission !== "denied") state.textContent = NOT_ALLOWED;
      } else if (error instanceof Unreached) {
        state.textContent = UNREACHED;
      } else {
        state.textContent = `That did not work: ${error instanceof Error ? error.message : String(error)}`;
      }
    }
    on.disabled = off.disabled = false;
    // A button that can be pressed no longer, or is gone, loses the focus of who works by keyboard.
    if (own && hasFocus(on, off, document.body)) (off.hidden ? on : off).focus();
  };
  on.addEventListener(
    "click",
    doing(async () => {
      const registration = await reached(navigator.serviceWorker.register(worker));
      await active(registration);
      const made = await subscribeWith(bytesOf(key), registration.pushManager);
      const failed = await send(address, "POST", made.toJSON());
      if (failed === null) {
        kept.add(await hashOf(made.endpoint));
        return;
      }
      await made.unsubscribe();
      throw new Error(failed);
    }),
  );
  off.addEventListener(
    "click",
    doing(async () => {
      const made = await subscription(worker);
      if (!made) return;
      await send(address, "DELETE", { endpoint: made.endpoint });
      await made.unsubscribe();
    }),
  );
  await show();
}

/** Now there is a way for a test to go, which there may not have been when the page was made. */
function allowTest(): void {
  document.querySelector<HTMLButtonElement>("[data-push-test]")?.removeAttribute("disabled");
  document.querySelector("[data-push-no-test]")?.remove();
}

async function subscription(worker: string): Promise<PushSubscription | null> {
  const registration = await navigator.serviceWorker.getRegistration(worker);
  return (await registration?.pushManager.getSubscription()) ?? null;
}

/** By what the site names an endpoint on its pages: the address itself is for nobody to read. */
async function hashOf(endpoint: string): Promise<string> {
  const bytes = await crypto.subtle.digest("SHA-256", new TextEncoder().encode(endpoint));
  return Array.from(new Uint8Array(bytes), (byte) => byte.toString(16).padStart(2, "0")).join("");
}

const hasFocus = (...among: Element[]): boolean => among.some((one) => one === document.activeElement);

/** Wait until what shows notices runs; rejects where it could not be started. */
async function active(registration: ServiceWorkerRegistration): Promise<void> {
  const worker = registration.installing ?? registration.waiting;
  if (registration.active || !worker) return;
  await new Promise<void>((done, fail) =>
    worker.addEventListener("statechange", () => {
      if (worker.state === "activated") done();
      else if (worker.state === "redundant") fail(new Error("the browser could not start it. Press the button again."));
    }),
  );
}

/** Subscribe with the site's key. One with a key that the site had before, as with a lost database, makes room. */
async function subscribeWith(key: Uint8Array<ArrayBuffer>, manager: PushManager): Promise<PushSubscription> {
  const options = { userVisibleOnly: true, applicationServerKey: key };
  try {
    return await manager.subscribe(options);
  } catch (error) {
    const old =
      error instanceof DOMException && error.name === "InvalidStateError" && (await manager.getSubscription());
    if (!old) throw error;
    await old.unsubscribe();
    return manager.subscribe(options);
  }
}

/** Send what a browser says of its subscription; returns what is wrong, null for nothing. */
async function send(address: string, method: string, body: unknown): Promise<string | null> {
  const token = document.querySelector<HTMLInputElement>('input[name="csrfmiddlewaretoken"]')?.value ?? "";
  const answer = await reached(
    fetch(address, {
      method,
      headers: { "Content-Type": "application/json", "X-CSRFToken": token },
      body: JSON.stringify(body),
      signal: AbortSignal.timeout(PATIENCE),
    }),
  );
  if (answer.ok) return null;
  const told = (await answer.json().catch(() => null)) as { detail?: string } | null;
  return told?.detail ?? "The server did not take it. Try again in a moment.";
}

/** The bytes of a key in base64 for addresses. */
export function bytesOf(key: string): Uint8Array<ArrayBuffer> {
  const text = atob(key.replaceAll("-", "+").replaceAll("_", "/"));
  return Uint8Array.from(text, (sign) => sign.charCodeAt(0));
}
