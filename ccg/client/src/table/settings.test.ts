import { describe, expect, test, vi } from "vitest";
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
    saveSettings(here, { ...SETTINGS, speed: "off" }, true);
    expect(readSettings(here, JSON.stringify(loud)).speed).toBe("off");
  });
});

describe("keeping", () => {
  const settled = async () => {
    for (let turn = 0; turn < 20; turn++) await Promise.resolve();
  };

  test("who is not signed in keeps them here only", async () => {
    const storage = aStorage();
    const asked: unknown[] = [];
    const keeper = settingsKeeper({
      storage,
      address: null,
      token: "",
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
    const keeper = settingsKeeper({ storage, address: "/kept/", token: "t", fetch: ask });
    keeper.save(loud);
    keeper.save({ ...loud, speed: "half" });
    keeper.save({ ...loud, speed: "off" });
    expect(storage.now().unsent).toBe(true);
    answers[0]?.();
    await settled();
    answers[1]?.();
    await settled();
    expect(sent.map((body) => JSON.parse(body).speed)).toEqual(["normal", "off"]);
    expect(storage.now()).toEqual({ ...loud, speed: "off" });
  });

  test("what gets no answer is given up, so that later settings are sent", async () => {
    const wait = vi.spyOn(AbortSignal, "timeout").mockImplementation(() => AbortSignal.abort());
    const sent: string[] = [];
    const ask = (_: unknown, init?: RequestInit): Promise<Response> => {
      sent.push(String(init?.body));
      if (sent.length > 1) return Promise.resolve(new Response("{}"));
      return init?.signal?.aborted ? Promise.reject(init.signal.reason) : new Promise(() => undefined);
    };
    const storage = aStorage();
    const keeper = settingsKeeper({ storage, address: "/kept/", token: "t", fetch: ask });
    keeper.save(loud);
    await settled();
    expect(storage.now().unsent).toBe(true);
    keeper.save({ ...loud, speed: "off" });
    await settled();
    wait.mockRestore();
    expect(sent.map((body) => JSON.parse(body).speed)).toEqual(["normal", "off"]);
    expect(storage.now().unsent).toBeUndefined();
  });

  test("what could not be sent is sent with the next visit", async () => {
    const storage = aStorage();
    settingsKeeper({ storage, address: "/kept/", token: "t", fetch: () => Promise.reject(new Error("down")) }).save(
      loud,
    );
    await settled();
    expect(storage.now().unsent).toBe(true);
    const sent: unknown[] = [];
    const again = settingsKeeper({
      storage,
      address: "/kept/",
      token: "t",
      fetch: async (_, init) => {
        sent.push(JSON.parse(String(init?.body)));
        return new Response("{}");
      },
    });
    const unsent = unsentSettings(storage);
    expect(unsent).toEqual(loud);
    if (unsent) again.save(unsent);
    await settled();
    expect(sent).toEqual([loud]);
    expect(unsentSettings(storage)).toBeNull();
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
