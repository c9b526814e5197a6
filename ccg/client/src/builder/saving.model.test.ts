/** Saving on bad lines (`saving.model.ts`): when the line is good again, all have the same, and nothing is lost or undone. */

import { expect, it } from "vitest";
import { ALL_TROUBLES, keyOf, type Trouble, valueIn, World } from "./saving.model";

/** Runs of each of the modes. */
const RUNS = process.env.AT_LENGTH ? 2_000 : 80;
/** Milliseconds after which a mode is given up. */
const AT_MOST = 60 * RUNS + 60_000;
const STEPS = 60;

/**
 * With these, what only a browser or only the server had is gone: what stands need not be what somebody did last. So may
 * what a closed window had sent, and no browser kept, come after what its place did next; who did that is told.
 */
const LOSING: readonly Trouble[] = ["full stores", "emptied stores", "backups", "deletion"];

/**
 * Without reverts, as where a backup from before one is restored: a window that knows of the revert, and whose revision the
 * draft has again, takes what it hears for older answers until somebody changes something.
 */
const NEARLY_ALL = ALL_TROUBLES.filter((one) => one !== "reverts");

const MODES: readonly (readonly Trouble[])[] = [
  [],
  ...ALL_TROUBLES.map((one) => [one]),
  ["undo", "stale pages", "reverts"],
  ["undo", "stale pages", "backups"],
  NEARLY_ALL,
];
const NAMED = MODES.map((troubles): [string, readonly Trouble[]] => [["bad lines", ...troubles].join(", "), troubles]);

it.each(NAMED)("loses and undoes nothing, and tells it: %s", { timeout: AT_MOST }, async (_, troubles) => {
  for (let seed = 1; seed <= RUNS; seed++) {
    const isAlone = seed % 2 === 0; // one window on each device
    const world = new World(seed, isAlone ? ["0a", "1a"] : ["0a", "0b", "1a"], troubles);
    for (let step = 0; step < STEPS; step++) await world.step();
    await world.settle();
    // A window in which a deleted draft is still open saves it again, but only with its next change.
    if (troubles.includes("deletion") && world.server.revision === 0) continue;

    const isLosing = troubles.some((one) => LOSING.includes(one));
    expectAgreement(world, `seed ${seed}`);
    if (!isLosing) expectLastDone(world, `seed ${seed}`);
    if (!isLosing) expect(world.foreign, `seed ${seed}: what is sent was done on the device`).toEqual([]);
    expectThoseDisplacedTold(world, `seed ${seed}`);
    expectThoseReplacingTold(world, `seed ${seed}`);
    if (isAlone && !isLosing) expectNoneToldOfOwn(world, `seed ${seed}`);
    expect(world.strayed, `seed ${seed}: undoing changes only what was done there`).toEqual([]);
  }
});

/** All windows have what the server has, and nothing is left to be done. */
function expectAgreement({ server, windows, devices }: World, seed: string): void {
  for (const { saver, editor, due, place } of windows.values()) {
    if (saver.revision() === 0) continue; // of a deck that was never saved when it was opened
    const { content } = editor.store.get();
    expect(content.counts, `${seed}: ${place} has what the server has`).toEqual(server.content.counts);
    expect(valueIn(content, "name"), seed).toBe(server.content.name);
    expect(saver.state.get(), seed).toMatchObject({ kind: "saved", changes: 0 });
    expect(due.size, `${seed}: nothing is due`).toBe(0);
  }
  expect(
    devices.map(({ shelf }) => [...shelf.kept.keys()]),
    `${seed}: nothing is left over`,
  ).toEqual([[], []]);
}

/** Each card, and the name, is as somebody has left it. */
function expectLastDone({ server, done }: World, seed: string): void {
  for (const key of new Set([...done.values()].flatMap((values) => [...values.keys()]))) {
    const last = [...done.values()].flatMap((values) => values.get(key) ?? []);
    expect(last, `${seed}: ${key} is as somebody left it`).toContain(valueIn(server.content, key));
  }
}

/** Whoever has done what does not stand any more is told. */
function expectThoseDisplacedTold({ server, windows, done }: World, seed: string): void {
  for (const [place, { editor, hasDone }] of windows) {
    const told = editor.store.get().notice?.brought?.map(keyOf) ?? [];
    for (const [key, value] of done.get(place) ?? [])
      if (hasDone.has(key) && value !== valueIn(server.content, key))
        expect(told, `${seed}: ${place} is told that ${key} is another`).toContain(key);
  }
}

/**
 * Whoever hears that they have replaced what another device did is told, also where a later answer came first; unless they
 * have made the same of it since.
 */
function expectThoseReplacingTold(world: World, seed: string): void {
  const { told, replaced } = world;
  for (const { window, key, value } of replaced) {
    if (!window.store.isOpen || world.deviceOf(window.place).hasMade(key, value)) continue;
    const values = told.filter((one) => one.window === window && one.key === key).map((one) => one.value);
    expect(values, `${seed}: ${window.place} is told that it has replaced ${value} of ${key}`).toContain(value);
  }
}

/**
 * Nobody is told of what they alone have done. To a window that goes on with what another one has left, that may be the
 * other one; and a page that is behind its window does not know its own.
 */
function expectNoneToldOfOwn({ told, behind }: World, seed: string): void {
  const own = told.filter(({ window, key }) => !behind.has(window.place) && key.startsWith(`own-${window.place}`));
  expect(
    own.map(({ key }) => key),
    `${seed}: nobody is told of what they alone have done`,
  ).toEqual([]);
}
