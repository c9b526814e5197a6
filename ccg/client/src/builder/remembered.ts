/** How cards were sorted and the deck was grouped when the builder was left: it begins like that the next time. */

import { keepIn } from "../storage";
import { type BuilderState, GROUPINGS, ORDERS } from "./editor";

type Kept = Pick<Storage, "getItem" | "setItem"> | null;
type Remembered = Pick<BuilderState, "order" | "grouping">;

const KEY = "ragtag-fleet.builder";

/** What was chosen last in this browser; nothing of what there is no more. */
export function remembered(storage: Kept): Partial<Remembered> {
  try {
    const kept = JSON.parse(storage?.getItem(KEY) ?? "null") as Partial<Remembered> | null;
    const order = ORDERS.find((one) => one === kept?.order);
    const grouping = GROUPINGS.find((one) => one === kept?.grouping);
    return { ...(order && { order }), ...(grouping && { grouping }) };
  } catch {
    return {};
  }
}

/** Begin like that the next time, where the browser keeps anything. */
export function remember(storage: Kept, { order, grouping }: Remembered): void {
  keepIn(storage, KEY, JSON.stringify({ order, grouping }));
}
