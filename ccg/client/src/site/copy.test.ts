// @vitest-environment happy-dom
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from "vitest";
import { startCopying } from "./copy";

const told = (): string | null | undefined => document.querySelector("[data-copied]")?.textContent;

beforeAll(() => {
  document.body.innerHTML =
    '<button type="button" hidden data-copy="/decks/x/" aria-label="Copy as Text">Copy</button><p data-copied></p>';
  startCopying();
});
beforeEach(() => vi.stubGlobal("ClipboardItem", undefined));
afterEach(() => vi.unstubAllGlobals());

test("a button copies what its address answers, and says so", async () => {
  const writeText = vi.fn(async () => undefined);
  vi.stubGlobal("navigator", { clipboard: { writeText } });
  vi.stubGlobal("fetch", async () => new Response("# Viper Wing\n4 Fury\n"));
  const button = document.querySelector("button") as HTMLButtonElement;
  expect(button.hidden).toBe(false);

  button.click();

  await vi.waitFor(() => expect(told()).toBe("Copied: Text."));
  expect(button.textContent).toBe("Copied");
  expect(writeText).toHaveBeenCalledWith("# Viper Wing\n4 Fury");
});

test("a browser that writes only while a click is handled is given what is still to come", async () => {
  let written = "";
  class Item {
    constructor(readonly parts: Record<string, Promise<Blob>>) {}
  }
  const write = async ([item]: Item[]): Promise<void> => {
    written = (await (await item?.parts["text/plain"])?.text()) ?? "";
  };
  vi.stubGlobal("ClipboardItem", Item);
  vi.stubGlobal("navigator", { clipboard: { write } });
  vi.stubGlobal("fetch", async () => new Response("4 Stims\n"));

  (document.querySelector("button") as HTMLButtonElement).click();

  await vi.waitFor(() => expect(written).toBe("4 Stims"));
});

test("what cannot be copied is said", async () => {
  vi.stubGlobal("fetch", async () => new Response("", { status: 404 }));

  (document.querySelector("button") as HTMLButtonElement).click();

  await vi.waitFor(() => expect(told()).toContain("could not be copied"));
});

test("a button copies what stands in a field", async () => {
  document.body.insertAdjacentHTML(
    "beforeend",
    '<input id="link" value="http://x/cards/A-1/" readonly><button type="button" data-copy-field="link" aria-label="Copy the link"></button>',
  );
  const writeText = vi.fn(async () => undefined);
  vi.stubGlobal("navigator", { clipboard: { writeText } });

  document.querySelector<HTMLButtonElement>("[data-copy-field]")?.click();

  await vi.waitFor(() => expect(told()).toBe("Copied: the link."));
  expect(writeText).toHaveBeenCalledWith("http://x/cards/A-1/");
});

test("what was done is told beside the button, where there is room for it", async () => {
  document.body.insertAdjacentHTML(
    "beforeend",
    '<div class="field"><button type="button" data-copy-field="link" aria-label="Copy the link" id="near"></button><p data-copied></p></div>',
  );
  vi.stubGlobal("navigator", { clipboard: { writeText: async () => undefined } });

  document.querySelector<HTMLButtonElement>("#near")?.click();

  await vi.waitFor(() => expect(document.querySelector(".field [data-copied]")?.textContent).toBe("Copied: the link."));
});

describe("sharing", () => {
  const begin = (share?: (data: ShareData) => Promise<void>): HTMLButtonElement => {
    const page = document.implementation.createHTMLDocument();
    page.title = "Waiting";
    page.body.innerHTML =
      '<section><input id="invite" value="http://x/play/invite/abc/" readonly><p data-copied></p>' +
      '<button type="button" hidden data-share-field="invite" data-share-words="Play with me">Share</button></section>';
    vi.stubGlobal("navigator", { share });
    startCopying(page);
    return page.querySelector("button") as HTMLButtonElement;
  };

  test("hands the address of a field to other programs", async () => {
    const share = vi.fn(async () => undefined);
    const button = begin(share);
    expect(button.hidden).toBe(false);
    button.click();
    await vi.waitFor(() => expect(share).toHaveBeenCalled());
    expect(share).toHaveBeenCalledWith({
      title: "Waiting",
      text: "Play with me",
      url: "http://x/play/invite/abc/",
    });
  });

  test("stays hidden where nothing shares", () => {
    expect(begin().hidden).toBe(true);
  });
});

test("the button that copied last says so, and no other one", async () => {
  vi.stubGlobal("navigator", { clipboard: { writeText: vi.fn(async () => undefined) } });
  vi.stubGlobal("fetch", async () => new Response("4 Fury"));
  const field = '<input id="own" value="x"><button data-copy-field="own">Copy the link</button>';
  document.body.insertAdjacentHTML("beforeend", `<section>${field}<p data-copied></p></section>`);
  const first = document.querySelector("button");
  const second = document.querySelector<HTMLButtonElement>("section button");
  first?.click();
  await vi.waitFor(() => expect(first?.textContent).toBe("Copied"));
  for (let times = 0; times < 2; times++) {
    second?.click();
    await vi.waitFor(() => expect(second?.textContent).toBe("Copied"));
    expect(first?.textContent).toBe("Copy");
    expect(document.querySelector("section [data-copied]")?.textContent).toBe("Copied: the link.");
  }
  document.querySelector("section")?.remove();
});
