// @vitest-environment happy-dom
// Of two recordings that were asked for, the later one is shown, whichever comes first.

import { beforeEach, expect, test, vi } from "vitest";
import { openMatch } from "./match-replay";
import type { Replay } from "./replay";

const asked = vi.hoisted(() => new Map<string, (file: string) => void>());
vi.mock("./file", () => ({
  loadReplay: (_: string, sees: string | null) => new Promise((come) => asked.set(sees ?? "own", come)),
  recordingOf: (file: unknown) => file,
}));

let shown: unknown[];

beforeEach(() => {
  asked.clear();
  shown = [];
  location.hash = "";
});

async function begun(): Promise<void> {
  const mount = document.createElement("div");
  mount.dataset.all = "";
  const opening = openMatch(mount, document);
  asked.get("own")?.("first");
  const replay = {
    go: () => undefined,
    swap: (recording: unknown) => void shown.push(recording),
    store: { get: () => ({ place: 3 }), subscribe: () => undefined },
  };
  (await opening).beside(replay as unknown as Replay).begin();
}

async function goTo(hash: string): Promise<void> {
  location.hash = hash;
  dispatchEvent(new Event("hashchange"));
  await Promise.resolve();
}

async function comes(sees: string): Promise<void> {
  asked.get(sees)?.(sees);
  await new Promise((done) => setTimeout(done));
}

test("an answer that comes late does not take the place of what was asked for after it", async () => {
  await begun();
  await goTo("#move=3&all");
  await goTo("#move=3");
  await comes("own");
  await comes("all");
  expect(shown).toEqual(["own"]);
});
