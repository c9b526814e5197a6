/** The log as one reads it: what says the same twice is said once, and many small things in one line. */

import { plainText } from "../cards";
import type { LogLine } from "./store";
import type { EventView } from "./types";

/** Events that another line of the same move tells better. */
const UNSAID = new Set(["enter", "event over", "mission over", "challenge over", "threat over"]);

/** Kinds of which several in a row become one sentence. */
const TOGETHER: Record<string, string> = { ready: "Readied", restore: "Restored", commit: "Committed" };

const versionOf = (line: LogLine): string => line.id.split(".")[0] ?? "";

/** The lines worth reading, in order. */
export function toldLines(lines: LogLine[]): LogLine[] {
  const told: LogLine[] = [];
  const spent = new Set<string>();
  for (const line of lines) {
    const { kind, piece, text } = line.event;
    if (kind === "spend") spent.add(`${versionOf(line)}:${piece}`);
    const repeats = kind === "exhaust" && spent.has(`${versionOf(line)}:${piece}`);
    if (text === "" || UNSAID.has(kind) || repeats) continue;
    const last = told.at(-1);
    const near = last && (versionOf(last) === versionOf(line) || kind === "pass");
    const joined = near ? joinedEvent(last.event, line.event) : null;
    if (last && joined) told[told.length - 1] = { ...last, event: joined };
    else told.push(line);
  }
  return told;
}

/** Two events in one sentence, if they go together; the first may be the sentence of several already. */
function joinedEvent(first: EventView, next: EventView): EventView | null {
  if (first.kind !== next.kind) return null;
  const opening = TOGETHER[next.kind];
  if (opening !== undefined) {
    const begun = first.text.startsWith(`${opening}: `) ? first.text.slice(0, -1) : `${opening}: ${markOf(first)}`;
    return { ...first, text: `${begun}, ${markOf(next)}.` };
  }
  if (next.kind === "pass") {
    const before = first.text.replace(/ (passes|pass)\.$/, "");
    return { ...first, text: `${before}, ${next.text.replace(/ passes\.$/, "")} pass.` };
  }
  if (next.kind === "spend" && first.player === next.player) {
    return { ...first, text: `${first.text.slice(0, -1)}, ${markOf(next)} for ${next.number}.` };
  }
  if (next.kind !== "draw" || first.player !== next.player) return null;
  const who = next.text.split(" draws ")[0] ?? "";
  if (next.card !== null) return { ...first, text: `${first.text.slice(0, -1)}, ${markOf(next)}.` };
  const before = Number(/ draws (\d+) cards/.exec(plainText(first.text))?.[1] ?? 1);
  return { ...first, text: `${who} draws ${before + 1} cards.` };
}

/** The marked name of the card that an event is about. */
function markOf(event: EventView): string {
  const marks = event.text.match(/\[\[card:[^\]]*\]\]/g);
  return marks?.at(-1) ?? event.text;
}
