/** A modal window over the page: how it opens, what has the focus, and how it is closed. */

import type { ComponentChildren, VNode } from "preact";
import { useLayoutEffect, useRef } from "preact/hooks";
import { Icon } from "../cards";
import "./windows.css";

export interface WindowProps {
  title: string;
  /** `is-wide`, or `is-full` for one as wide as the page is; or a look of its own. */
  class?: string;
  /** Whether a click beside it closes it. */
  closesOutside?: boolean;
  onKeyDown?(event: KeyboardEvent): void;
  /** Whether it opens by itself: then the title has the focus, and a key meant for the page does nothing in it. */
  opensItself?: boolean;
  /** What has the focus at first, as a selector, in place of what the page has for all windows. */
  first?: string;
  children: ComponentChildren;
}

interface ModalProps extends WindowProps {
  /** Where there is none, the browser chooses. */
  first: string;
  close(): void;
}

/** A modal window; Escape and the cross close it. What had the focus has it again afterwards. */
export function Modal(props: ModalProps): VNode {
  const {
    title,
    class: look = "",
    closesOutside = false,
    onKeyDown,
    opensItself = false,
    children,
    first,
    close,
  } = props;
  const box = useRef<HTMLDialogElement>(null);
  const body = useRef<HTMLDivElement>(null);
  // Before anything else is typed: what follows the key that opened the window is meant for it.
  useLayoutEffect(() => {
    const dialog = box.current;
    const before = document.activeElement;
    if (dialog && !dialog.open) dialog.showModal?.();
    dialog?.querySelector<HTMLElement>(opensItself ? "h2" : first)?.focus();
    // What scrolls must be reached by keyboard, also where nothing in it is: the cross is outside.
    if (body.current && body.current.scrollHeight > body.current.clientHeight) body.current.tabIndex = 0;
    return () => {
      dialog?.close?.();
      if (before instanceof HTMLElement) before.focus({ preventScroll: true });
    };
  }, []);
  return (
    <dialog
      class={`window ${look}`}
      ref={box}
      aria-label={title}
      onKeyDown={onKeyDown}
      onClick={(event) => {
        if (closesOutside && event.target === box.current) close();
      }}
      onCancel={(event) => {
        event.preventDefault();
        close();
      }}
    >
      <div class="window-panel panel panel-raised">
        <header class="window-head">
          <h2 tabIndex={-1}>{title}</h2>
          <button type="button" class="icon-button" onClick={close}>
            <Icon name="cross" size={18} label="Close" />
          </button>
        </header>
        <div class="window-body" ref={body}>
          {children}
        </div>
      </div>
    </dialog>
  );
}
