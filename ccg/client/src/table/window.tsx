/** A modal window over the table. */

import type { VNode } from "preact";
import { Modal, type WindowProps } from "../windows/window";
import { useNow } from "./tiles";

/** Escape and the cross close it, a click beside it only if the window says so: a stray one would lose what it asks. */
export function Window(props: WindowProps): VNode {
  const { table, state } = useNow();
  return (
    <Modal
      first=".window-actions .button-primary, .window-actions .button"
      close={() => table.closeDialog()}
      {...props}
    >
      {/* What is said at the question lies under the window. */}
      {state.notice?.unsent && (
        <p class={`prompt-note is-${state.notice.tone}`} role="alert">
          {state.notice.text}
        </p>
      )}
      {props.children}
    </Modal>
  );
}
