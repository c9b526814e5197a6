/** What is asked of the server for a draft: to publish it, to play it. */

import type { Builder } from "./context";

/** Milliseconds for an answer: whoever has pressed the button can do nothing until then. */
const PATIENCE = 20_000;

/** Save, ask `address` for what is to be done with the draft, and go where it says; else tell what went wrong. */
export async function send({ saver, token }: Builder, address: string, said: object, done: string): Promise<string> {
  try {
    if (!(await saver.flush())) return `It could not be saved, so it is not ${done}. Your changes are kept.`;
    const answer = await fetch(address, {
      method: "POST",
      signal: AbortSignal.timeout(PATIENCE),
      headers: { "Content-Type": "application/json", "X-CSRFToken": token() },
      body: JSON.stringify({ ...said, revision: saver.revision(), parent: saver.parent() }),
    });
    const told = (await answer.json()) as { url?: string; detail?: string };
    if ([403, 404, 409].includes(answer.status)) await saver.refresh();
    const { kind } = saver.state.get();
    if (kind === "gone") return `This deck was deleted in another window, so it is not ${done}.`;
    if (kind === "visitor" || kind === "stranger")
      return `You are not signed in here any more, so it is not ${done}. Your changes are kept.`;
    if (!answer.ok || !told.url) return told.detail ?? `It could not be ${done}. Your changes are kept.`;
    location.assign(told.url);
    return "";
  } catch {
    return `The server cannot be reached, so it is not ${done}. Your changes are kept here.`;
  }
}
