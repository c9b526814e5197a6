// @vitest-environment happy-dom
import { afterEach, describe, expect, test, vi } from "vitest";
import { giveUpAfter } from "../testing";
import { howToRead, readSettings, saveSettings, unsentSettings } from "./settings";
import { settingsKeeper } from "./settings-keeper";
import { SETTINGS, type Settings } from "./store";

function aStorage(text = "") {
  const kept = new Map<string, string>(text ? [["ragtag-fleet.table", text]] : []);
  return {
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
    now: () => JSON.parse(kept.get("ragtag-fleet.table") ?? "null"),
  };
}

const loud: Settings = { ...SETTINGS, sound: "on", stops: ["defend"] };

describe("reading", () => {
  test("anything strange is the usual value", () => {
    for (const text of ["", "null", "[]", "{", '{"speed":"warp","stops":"all","confirm":[3,"fly"],"hand":null}']) {
      expect(readSettings(aStorage(text))).toEqual(SETTINGS);
    }
    expect(readSettings(null)).toEqual(SETTINGS);
  });

  test("what the server keeps goes before what this browser kept, unless the server has not got that", () => {
    const here = aStorage();
    saveSettings(here, { ...SETTINGS, speed: "off" });
    expect(readSettings(here).speed).toBe("off");
    expect(readSettings(here, JSON.stringify(loud))).toEqual(loud);
    saveSettings(here, { ...SETTINGS, speed: "off" }, "7");
    expect(readSettings(here, JSON.stringify(loud), "7").speed).toBe("off");
  });
});

describe("keeping", () => {
  const settled = async () => {
    for (let turn = 0; turn < 20; turn++) await Promise.resolve();
  };

  afterEach(() => {
    vi.useRealTimers();
    vi.restoreAllMocks();
  });

  test("who is not signed in keeps them here only", async () => {
    const storage = aStorage();
    const asked: unknown[] = [];
    const keeper = settingsKeeper({
      storage,
      address: null,
      token: "",
      user: "",
      fetch: async (...what) => {
        asked.push(what);
        return new Response();
      },
    });
    keeper.save(loud);
    await settled();
    expect(storage.now()).toEqual(loud);
    expect(asked).toEqual([]);
  });

  test("the server gets them with the token, the newest last", async () => {
    const storage = aStorage();
    const sent: string[] = [];
    const answers: (() => void)[] = [];
    const ask = (_: unknown, init?: RequestInit) => {
      expect(new Headers(init?.headers).get("X-CSRFToken")).toBe("t");
      sent.push(String(init?.body));
      return new Promise<Response>((done) => answers.push(() => done(new Response("{}"))));
    };
    const keeper = settingsKeeper({ storage, address: "/kept/", token: "t", user: "7", fetch: ask });
    keeper.save(loud);
    keeper.save({ ...loud, speed: "half" });
    keeper.save({ ...loud, speed: "off" });
    expect(storage.now().unsent).toBe("7");
    answers[0]?.();
    await settled();
    answers[1]?.();
    await settled();
    expect(sent.map((body) => JSON.parse(body).speed)).toEqual(["normal", "off"]);
    expect(storage.now()).toEqual({ ...loud, speed: "off" });
  });

  test("what gets no answer is given up, and the newest goes instead", async () => {
    vi.useFakeTimers();
    vi.spyOn(AbortSignal, "timeout").mockImplementation(giveUpAfter);
    const storage = aStorage();
    const sent: Settings[] = [];
    const keeper = settingsKeeper({
      storage,
      address: "/kept/",
      token: "t",
      user: "7",
      fetch: (_, init) => {
        sent.push(JSON.parse(String(init?.body)));
        if (sent.length > 1) return Promise.resolve(new Response("{}"));
        return new Promise((_, fail) => init?.signal?.addEventListener("abort", () => fail(new Error("given up"))));
      },
    });
    keeper.save(loud);
    await settled();
    keeper.save({ ...loud, speed: "off" });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(sent.map(({ speed }) => speed)).toEqual(["normal", "off"]);
    expect(storage.now()).toEqual({ ...loud, speed: "off" });
  });

  test("what it names as known is what the server keeps; what comes late names something else", async () => {
    const storage = aStorage();
    const sent: (string | null)[] = [];
    // Another window has set something; then an answer is lost, and what was sent is kept all the same.
    const answers = [
      new Response("{}", { status: 412, headers: { ETag: '"4"' } }),
      new Response("{}", { headers: { ETag: '"5"' } }),
      null,
      new Response("{}", { status: 412, headers: { ETag: '"6"' } }),
      new Response("{}", { headers: { ETag: '"7"' } }),
    ];
    const keeper = settingsKeeper({
      storage,
      address: "/kept/",
      token: "t",
      user: "7",
      known: '"3"',
      fetch: async (_, init) => {
        sent.push(new Headers(init?.headers).get("If-Match"));
        const answer = answers[sent.length - 1];
        if (!answer) throw new Error("lost");
        return answer;
      },
    });
    vi.useFakeTimers();
    keeper.save(loud);
    await vi.advanceTimersByTimeAsync(100);
    expect(storage.now()).toEqual(loud);
    keeper.save({ ...loud, speed: "off" });
    await vi.advanceTimersByTimeAsync(60_000);
    expect(sent).toEqual(['"3"', '"4"', '"5"', '"5"', '"6"']);
    expect(storage.now()).toEqual({ ...loud, speed: "off" });
  });

  test("at first it names as known what the page was made with", async () => {
    document.documentElement.dataset.kept = "";
    document.body.innerHTML = `<div data-revision='"3"'></div>`;
    const sent: (string | null)[] = [];
    const fetched: typeof fetch = async (_, init) => {
      sent.push(new Headers(init?.headers).get("If-Match"));
      return new Response("{}");
    };
    settingsKeeper({ storage: aStorage(), address: "/kept/", token: "t", user: "7", fetch: fetched }).save(loud);
    await settled();
    expect(sent).toEqual(['"3"']);
    delete document.documentElement.dataset.kept;
    document.body.innerHTML = "";
  });

  test.each([
    ["is lost on the way", null],
    ["comes back with something added", '"3-gzip"'],
  ])("a mark that %s is named once, and what is set is kept", async (_, mark) => {
    const storage = aStorage();
    const sent: (string | null)[] = [];
    const keeper = settingsKeeper({
      storage,
      address: "/kept/",
      token: "t",
      user: "7",
      known: '"3-gzip"',
      fetch: async (_, init) => {
        const named = new Headers(init?.headers).get("If-Match");
        sent.push(named);
        if (sent.length > 9) throw new Error("round and round");
        return new Response("{}", { status: named ? 412 : 200, headers: mark ? { ETag: mark } : {} });
      },
    });
    keeper.save(loud);
    await settled();
    expect(sent).toEqual(['"3-gzip"', null]);
    expect(storage.now()).toEqual(loud);
  });

  test("what is refused stays unsent, and does not hold up the next change", async () => {
    const storage = aStorage();
    const answers = [403, 200];
    const asked: unknown[] = [];
    const keeper = settingsKeeper({
      storage,
      address: "/kept/",
      token: "t",
      user: "7",
      fetch: async (...what) => {
        asked.push(what);
        return new Response("{}", { status: answers[asked.length - 1] });
      },
    });
    keeper.save(loud);
    await settled();
    expect([asked.length, storage.now().unsent]).toEqual([1, "7"]);
    keeper.save({ ...loud, speed: "off" });
    await settled();
    expect(storage.now()).toEqual({ ...loud, speed: "off" });
  });

  test("what one person has set and was not sent is not taken for the next one's", () => {
    const storage = aStorage();
    saveSettings(storage, { ...SETTINGS, speed: "off" }, "7");
    expect(readSettings(storage, JSON.stringify(loud), "8")).toEqual(loud);
    expect(unsentSettings(storage, "8")).toBeNull();
    expect(unsentSettings(storage, "7")?.speed).toBe("off");
  });

  test("what could not be sent is sent with the next visit", async () => {
    const storage = aStorage();
    settingsKeeper({
      storage,
      address: "/kept/",
      token: "t",
      user: "7",
      fetch: () => Promise.reject(new Error("down")),
    }).save(loud);
    await settled();
    expect(storage.now().unsent).toBe("7");
    const sent: unknown[] = [];
    const again = settingsKeeper({
      storage,
      address: "/kept/",
      token: "t",
      user: "7",
      fetch: async (_, init) => {
        sent.push(JSON.parse(String(init?.body)));
        return new Response("{}");
      },
    });
    const unsent = unsentSettings(storage, "7");
    expect(unsent).toEqual(loud);
    if (unsent) again.save(unsent);
    await settled();
    expect(sent).toEqual([loud]);
    expect(unsentSettings(storage, "7")).toBeNull();
  });
});

test("asks for a tap where there is nothing to point with", () => {
  for (const [mouse, words] of [
    [true, "Point at a card"],
    [false, "Tap a card"],
  ] as const) {
    vi.stubGlobal("matchMedia", (asked: string) => ({ matches: asked === "(hover: none)" && !mouse }));
    expect(howToRead()).toBe(words);
  }
  vi.unstubAllGlobals();
});
