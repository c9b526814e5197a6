/** A modal window over the builder. */

import type { VNode } from "preact";
import { Modal, type WindowProps } from "../windows/window";
import { useBuilder } from "./context";

/** Escape, the cross and a click beside it close it; what is typed next goes into its first field. */
export function Window(props: WindowProps): VNode {
  const { editor } = useBuilder();
  return (
    <Modal
      closesOutside
      first="input, textarea, .window-actions .button-primary"
      close={() => editor.show({ dialog: null })}
      {...props}
    />
  );
}
