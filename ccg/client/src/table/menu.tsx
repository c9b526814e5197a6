/** The small menu at a thing that could be used in more than one way. */

import type { VNode } from "preact";
import { useLayoutEffect, useRef, useState } from "preact/hooks";
import { OptionText, useNow } from "./tiles";

const GAP = 8;

/** Opens beside its thing, above or below, wherever there is room; the first line has the focus, so it is never hidden. */
export function ThingMenu(): VNode | null {
  const { state, choices, table } = useNow();
  const box = useRef<HTMLDivElement>(null);
  const [place, setPlace] = useState<{ left: number; top: number } | null>(null);
  const thing = state.menu;
  useLayoutEffect(() => {
    const menu = box.current;
    const at = thing && document.querySelector<HTMLElement>(`[data-thing="${CSS.escape(thing)}"]`);
    if (!menu || !at) return setPlace(null);
    const from = at.getBoundingClientRect();
    const { width, height } = menu.getBoundingClientRect();
    const above = from.top - height - GAP;
    setPlace({
      left: Math.max(GAP, Math.min(from.left, innerWidth - width - GAP)),
      top: above > GAP ? above : Math.min(from.bottom + GAP, innerHeight - height - GAP),
    });
    menu.querySelector("button")?.focus({ preventScroll: true });
    return () => {
      if (document.activeElement === document.body || menu.contains(document.activeElement)) {
        at.focus({ preventScroll: true });
      }
    };
  }, [thing, choices.matching.length]);
  if (!thing || choices.matching.length === 0) return null;
  return (
    <div
      class="thing-menu panel panel-raised"
      role="menu"
      aria-label="What to do"
      ref={box}
      style={place ? { left: `${place.left}px`, top: `${place.top}px` } : { opacity: 0 }}
    >
      {choices.matching.map((option) => (
        <button
          type="button"
          role="menuitem"
          class="option-line"
          key={option.key}
          data-option={option.key}
          onClick={() => table.choose(option.key)}
        >
          <span>
            <OptionText option={option} />
          </span>
        </button>
      ))}
    </div>
  );
}
