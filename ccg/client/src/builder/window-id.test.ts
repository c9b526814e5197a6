import { expect, test } from "vitest";
import { windowId } from "./window-id";

/** What is kept for one window; a duplicated one begins with the same. */
function shelf(kept = new Map<string, string>()) {
  return {
    kept,
    getItem: (key: string) => kept.get(key) ?? null,
    setItem: (key: string, value: string) => void kept.set(key, value),
  };
}

/** Locks as browsers have them, as far as an id needs them; `leave` is what happens when a page is gone. */
function browser() {
  const held = new Set<string>();
  const page = () => {
    const mine: string[] = [];
    const request = ((name: string, { signal }: LockOptions, act: () => Promise<void>) =>
      new Promise((resolve, reject) => {
        const grant = (): void => {
          held.add(name);
          mine.push(name);
          resolve(act());
        };
        if (!held.has(name)) return grant();
        signal?.addEventListener("abort", () => reject(new DOMException("", "AbortError")));
        setTimeout(() => !held.has(name) && !signal?.aborted && grant(), 20);
      })) as unknown as LockManager["request"];
    return { request, leave: () => mine.forEach((name) => void held.delete(name)) };
  };
  return page;
}

const ids = () => {
  let made = 0;
  return () => `made-${++made}`;
};

test("the id stays when the page is loaded again, also while the old page has just not gone", async () => {
  const [page, storage, random] = [browser(), shelf(), ids()];
  const first = page();
  const id = await windowId({ storage, locks: first, random });
  const again = windowId({ storage, locks: page(), random });
  first.leave();
  expect(await again).toBe(id);
});

test("a duplicated window takes an id of its own, and keeps it", async () => {
  const [page, storage, random] = [browser(), shelf(), ids()];
  const id = await windowId({ storage, locks: page(), random });
  const copied = shelf(new Map(storage.kept));
  const duplicate = page();
  const other = await windowId({ storage: copied, locks: duplicate, random });
  expect(other).not.toBe(id);
  duplicate.leave();
  expect(await windowId({ storage: copied, locks: page(), random })).toBe(other);
});

test("without locks, a duplicated window has an id of its own all the same", async () => {
  const [storage, random] = [shelf(), ids()];
  const refused = { request: () => Promise.reject(new DOMException("", "SecurityError")) };
  for (const locks of [undefined, refused as unknown as LockManager]) {
    const id = await windowId({ storage, locks, random });
    expect(await windowId({ storage: shelf(new Map(storage.kept)), locks, random })).not.toBe(id);
  }
  expect(await windowId({ storage: null, locks: undefined, random })).toBe("made-5");
});
