/**
 * Entry of the pages that check shuffles: `#shuffles` with `data-file` checks the file at that address by itself, and
 * `#shuffles` with a text field the one that is pasted there. Nothing that is pasted leaves the browser.
 */

import { notes, store } from "../site/words";
import { check, type ShuffleFile, told, Wrong } from "./check";

async function say(file: () => Promise<ShuffleFile>, result: HTMLElement): Promise<void> {
  result.hidden = false;
  result.textContent = "Checking …";
  if (!globalThis.crypto?.subtle) {
    result.textContent =
      "This browser computes hashes only on pages that come over HTTPS. Use the script instead: it does the same.";
    return;
  }
  let words = "";
  let good = false;
  try {
    const noted = notes();
    const found = await check(await file(), noted);
    if (found.noted !== null) store(noted); // with the match in which they were used
    words = told(found);
    good = true;
  } catch (error) {
    if (error instanceof Wrong) words = `This does not hold: ${error.message}`;
    else if (error instanceof SyntaxError) words = "This is not the text of a file: it is no JSON.";
    else if (error instanceof TypeError) words = "This is not a whole file of shuffles.";
    else words = "The file could not be had. Load the page again.";
  }
  result.textContent = words;
  result.classList.toggle("error", !good);
  result.classList.toggle("success", good);
}

/** Make the page check what it is for. */
export function start(part: HTMLElement): void {
  const result = part.querySelector<HTMLElement>("[data-result]");
  const field = part.querySelector("textarea");
  const address = part.dataset.file;
  if (!result) return;
  if (address) {
    void say(async () => {
      const answer = await fetch(address, { headers: { Accept: "application/json" } });
      if (!answer.ok) throw new Error(answer.statusText);
      return (await answer.json()) as ShuffleFile;
    }, result);
  }
  part.querySelector("form")?.addEventListener("submit", (event) => {
    event.preventDefault();
    void say(async () => JSON.parse(field?.value ?? "") as ShuffleFile, result);
  });
}

const part = document.getElementById("shuffles");
if (part) start(part);
