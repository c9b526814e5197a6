/** A modal window over the table. */

import type { VNode } from "preact";
import { Modal, type WindowProps } from "../windows/window";
import { useNow } from "./tiles";

/** Escape and the cross close it, a click beside it only if the window says so: a stray one would lose what it asks. */
export function Window(props: WindowProps): VNode {
  const { table } = useNow();
  return (
    <Modal
      first=".window-actions .button-primary, .window-actions .button"
      close={() => table.closeDialog()}
      {...props}
    />
  );
}
