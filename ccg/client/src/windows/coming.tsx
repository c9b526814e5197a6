/** What is said in place of a part that is still being loaded, which it is as long as the line is down. */

import type { ComponentType, VNode } from "preact";
import { useEffect, useState } from "preact/hooks";

/** So many milliseconds nothing is said. */
const SOON = 600;

const COMING = "A moment …";

/** Whether the part has been awaited for so long that something is to be said. */
function useSoon(): boolean {
  const [soon, set] = useState(false);
  useEffect(() => {
    const timer = setTimeout(() => set(true), SOON);
    return () => clearTimeout(timer);
  }, []);
  return soon;
}

function NotHere(): VNode {
  return (
    <p role="status">
      This is not loaded yet: the line to the server is down or slow. It comes by itself; you can also close it, and
      open it again later.
    </p>
  );
}

/** In a window that is there already. */
export function Coming(): VNode | null {
  return useSoon() ? <NotHere /> : null;
}

/** Stands for a `Window` that is still being loaded: who has asked for one sees that it was heard, and can go on. */
export const comingIn = (Window: ComponentType<{ title: string; children: VNode }>) => (): VNode | null =>
  useSoon() ? (
    <Window title={COMING}>
      <NotHere />
    </Window>
  ) : null;
