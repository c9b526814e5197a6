// @vitest-environment happy-dom
import { afterEach, describe, expect, test, vi } from "vitest";
import { bytesOf, startPush } from "./push";

const ENDPOINT = "https://fcm.googleapis.com/x";
const HASH = "ff1fb28f3bb00e75861a9578e8f138fa43fb17379bc589e63d8160a55e9ab63b";
const find = (what: string): HTMLElement => document.querySelector<HTMLElement>(`[data-push-${what}]`) as HTMLElement;

/** A browser whose push service knows it or not; returns the page's part, ready, and what the server is asked. */
async function page({
  subscribed = false,
  known = `0 ${HASH}`,
  permission = "default",
  answer = new Response(null, { status: 204 }),
} = {}) {
  document.body.innerHTML = `<input type="hidden" name="csrfmiddlewaretoken" value="t">
    <section data-push data-key="AQID_-8" data-address="/browser/" data-worker="/static/push-worker.js" data-known="${known}">
    <p data-push-state></p><button data-push-on hidden></button><button data-push-off hidden></button></section>`;
  let made: object | null = null;
  const unsubscribe = vi.fn(async () => {
    made = null;
  });
  const subscribe = vi.fn(async () => {
    made = { endpoint: ENDPOINT, toJSON: () => ({ endpoint: ENDPOINT, keys: {} }), unsubscribe };
    return made;
  });
  if (subscribed) await subscribe();
  const registration = { active: {}, pushManager: { subscribe, getSubscription: async () => made } };
  const serviceWorker = { register: vi.fn(async () => registration), getRegistration: async () => registration };
  vi.stubGlobal("navigator", { serviceWorker });
  vi.stubGlobal("PushManager", class {});
  vi.stubGlobal("Notification", { permission });
  const asked = vi.fn(async (..._: unknown[]) => answer);
  vi.stubGlobal("fetch", asked);
  await startPush(document.querySelector("[data-push]") as HTMLElement);
  return { asked, subscribe, unsubscribe, serviceWorker };
}

afterEach(() => vi.unstubAllGlobals());

const timedOut = (): DOMException => new DOMException("signal timed out", "TimeoutError");

describe("notices in this browser", () => {
  test("are switched on: the browser subscribes with the site's key, and the site is told", async () => {
    const { asked, subscribe } = await page({ known: "" });
    expect(find("off").hidden).toBe(true);
    find("on").click();
    await vi.waitFor(() => expect(find("off").hidden).toBe(false));
    expect(subscribe).toHaveBeenCalledWith({
      userVisibleOnly: true,
      applicationServerKey: Uint8Array.from([1, 2, 3, 255, 239]),
    });
    expect(asked).toHaveBeenCalledWith("/browser/", expect.objectContaining({ method: "POST" }));
    expect(find("state").textContent).toContain("shows notices, even while no page");
  });

  test.each([
    ["denied", "allow this site in the browser's settings", true],
    ["default", "Press the button again, and allow them", false],
  ])("what its owner does not allow is told in our words (%s)", async (permission, words, hidden) => {
    const { asked, subscribe } = await page({ known: "" });
    subscribe.mockImplementation(async () => {
      vi.stubGlobal("Notification", { permission });
      throw new DOMException("Registration failed - permission denied", "NotAllowedError");
    });
    find("on").click();
    await vi.waitFor(() => expect(find("state").textContent).toContain(words));
    expect(find("on").hidden).toBe(hidden);
    expect((find("on") as HTMLButtonElement).disabled).toBe(false);
    expect(asked).not.toHaveBeenCalled();
  });

  test("what the site does not take is undone, and told", async () => {
    const refused = Response.json({ detail: "This browser's push service is not known." }, { status: 400 });
    const { unsubscribe } = await page({ answer: refused });
    find("on").click();
    await vi.waitFor(() => expect(find("state").textContent).toContain("push service is not known"));
    expect(unsubscribe).toHaveBeenCalled();
  });

  test("say in our words that the site cannot be reached, and can be pressed again", async () => {
    const { asked } = await page({ known: "" });
    const hangs = vi.spyOn(AbortSignal, "timeout").mockImplementation(() => AbortSignal.abort(timedOut()));
    asked.mockImplementationOnce(() => Promise.reject(new TypeError("Failed to fetch")));
    asked.mockImplementationOnce((...[, init]: unknown[]) => Promise.reject((init as RequestInit).signal?.reason));
    for (let press = 0; press < 2; press++) {
      find("state").textContent = "";
      find("on").click();
      await vi.waitFor(() => expect(find("state").textContent).toContain("The site cannot be reached"));
      await vi.waitFor(() => expect(find("on")).toHaveProperty("disabled", false));
    }
    hangs.mockRestore();
    find("on").click();
    await vi.waitFor(() => expect(find("off").hidden).toBe(false));
  });

  test("can be pressed again where the browser could not start what shows them", async () => {
    const { serviceWorker, subscribe } = await page({ known: "" });
    const installing = Object.assign(new EventTarget(), { state: "installing" });
    serviceWorker.register.mockResolvedValueOnce({ installing, active: null } as never);
    find("on").click();
    await vi.waitFor(() => expect(serviceWorker.register).toHaveBeenCalled());
    await new Promise((done) => setTimeout(done));
    installing.state = "redundant";
    installing.dispatchEvent(new Event("statechange"));
    await vi.waitFor(() => expect(find("state").textContent).toContain("could not start it"));
    expect([(find("on") as HTMLButtonElement).disabled, subscribe.mock.calls]).toEqual([false, []]);
  });

  test("a subscription with a key that the site had before makes room for one with its key", async () => {
    const { asked, subscribe, unsubscribe } = await page({ subscribed: true, known: "0" });
    subscribe.mockRejectedValueOnce(new DOMException("a different applicationServerKey exists", "InvalidStateError"));
    find("on").click();
    await vi.waitFor(() => expect(find("off").hidden).toBe(false));
    expect(unsubscribe).toHaveBeenCalledOnce();
    expect(asked).toHaveBeenCalledWith("/browser/", expect.objectContaining({ method: "POST" }));
  });

  test("the focus goes on at the button that takes the place of the one that was pressed", async () => {
    await page({ known: "" });
    find("on").focus();
    find("on").click();
    await vi.waitFor(() => expect(document.activeElement).toBe(find("off")));
  });

  test("are switched off on both sides", async () => {
    const { asked, unsubscribe } = await page({ subscribed: true });
    find("off").click();
    await vi.waitFor(() => expect(find("on").hidden).toBe(false));
    expect(asked).toHaveBeenCalledWith("/browser/", expect.objectContaining({ method: "DELETE" }));
    expect(unsubscribe).toHaveBeenCalled();
  });

  test("are offered again where the browser has them and the site has ended them", async () => {
    const { asked } = await page({ subscribed: true, known: "0" });
    expect([find("on").hidden, find("off").hidden]).toEqual([false, true]);
    expect(find("state").textContent).toContain("shows no notices yet");
    find("on").click();
    await vi.waitFor(() => expect(find("off").hidden).toBe(false));
    expect(asked).toHaveBeenCalledWith("/browser/", expect.objectContaining({ method: "POST" }));
  });

  test("are not offered where the browser was told to show none", async () => {
    await page({ permission: "denied" });
    expect(find("on").hidden).toBe(true);
    expect(find("state").textContent).toContain("told this browser to show no notices");
    expect(find("state").textContent).toContain("allow this site in the browser's settings");
  });
});

test("a key in base64 for addresses is read", () => {
  expect([...bytesOf("AQID_-8")]).toEqual([1, 2, 3, 255, 239]);
});
