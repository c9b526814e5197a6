/** The keys of a replay: arrows step, Home and End jump, Space plays. Up and down still go from card to card. */

import type { Replay } from "./replay";

const DOES: Record<string, (replay: Replay) => void> = {
  ArrowLeft: (replay) => replay.back(),
  ArrowRight: (replay) => replay.forward(),
  Home: (replay) => replay.go(0),
  End: (replay) => replay.go(replay.last),
  " ": (replay) => replay.toggle(),
};

/** Do what the key means for the replay; whether it meant anything. */
export function replayKey(replay: Replay, event: KeyboardEvent): boolean {
  const target = event.target instanceof Element ? event.target : null;
  if (event.ctrlKey || event.metaKey || event.altKey || event.defaultPrevented) return false;
  if (target?.closest("input, textarea, select, dialog, .log-lines")) return false;
  if (event.key === " " && target?.closest("button, a, summary, [role=button]")) return false;
  const does = DOES[event.key];
  does?.(replay);
  return does !== undefined;
}

/** Listen on the whole page until the returned function is called; before the table, which passes by what was meant. */
export function listenForReplayKeys(replay: Replay): () => void {
  const pressed = (event: KeyboardEvent): void => {
    if (replayKey(replay, event)) event.preventDefault();
  };
  document.addEventListener("keydown", pressed, { capture: true });
  return () => document.removeEventListener("keydown", pressed, { capture: true });
}
