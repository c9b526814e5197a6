// @vitest-environment happy-dom
// Keys go to what has the focus where that is what they mean, and otherwise to what is asked.

import { afterEach, describe, expect, test, vi } from "vitest";
import { NO_CHAT } from "./chat-state";
import { openPage, type Page, shown } from "./fixtures/page-kit";
import { aDecision, anOption, aPiece, aPlayer, aTable, aView } from "./fixtures/small";
import type { OptionView, View } from "./types";

const pass = anOption("pass", { text: "Pass" });
const play = anOption("play BSG1-027", { card: "BSG1-027", text: "Play it" });
const me = aPlayer(0, { alert: [aPiece(12)], hand_cards: ["BSG1-027"], hand: 1 });
const asks = (options: OptionView[], about = {}, more: Partial<View> = {}): View =>
  aView(aDecision(options, about), { players: [me, aPlayer(1)], ...more });

let page: Page;
afterEach(() => page.close());

const focused = (): HTMLElement | null => document.activeElement as HTMLElement | null;

describe("a card has the focus", () => {
  test("Enter answers what is asked where nothing can be done with the card", () => {
    const keep = anOption("keep", { verb: "keep", text: "Keep this hand" });
    const redraw = anOption("redraw", { verb: "redraw", text: "Draw a new hand" });
    page = openPage(asks([keep, redraw], { kind: "opening_hand" }));
    page.find('[data-thing="card:BSG1-027"]').focus();
    page.press("Enter");
    expect(page.chosen()).toEqual(["keep"]);
  });

  test("Enter does not pass there: a card that cannot be used is no wish to pass", () => {
    page = openPage(asks([pass]));
    page.find('[data-thing="card:BSG1-027"]').focus();
    page.press("Enter");
    expect(page.chosen()).toEqual([]);
  });

  test("Space on a card that can be used asks before it passes", () => {
    page = openPage(asks([play, pass]));
    page.find('[data-thing="card:BSG1-027"]').focus();
    page.press(" ");
    expect(page.chosen()).toEqual([]);
    expect(page.text(".prompt-note")).toBe("Space passes; Enter uses the card. Space again, and you pass.");
    page.press(" ");
    expect(page.chosen()).toEqual(["pass"]);
  });

  test("Space passes at once from any other place", () => {
    page = openPage(asks([play, pass]));
    page.find('[data-thing="piece:12"]').focus();
    page.press(" ");
    expect(page.chosen()).toEqual(["pass"]);
  });
});

describe("keys with one sign are switched off", () => {
  afterEach(() => delete document.documentElement.dataset.keys);

  test("digits and letters do nothing; arrows, Enter, Space and Escape do what they did", () => {
    document.documentElement.dataset.keys = "off";
    page = openPage(asks([play, pass]));
    for (const key of ["1", "2", "c", "L", "r", "o", "u", "?"]) page.press(key);
    expect(page.chosen()).toEqual([]);
    expect(document.querySelector("dialog, .option-list")).toBeNull();
    expect(focused()).toBe(document.body);
    page.press("ArrowDown");
    expect(focused()?.dataset.thing).toBe("card:BSG1-027");
    page.find('[data-thing="piece:12"]').focus();
    page.press(" ");
    expect(page.chosen()).toEqual(["pass"]);
  });
});

describe("the log and the chat share a place", () => {
  test("arrows choose between their tabs, and the chosen one keeps the focus", async () => {
    page = openPage(asks([play, pass]));
    page.happen(({ store }) => store.set({ ...store.get(), chat: { ...NO_CHAT, reads: true, writes: true } }));
    await shown(() => page.all("[role=tab]").length > 0);
    const panel = (): string | null => page.find("[role=tabpanel]").getAttribute("aria-labelledby");
    expect(page.all("[role=tab]").map((tab) => tab.tabIndex)).toEqual([0, -1]);
    page.find("#log-tab").focus();
    page.press("ArrowRight");
    expect([focused()?.id, panel()]).toEqual(["chat-tab", "chat-tab"]);
    expect(page.find("#chat-tab").getAttribute("aria-selected")).toBe("true");
    page.press("ArrowLeft");
    expect([focused()?.id, panel()]).toEqual(["log-tab", "log-tab"]);
    page.find("#log-tab").focus();
    page.click(page.find("#chat-tab"));
    expect(page.find("#chat-tab").isConnected).toBe(true);
  });
});

describe("what is written in the chat", () => {
  const line = (): HTMLInputElement => page.find(".chat-writing input") as HTMLInputElement;
  const write = (text: string): void => {
    page.happen(() => {
      line().value = text;
      line().dispatchEvent(new Event("input", { bubbles: true }));
    });
  };
  const send = async (): Promise<void> => {
    page.click(page.all(".chat-writing button").at(-1) as HTMLElement);
    await shown(() => page.table.store.get().chat.sending !== null);
  };
  const answered = (note: string): void =>
    page.happen(({ store }) => store.set({ ...store.get(), chat: { ...store.get().chat, sending: null, note } }));

  test("stays while the log is looked at, until it is said", async () => {
    page = openPage(asks([play, pass]));
    page.happen(({ store }) => store.set({ ...store.get(), chat: { ...NO_CHAT, reads: true, writes: true } }));
    await shown(() => page.all("[role=tab]").length > 0);
    const look = async (): Promise<void> => {
      page.click(page.find("#log-tab"));
      page.click(page.find("#chat-tab"));
      await shown(() => page.all(".chat-writing").length > 0);
    };
    await look();
    write("Half a lin");
    await look();
    expect(line().value).toBe("Half a lin");
    write("A line.");
    await send();
    page.click(page.find("#log-tab"));
    answered("Too fast: wait a moment.");
    await look();
    expect(line().value).toBe("A line.");
    await send();
    page.click(page.find("#log-tab"));
    answered("");
    await look();
    expect(line().value).toBe("");
  });

  test("stays where it could not be sent, also once something else is said", async () => {
    page = openPage(asks([play, pass]));
    const chat = { ...NO_CHAT, reads: true, writes: true, phrases: ["Good luck!"] };
    page.happen(({ store }) => store.set({ ...store.get(), chat }));
    await shown(() => page.all("[role=tab]").length > 0);
    page.click(page.find("#chat-tab"));
    await shown(() => page.all(".chat-writing").length > 0);
    page.happen(({ store }) => store.set({ ...store.get(), line: "lost" }));
    write("Half an hour, please.");
    page.click(page.button("Send"));
    await shown(() => page.all(".chat-note").some((note) => note.textContent?.includes("line to the server is down")));
    page.happen(({ store }) => store.set({ ...store.get(), line: "open" }));
    page.click(page.button("Phrases"));
    page.click(page.button("Good luck!"));
    await shown(() => page.table.store.get().chat.sending !== null);
    answered("");
    expect(line().value).toBe("Half an hour, please.");
  });
});

describe("the chat without a line", () => {
  test("says that what was written is sent later, but not at a table that is closed for good", async () => {
    page = openPage(asks([play, pass]));
    const sending = { id: "chat-1", text: "hello" };
    page.happen(({ store }) => store.set({ ...store.get(), chat: { ...NO_CHAT, reads: true, writes: true, sending } }));
    await shown(() => page.all("[role=tab]").length > 0);
    page.click(page.find("#chat-tab"));
    await shown(() => page.all(".chat-note").length > 0);
    page.happen((table) => table.lineLost(1_000));
    expect(page.text(".chat-note")).toContain("sent when it is back");
    page.happen((table) => table.lineEnded("You signed out elsewhere."));
    expect(page.text(".chat-note")).not.toContain("sent when it is back");
  });
});

describe("the log has the focus", () => {
  test("Escape leaves it for what is asked, and takes nothing back", () => {
    page = openPage(asks([play, pass], { can_take_back: true }));
    page.find(".log-lines").focus();
    page.press("Escape");
    expect(focused()).toBe(page.find(".prompt"));
    expect(page.sent.filter(({ type }) => type === "back")).toEqual([]);
  });

  test("arrows and Space scroll it", () => {
    page = openPage(asks([play, pass]));
    page.press("l");
    const log = page.find(".log-lines");
    expect(focused()).toBe(log);
    for (const key of ["ArrowUp", "ArrowDown", " "]) page.press(key);
    expect(focused()).toBe(log);
    expect(page.chosen()).toEqual([]);
  });
});

describe("the list of all choices", () => {
  const many = [1, 2, 3, 4].map((at) => anOption(`use ${at} 12`, { piece: 12, text: `Use ${at}` }));

  test("has the focus once a key has opened it, and gives it back", () => {
    page = openPage(asks([...many, pass]));
    page.find('[data-thing="piece:12"]').focus();
    page.press("c");
    expect(focused()?.className).toContain("option-list");
    page.press("Escape");
    expect(page.all(".option-list")).toEqual([]);
    expect(focused()?.dataset.thing).toBe("piece:12");
  });
});

describe("going from heading to heading", () => {
  test("each fleet has one before those of its lines, which are called alike", () => {
    page = openPage(asks([pass]));
    expect(page.all(".fleet :is(h2, h3)").map((heading) => heading.textContent)).toEqual([
      ...["Fleet of Bob", "Resource", "Reserve", "Alert"],
      ...["Your fleet", "Alert", "Reserve", "Resource"],
    ]);
  });

  test("a menu says what it is of", () => {
    const [one, other] = ["Resolve it", "Boost it"].map((text) => anOption(text, { piece: 12, text }));
    page = openPage(asks([one as OptionView, other as OptionView, pass]));
    page.click(page.find('[data-thing="piece:12"]'));
    expect(page.find("[role=menu]").getAttribute("aria-label")).toBe("What to do");
  });
});

describe("what is heard", () => {
  test("only what is asked of this player interrupts what is read from the log", () => {
    page = openPage(asks([pass]));
    expect(page.find(".prompt-asks").getAttribute("aria-live")).toBe("assertive");
    page.hear(aTable(6, asks([], { seat: 1 }), { since: 5, you: 0 }));
    expect(page.find(".prompt-asks").getAttribute("aria-live")).toBe("polite");
  });

  test("why something cannot be done is not said of a card that can be used", () => {
    page = openPage(asks([play, pass]));
    page.find('[data-thing="card:BSG1-027"]').focus();
    const text = "Something else is asked first.";
    const use = {
      verb: "use",
      card: "BSG1-027",
      piece: null,
      reason: "other_decision" as const,
      text,
      number: null,
      missing: {},
      unmet: [],
    };
    page.hear({ type: "why", version: 5, uses: [use] });
    expect(page.text(".why-spoken")).toBe("");
  });

  test("the focus stays at what is asked when what had it is gone", async () => {
    page = openPage(asks([play, pass]));
    page.find('[data-thing="card:BSG1-027"]').focus();
    const gone = aPlayer(0, { alert: [aPiece(12)], hand_cards: [], hand: 0 });
    page.hear(aTable(6, asks([pass], {}, { players: [gone, aPlayer(1)] }), { since: 5, you: 0, events: [] }));
    await vi.waitFor(() => expect(focused()?.className).toContain("prompt"));
  });
});
