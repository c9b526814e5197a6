/** Values that tell components when they change. */

import { useLayoutEffect, useRef, useState } from "preact/hooks";

/** A value that tells its listeners when it changes. */
export interface Store<T> {
  get(): T;
  set(next: T): void;
  /** Returns the function that ends the subscription. */
  subscribe(listener: (now: T, before: T) => void): () => void;
}

export function createStore<T>(first: T): Store<T> {
  let now = first;
  const listeners = new Set<(now: T, before: T) => void>();
  return {
    get: () => now,
    set(next) {
      if (Object.is(next, now)) return;
      const before = now;
      now = next;
      for (const listener of [...listeners]) listener(now, before);
    },
    subscribe(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
  };
}

/** The value of a store; the component is drawn again when it changes. */
export function useStore<T>(store: Store<T>): T {
  return useWhile(store, Object.is);
}

/** The value of a store for a component that shows only these parts of it, and is drawn again when they change. */
export function useParts<T, K extends keyof T>(store: Store<T>, ...keys: K[]): Pick<T, K> {
  return useWhile(store, (now, before) => keys.every((key) => Object.is(now[key], before[key])));
}

/** The value of a store; the component is drawn again when it is no longer `alike`. */
function useWhile<T>(store: Store<T>, alike: (now: T, before: T) => boolean): T {
  const [, redraw] = useState(0);
  const drawn = useRef(store.get());
  drawn.current = store.get();
  // Before the first paint, and with a look back: a key or an answer may change the value as soon as it is drawn.
  useLayoutEffect(() => {
    const look = (): void => {
      if (!alike(store.get(), drawn.current)) redraw((count) => count + 1);
    };
    look();
    return store.subscribe(look);
  }, [store]);
  return drawn.current;
}
