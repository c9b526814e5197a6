/** Dragging a card from the hand: while it is held, all places light up on which it may be let go. */

import { dropOn, dropOnFleet, type Thing } from "./options";
import type { Table } from "./table";
import type { OptionView, View } from "./types";

const KIND = "text/x-ragtag-thing";

/** What is dragged now, and how to say so. */
export interface Dragging {
  dragged: Thing | null;
  drag(thing: Thing | null): void;
}

/** The option that letting `dragged` go over `target` means, if it means one. */
export function dropAt(view: View, dragged: Thing, target: Element): OptionView | null {
  const under = target.closest<HTMLElement>("[data-thing]")?.dataset.thing as Thing | undefined;
  const on = under !== undefined && under !== dragged ? dropOn(view, dragged, under) : null;
  if (on) return on;
  const fleet = target.closest<HTMLElement>("[data-fleet]")?.dataset.fleet;
  return fleet !== undefined && Number(fleet) === view.viewer ? dropOnFleet(view, dragged) : null;
}

/** Properties of an element that can be dragged: it stands for `thing`. */
export function draggable(thing: Thing, { drag }: Dragging) {
  return {
    draggable: true,
    onDragStart(event: DragEvent): void {
      event.dataTransfer?.setData(KIND, thing);
      if (event.dataTransfer) event.dataTransfer.effectAllowed = "move";
      drag(thing);
    },
    onDragEnd(): void {
      drag(null);
    },
  };
}

/** Properties of the element within which things are dropped. Elsewhere the pointer says that nothing can be. */
export function droppable(table: Table, view: View | null, { dragged, drag }: Dragging) {
  const meant = (event: DragEvent): OptionView | null =>
    view && dragged && event.target instanceof Element ? dropAt(view, dragged, event.target) : null;
  return {
    onDragOver(event: DragEvent): void {
      if (meant(event)) event.preventDefault();
    },
    onDrop(event: DragEvent): void {
      const option = meant(event);
      drag(null);
      if (option === null) return;
      event.preventDefault();
      table.choose(option.key);
    },
  };
}
