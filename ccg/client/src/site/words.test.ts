// @vitest-environment happy-dom
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { notes, startWords, wordsWith } from "./words";

const COMMITMENT = "ab".repeat(32);

function formWith(own = ""): HTMLFormElement {
  document.body.innerHTML = `<form method="post" data-shuffle="/commit/"><input type="hidden" name="csrfmiddlewaretoken" value="t">
    <details data-shuffle-own hidden><input value="${own}"></details><button name="which" value="this">Go</button></form>`;
  return document.querySelector("form") as HTMLFormElement;
}

function press(form: HTMLFormElement): void {
  const submitter = form.querySelector("button");
  form.dispatchEvent(new SubmitEvent("submit", { bubbles: true, cancelable: true, submitter }));
}

/** Submit by the button, and return what the form sends when it finally goes. */
async function submitted(form: HTMLFormElement): Promise<FormData> {
  const gone = vi.fn();
  form.requestSubmit = gone;
  press(form);
  await vi.waitFor(() => expect(gone).toHaveBeenCalled());
  expect(gone).toHaveBeenCalledTimes(1);
  return new FormData(form);
}

beforeAll(() => startWords(document));
beforeEach(() => localStorage.clear());
afterEach(() => vi.unstubAllGlobals());

describe("a form that sits somebody down", () => {
  test("gets the commitment first and brings words made after it, noted in this browser", async () => {
    const asked = vi.fn(async () => Response.json({ commitment: COMMITMENT }));
    vi.stubGlobal("fetch", asked);
    const form = formWith("roll the hard six");
    const sent = await submitted(form);

    expect(asked).toHaveBeenCalledWith(
      "/commit/",
      expect.objectContaining({ method: "POST", headers: expect.objectContaining({ "X-CSRFToken": "t" }) }),
    );
    expect(sent.get("shuffle_commitment")).toBe(COMMITMENT);
    expect(sent.get("shuffle_words")).toMatch(/^roll the hard six [\w-]{32}$/);
    expect(notes()).toEqual([{ commitment: COMMITMENT, words: sent.get("shuffle_words") }]);
  });

  test("goes without words where no commitment can be had", async () => {
    vi.stubGlobal(
      "fetch",
      vi.fn(async () => new Response("", { status: 503 })),
    );
    expect((await submitted(formWith())).has("shuffle_words")).toBe(false);
  });

  test("which could not be sent without a line, brings words of the time when it is", async () => {
    vi.stubGlobal(
      "fetch",
      vi.fn(async () => Promise.reject(new TypeError("The line is down."))),
    );
    const form = formWith();
    await submitted(form);
    form.dispatchEvent(new CustomEvent("unsent", { bubbles: true }));
    vi.stubGlobal(
      "fetch",
      vi.fn(async () => Response.json({ commitment: COMMITMENT })),
    );
    expect((await submitted(form)).get("shuffle_commitment")).toBe(COMMITMENT);
  });

  test("a second press while the first is on its way asks for nothing", async () => {
    const asked = vi.fn(async () => Response.json({ commitment: COMMITMENT }));
    vi.stubGlobal("fetch", asked);
    const form = formWith();
    const going = submitted(form);
    press(form);
    await going;
    expect(asked).toHaveBeenCalledTimes(1);
  });
});

test("words are 192 random bits in one line, whatever was typed", () => {
  const words = new Set(Array.from({ length: 200 }, () => wordsWith("")));
  expect(words.size).toBe(200);
  for (const one of words) expect(one).toMatch(/^[\w-]{32}$/);
  expect(wordsWith("a\nb\u0000\ud800")).toMatch(/^a b {1,2}[\w-]{32}$|^a b {2,}\S* ?[\w-]{32}$/);
  expect([...wordsWith("🂡".repeat(500))].length).toBe(150 + 1 + 32);
});
