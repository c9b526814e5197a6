// @vitest-environment happy-dom
import { render, type VNode } from "preact";
import { expect, test, vi } from "vitest";
import { createStore, type Store, useParts, useStore } from "./store";

const Shown = ({ store }: { store: Store<string> }): VNode => <p>{useStore(store)}</p>;

function Changing({ store, to }: { store: Store<string>; to: string }): VNode {
  if (store.get() !== to) queueMicrotask(() => store.set(to));
  return <p>{useStore(store)}</p>;
}

test("what changes before the first paint is drawn", async () => {
  const store = createStore("before");
  const root = document.createElement("div");
  render(<Shown store={store} />, root);
  // Nothing painted yet: effects that wait for a paint have not run.
  store.set("after");
  await vi.waitFor(() => expect(root.textContent).toBe("after"));
});

test("what changes while a component is drawn is drawn as well", async () => {
  const store = createStore("before");
  const root = document.createElement("div");
  render(<Changing store={store} to="after" />, root);
  await vi.waitFor(() => expect(root.textContent).toBe("after"));
});

test("a component that is gone is told no more", () => {
  const store = createStore("before");
  const root = document.createElement("div");
  const ends = vi.fn();
  render(<Shown store={{ ...store, subscribe: () => ends }} />, root);
  render(null, root);
  expect(ends).toHaveBeenCalledOnce();
});

test("a component that shows parts of a value is drawn when these change", async () => {
  const store = createStore({ shown: 1, other: 1 });
  const drawn = vi.fn();
  const Part = (): VNode => {
    drawn();
    return <p>{useParts(store, "shown").shown}</p>;
  };
  const root = document.createElement("div");
  render(<Part />, root);
  store.set({ shown: 1, other: 2 });
  await Promise.resolve();
  expect(drawn).toHaveBeenCalledOnce();
  store.set({ shown: 2, other: 2 });
  await vi.waitFor(() => expect(root.textContent).toBe("2"));
});
