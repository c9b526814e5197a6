/** Where what was done is by now: on the server, on the way, or only in this browser. */

import type { VNode } from "preact";
import { Icon } from "../cards";
import { useBuilder, useSaved } from "./context";
import type { SaveState } from "./saving";

export function saveWords({ kind, changes, kept, why }: SaveState): string {
  const many = changes === 1 ? "1 change" : `${changes} changes`;
  const where = kept ? "kept here" : "only in this window";
  switch (kind) {
    case "new":
      return "Nothing to save yet";
    case "saved":
      return "Saved";
    case "saving":
      return "Saving";
    case "offline":
      return `Offline: ${many} ${where}`;
    case "visitor":
      return changes > 0 ? `Not signed in: ${many} ${where}` : "Not signed in";
    case "stranger":
      return `Not yours here: ${many} ${where}`;
    case "gone":
      return `Deleted in another window${changes > 0 ? `: ${many} ${where}` : ""}`;
    case "refused":
      return `Not saved: ${why || many}`;
  }
}

export function SaveNote(): VNode {
  const { links, keepAsNew } = useBuilder();
  const state = useSaved();
  const { kind } = state;
  const icon = kind === "saved" ? "check" : kind === "saving" || kind === "new" ? "clock" : "warn";
  return (
    <span class={`save-note is-${kind}`}>
      <Icon name={icon} size={15} />
      <span>{saveWords(state)}</span>
      {kind === "gone" && (
        <button type="button" class="button button-small" onClick={keepAsNew}>
          Keep it as a new deck
        </button>
      )}
      {kind === "visitor" && (
        <>
          <button type="submit" form={links.guest} class="button button-small">
            Keep it as a guest
          </button>
          <a href={links.signIn}>Sign in</a>
        </>
      )}
    </span>
  );
}
