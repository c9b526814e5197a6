/** The choice of when the table passes by itself: what is kept, and for a while. */

import type { VNode } from "preact";
import type { AutoPass, PassOrder } from "./store";
import { useNow } from "./tiles";

const KEPT: [AutoPass, string][] = [
  ["never", "never"],
  ["alone", "when nothing else is possible"],
];
const FOR_A_WHILE: [PassOrder["until"], string][] = [
  ["event", "until something happens"],
  ["phase", "until the end of the phase"],
];

/** A list with both; what is for a while gives way to what is kept when it is over. */
export function AutoPassChoice(): VNode {
  const { state, table } = useNow();
  const value = state.passOrder?.until ?? state.settings.autoPass;
  const choose = (wanted: string): void => {
    const order = FOR_A_WHILE.find(([until]) => until === wanted)?.[0] ?? null;
    const kept = KEPT.find(([key]) => key === wanted)?.[0];
    if (kept) table.set({ autoPass: kept });
    table.passUntil(order);
  };
  return (
    <label class={`auto-pass ${state.passOrder ? "is-on" : ""}`}>
      <span>Auto-pass</span>
      <select value={value} onChange={(event) => choose(event.currentTarget.value)}>
        {[...KEPT, ...FOR_A_WHILE].map(([key, words]) => (
          <option value={key} key={key}>
            {words}
          </option>
        ))}
      </select>
    </label>
  );
}
