// @vitest-environment happy-dom
// The window in which a list comes in takes what its field holds, and nothing that was read before.

import { render } from "preact";
import { act } from "preact/test-utils";
import { afterEach, beforeEach, expect, test, vi } from "vitest";
import { type Content, EMPTY } from "./content";
import { Import } from "./import";

const changed = vi.fn<(content: Content) => void>();
vi.mock("./context", () => ({
  useBuilder: () => ({
    editor: { change: (content: Content) => changed(content), show: () => undefined },
    known: { cards: new Map() },
    importing: null,
    rules: { standard: "standard" },
  }),
  useEdited: () => ({ content: EMPTY }),
}));

/** What the server says of a list of one line: as many Raptors as the text begins with. */
const read = (text: string): Response =>
  Response.json({
    deck: {
      name: "",
      format: "",
      bases: [],
      counts: Number.parseInt(text, 10) ? { "BSG1-164": Number.parseInt(text, 10) } : {},
      considering: {},
      tags: {},
    },
    lines: [{ number: 1, text, kind: "matched", cards: ["BSG1-164"], notes: [] }],
    undecided: [],
  });
const refusal = (status: number): Response =>
  Response.json({ detail: "Not now." }, { status, headers: { "Retry-After": "7" } });

let answers: Response[];
const asked = vi.fn(async (_: string, { body }: RequestInit) => answers.shift() ?? read(JSON.parse(String(body)).text));

beforeEach(async () => {
  vi.useFakeTimers();
  vi.stubGlobal("fetch", asked);
  answers = [];
  await act(() => render(<Import />, document.body));
});
afterEach(() => {
  render(null, document.body);
  vi.useRealTimers();
  vi.unstubAllGlobals();
  vi.clearAllMocks();
});

const type = (text: string): Promise<void> =>
  act(() => {
    const field = document.querySelector("textarea") as HTMLTextAreaElement;
    field.value = text;
    field.dispatchEvent(new Event("input", { bubbles: true }));
  });
const pass = (milliseconds: number): Promise<void> =>
  act(async () => {
    await vi.advanceTimersByTimeAsync(milliseconds);
  });
const replace = (): HTMLButtonElement =>
  [...document.querySelectorAll("button")].find(
    ({ textContent }) => textContent === "Replace the deck",
  ) as HTMLButtonElement;

for (const status of [429, 503])
  test(`a list that could not be read (${status}) is read later, and until then nothing is taken`, async () => {
    await type("4 Raptor 227");
    await pass(300);
    expect(replace().disabled).toBe(false);
    answers = [refusal(status)];
    await type("2 Raptor 227");
    await pass(300);
    expect(document.body.textContent).toContain("Not now.");
    expect(replace().disabled).toBe(true);
    await pass(7000);
    expect(asked).toHaveBeenCalledTimes(3);
    expect(document.body.textContent).not.toContain("Not now.");
    await act(() => replace().click());
    expect(changed.mock.calls[0]?.[0].counts).toEqual({ "BSG1-164": 2 });
  });

test("a list that cannot be read at all is not asked for again", async () => {
  answers = [refusal(400)];
  await type("2 Raptor 227");
  await pass(60_000);
  expect(asked).toHaveBeenCalledTimes(1);
  expect(document.body.textContent).toContain("Not now.");
});

test("what is wrong with a file stays to be read beside the list that was there before", async () => {
  await type("4 Raptor 227");
  await pass(200);
  const chosen = document.querySelector("input[type=file]") as HTMLInputElement;
  Object.defineProperty(chosen, "files", { value: [new File([new Uint8Array([0xe9, 0x41])], "list.txt")] });
  await act(() => void chosen.dispatchEvent(new Event("change", { bubbles: true })));
  await pass(2000);
  expect(document.querySelector("[role=alert]")?.textContent).toContain("not text in UTF-8");
  await type("2 Raptor 227");
  await pass(300);
  expect(document.querySelector("[role=alert]")).toBeNull();
});

test("a list without a card in it replaces nothing", async () => {
  await type("# Wing");
  await pass(300);
  expect(asked).toHaveBeenCalledTimes(1);
  expect(replace().disabled).toBe(true);
});

/** A request that is never answered, and fails as it is given up. */
const hanging = (_: string, { signal }: RequestInit): Promise<Response> =>
  new Promise((_done, fail) => signal?.addEventListener("abort", () => fail(signal.reason)));

test("a list that gets no answer is told not to be read, and read later without being touched", async () => {
  asked.mockImplementationOnce(hanging);
  await type("2 Raptor 227");
  await pass(15_000);
  expect(document.body.textContent).toContain("cannot be reached now. Your text is still here");
  expect(replace().disabled).toBe(true);
  await pass(7000);
  expect(replace().disabled).toBe(false);
  expect(document.querySelector("[role=alert]")).toBeNull();
});

test("the deck at an address is asked for again by itself once the line is back", async () => {
  asked.mockImplementationOnce(() => Promise.reject(new TypeError("Failed to fetch")));
  asked.mockImplementationOnce(async () => Response.json({ text: "3 Raptor 227" }));
  await type("/decks/OmlG9AKBEJcxhTYd059r0Q/");
  await pass(300);
  expect(document.body.textContent).toContain("cannot be reached now");
  await pass(7000);
  expect(replace().disabled).toBe(false);
});

test.each([
  ["is copied", { writeText: async () => undefined }, "Copied"],
  ["could not be copied", { writeText: () => Promise.reject(new Error("refused")) }, "That could not be copied"],
  ["could not be copied where there is no clipboard", undefined, "That could not be copied"],
])("it is said that the deck %s", async (_, clipboard, words) => {
  vi.stubGlobal("navigator", { ...navigator, clipboard });
  const button = [...document.querySelectorAll("button")].find((one) => one.textContent?.includes("Copy this deck"));
  await act(async () => button?.click());
  await pass(0);
  expect(button?.textContent).toContain(words);
});
