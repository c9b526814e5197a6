// @vitest-environment happy-dom
import { render, type VNode } from "preact";
import { afterEach, beforeEach, describe, expect, test, vi } from "vitest";
import { CardLine, cardFacts, currentCatalog, FullCard, loadCatalog, Thumbnail } from ".";
import { defineCardElement } from "./element";
import { unknownCard } from "./facts";
import { keywordReminder } from "./keywords";
import { startPreviews } from "./preview";
import { useTestCards } from "./testing";

function shown(card: VNode): HTMLElement {
  const root = document.createElement("div");
  render(card, root);
  return root.firstElementChild as HTMLElement;
}

beforeEach(useTestCards);
afterEach(() => {
  document.body.replaceChildren();
  vi.unstubAllGlobals();
  vi.useRealTimers();
});

describe("a full card", () => {
  test("shows every fact in words", () => {
    const text = shown(<FullCard card="T-1" />).textContent ?? "";
    for (const word of ["Apollo", "Test Pilot", "Pilot", "Makes security"]) expect(text).toContain(word);
  });

  test("of a base lies on its side and shows hand size and influence", () => {
    const card = shown(<FullCard card="T-5" />);
    expect(card.className).toContain("is-landscape");
    expect([...card.querySelectorAll(".card-figure")].map((one) => one.textContent?.trim())).toEqual([
      "Hand4",
      "Influence12",
    ]);
  });

  test("that makes nothing says so", () => expect(shown(<FullCard card="T-3" />).textContent).toContain("Supply only"));

  test("explains its keywords", () => {
    const card = shown(<FullCard card="T-2" />);
    expect(card.querySelector(".card-keyword")?.textContent).toBe("Scramble");
    expect(card.querySelector(".card-reminder")?.textContent).toBe("Can defend against personnel too.");
  });

  test("says what a card is linked to wherever its keyword speaks of it", () => {
    for (const link of ["personnel", "unit"]) {
      expect(keywordReminder(unknownCard("T-9"), { name: "link", link })).toBe(
        `Once resolved, attach it to target ${link}; discard it when that ${link} leaves play.`,
      );
    }
  });

  test("says that an ability is not played yet", () => {
    expect(shown(<FullCard card="T-2" />).textContent).toContain("Ability not yet played");
    expect(shown(<FullCard card="T-1" />).textContent).not.toContain("Ability not yet played");
  });

  test("of a mission says whether it can be resolved, and what is missing", () => {
    expect(shown(<FullCard card="T-4" />).querySelector(".card-requirement svg")).toBeNull();
    expect(
      shown(<FullCard card="T-4" met />)
        .querySelector(".card-requirement svg")
        ?.getAttribute("aria-label"),
    ).toBe("Can be met");
    expect(shown(<FullCard card="T-4" met={false} missing="1 Officer" />).textContent).toContain("missing 1 Officer");
  });
});

test("a line leads to the page of its card", () => {
  expect(
    shown(<CardLine card="T-1" />)
      .querySelector("a")
      ?.getAttribute("href"),
  ).toBe("/cards/T-1/");
});

test("pictures are decoration", () => {
  expect(
    shown(<Thumbnail card="T-1" />)
      .querySelector("img")
      ?.getAttribute("alt"),
  ).toBe("");
});

describe("the catalogue", () => {
  const file = { version: "v2", cards: { "N-1": { ...cardFacts("N-1"), name: "Newcomer", subtitle: "Newcomer" } } };
  const answering = (status: number) => vi.fn(async () => new Response(JSON.stringify(file), { status }));

  test("is asked for once for each version", async () => {
    const ask = answering(200);
    vi.stubGlobal("fetch", ask);
    await Promise.all([loadCatalog("v2"), loadCatalog("v2")]);
    expect(ask).toHaveBeenCalledOnce();
    expect(ask.mock.calls[0]?.at(0)).toBe("/api/v1/cards/catalog.json?v=v2");
    expect(currentCatalog()?.version).toBe("v2");
    expect(cardFacts("N-1").name).toBe("Newcomer");
  });

  test("is asked for again after it could not be had", async () => {
    vi.stubGlobal("fetch", answering(503));
    await expect(loadCatalog("v3")).rejects.toThrow("503");
    const ask = answering(200);
    vi.stubGlobal("fetch", ask);
    await loadCatalog("v3");
    expect(ask).toHaveBeenCalledOnce();
  });

  test("is given up where no answer comes, and asked for again", async () => {
    const time = vi.spyOn(AbortSignal, "timeout").mockImplementation(() => AbortSignal.abort());
    vi.stubGlobal("fetch", (_: string, { signal }: RequestInit) =>
      signal?.aborted ? Promise.reject(signal.reason) : Promise.resolve(Response.json(file)),
    );
    await expect(loadCatalog("v4")).rejects.toThrow();
    time.mockRestore();
    const ask = answering(200);
    vi.stubGlobal("fetch", ask);
    await loadCatalog("v4");
    expect(ask).toHaveBeenCalledOnce();
  });

  test("has a stand-in for cards that it does not know", () => expect(cardFacts("T-99").name).toBe("T-99"));
});

describe("<ccg-card>", () => {
  beforeEach(() => {
    defineCardElement();
    vi.stubGlobal(
      "fetch",
      vi.fn(async () => new Response("", { status: 503 })),
    );
  });

  test("draws its card in place of the words in it, and keeps their link", async () => {
    document.body.innerHTML = '<ccg-card card="T-1" size="full"><a href="/cards/T-1/">Apollo</a></ccg-card>';
    await Promise.resolve();
    const link = document.querySelector("ccg-card > a");
    expect(link?.getAttribute("href")).toBe("/cards/T-1/");
    expect(link?.querySelector(".card-full")).not.toBeNull();
  });

  test("leaves the words of the page where it does not know the card", async () => {
    document.body.innerHTML = '<ccg-card card="T-99">Somebody else</ccg-card>';
    await Promise.resolve();
    expect(document.querySelector("ccg-card")?.textContent).toBe("Somebody else");
  });

  test("follows its attributes", async () => {
    document.body.innerHTML = '<ccg-card card="T-1"></ccg-card>';
    await Promise.resolve();
    const element = document.querySelector("ccg-card");
    expect(element?.querySelector(".card-thumbnail")).not.toBeNull();
    element?.setAttribute("size", "line");
    expect(element?.querySelector(".card-line")).not.toBeNull();
  });
});

describe("the preview of a named card", () => {
  let stop: () => void;
  beforeEach(() => {
    vi.useFakeTimers();
    vi.stubGlobal(
      "fetch",
      vi.fn(async () => new Response("", { status: 503 })),
    );
    document.body.innerHTML = '<p>See <a class="card-name" data-card="T-1" href="#">Apollo</a> and <b>others</b>.</p>';
    stop = startPreviews({ delay: 100, hold: 300 });
  });
  afterEach(() => stop());

  const point = (selector: string, kind: string, pointerType: string): void => {
    document.querySelector(selector)?.dispatchEvent(new PointerEvent(kind, { bubbles: true, pointerType }));
  };
  const preview = (): Element | null => document.querySelector(".card-preview .card-full");

  test("shows after the pointer has rested on the name, and goes with it", async () => {
    point("a", "pointerover", "mouse");
    expect(preview()).toBeNull();
    await vi.advanceTimersByTimeAsync(120);
    expect(preview()).not.toBeNull();
    point("b", "pointerover", "mouse");
    expect(preview()).toBeNull();
  });

  test("shows above the window that the name is in", async () => {
    document.body.innerHTML = '<dialog open><a class="card-name" data-card="T-1" href="#">Apollo</a></dialog>';
    point("a", "pointerover", "mouse");
    await vi.advanceTimersByTimeAsync(120);
    expect(preview()?.closest("dialog")).not.toBeNull();
  });

  test("shows while a finger is held on the name, and stays until the next touch", async () => {
    point("a", "pointerdown", "touch");
    await vi.advanceTimersByTimeAsync(320);
    point("a", "pointerup", "touch");
    expect(document.querySelector(".card-preview.is-held")).not.toBeNull();
    point("b", "pointerdown", "touch");
    expect(preview()).toBeNull();
  });

  test("does not show for a short tap", async () => {
    point("a", "pointerdown", "touch");
    point("a", "pointerup", "touch");
    await vi.advanceTimersByTimeAsync(400);
    expect(preview()).toBeNull();
  });

  test("a tap on a word of the game says what it means, until the next touch", async () => {
    document.body.innerHTML = '<p>The <i class="term" data-term="alert">alert</i> units and <b>others</b>.</p>';
    const tap = (selector: string): void => {
      for (const kind of ["pointerdown", "pointerup", "click"]) point(selector, kind, "touch");
    };
    tap("i");
    await vi.advanceTimersByTimeAsync(10);
    expect(document.querySelector(".card-preview.is-held")).not.toBeNull();
    tap("i");
    await vi.advanceTimersByTimeAsync(1000);
    expect(document.querySelector(".card-preview")).toBeNull();
    tap("i");
    await vi.advanceTimersByTimeAsync(1000);
    tap("b");
    await vi.advanceTimersByTimeAsync(1000);
    expect(document.querySelector(".card-preview")).toBeNull();
  });

  test("a tap on what uses a word does not stop to explain it, nor does a click of the mouse", async () => {
    document.body.innerHTML =
      '<p><button><i data-term="alert">alert</i></button> <a href="#"><b data-term="alert">alert</b></a> <u data-term="alert">alert</u></p>';
    for (const selector of ["i", "b"])
      for (const kind of ["pointerdown", "pointerup", "click"]) point(selector, kind, "touch");
    for (const kind of ["pointerdown", "pointerup", "click"]) point("u", kind, "mouse");
    await vi.advanceTimersByTimeAsync(1000);
    expect(document.querySelector(".card-preview")).toBeNull();
  });

  test("closes with Escape", async () => {
    point("a", "pointerover", "mouse");
    await vi.advanceTimersByTimeAsync(120);
    document.dispatchEvent(new KeyboardEvent("keydown", { key: "Escape" }));
    expect(preview()).toBeNull();
  });

  test("is over when it is stopped", async () => {
    stop();
    point("a", "pointerover", "mouse");
    await vi.advanceTimersByTimeAsync(120);
    expect(preview()).toBeNull();
  });
});
