/**
 * Words for the shuffles of a match (docs/fair-shuffles.md): as a form with `data-shuffle` sits its player down, the
 * server's commitment is fetched from that address, and only then are words made. Both go along in the form, and are
 * noted in this browser, so that the page of the match's shuffles can say whether they are what was used.
 *
 * Where the commitment cannot be had, the form is sent without: the match begins, and this seat adds nothing.
 */

import { keepIn, storageOf } from "../storage";

const FIELDS = ["shuffle_commitment", "shuffle_words"] as const;
const NOTED = "shuffle-words";
const MOST_NOTED = 60;
const MOST_OWN = 150;
const PATIENCE = 4_000;
/** 192 bits, in 32 characters. */
const BYTES = 24;

/** What this browser was shown and what it said then. */
export interface Note {
  commitment: string;
  words: string;
  /** The match in which they were found to be used. */
  match?: string;
}

/** Let the forms of this page bring words; fields for words of one's own are shown. */
export function startWords(page: Document = document): void {
  for (const own of page.querySelectorAll<HTMLElement>("[data-shuffle-own]")) own.hidden = false;
  page.addEventListener("submit", (event) => {
    const form = event.target as HTMLFormElement;
    const address = form.dataset.shuffle;
    if (!address || form.dataset.words === "given") return;
    event.preventDefault();
    if (form.dataset.words === "coming") return;
    form.dataset.words = "coming";
    void give(form, address).finally(() => {
      form.dataset.words = "given";
      form.requestSubmit(event.submitter);
    });
  });
  // Whoever comes back to the page, or could not send the form, sits down once more, and needs words of that time.
  const anew = (): void => {
    for (const form of page.querySelectorAll<HTMLFormElement>("form[data-words]")) {
      delete form.dataset.words;
      for (const name of FIELDS) form.querySelector(`input[name="${name}"]`)?.remove();
    }
  };
  page.defaultView?.addEventListener("pageshow", anew);
  page.addEventListener("unsent", anew);
}

async function give(form: HTMLFormElement, address: string): Promise<void> {
  try {
    const token = form.querySelector<HTMLInputElement>('input[name="csrfmiddlewaretoken"]')?.value ?? "";
    const answer = await fetch(address, {
      method: "POST",
      headers: { "X-CSRFToken": token, Accept: "application/json" },
      signal: AbortSignal.timeout(PATIENCE),
    });
    if (!answer.ok) return;
    const { commitment } = (await answer.json()) as { commitment: string };
    const own = form.querySelector<HTMLInputElement>("[data-shuffle-own] input")?.value ?? "";
    const note = { commitment, words: wordsWith(own) };
    keep(note);
    fill(form, "shuffle_commitment", note.commitment);
    fill(form, "shuffle_words", note.words);
  } catch {
    // Without words, then.
  }
}

/** Random text, behind what the player has typed, if anything: nobody who knows them can foresee it. */
export function wordsWith(own: string): string {
  const random = crypto.getRandomValues(new Uint8Array(BYTES));
  const text = btoa(String.fromCharCode(...random))
    .replaceAll("+", "-")
    .replaceAll("/", "_");
  const typed = [...own.replace(/\p{C}/gu, " ").trim()].slice(0, MOST_OWN).join("");
  return typed ? `${typed} ${text}` : text;
}

function fill(form: HTMLFormElement, name: string, value: string): void {
  const field = form.ownerDocument.createElement("input");
  field.type = "hidden";
  field.name = name;
  field.value = value;
  form.append(field);
}

/** What this browser has noted, latest last; nothing where it keeps nothing. */
export function notes(): Note[] {
  try {
    const kept: unknown = JSON.parse(localStorage.getItem(NOTED) ?? "[]");
    return Array.isArray(kept) ? (kept as Note[]) : [];
  } catch {
    return [];
  }
}

function keep(note: Note): void {
  store([...notes(), note].slice(-MOST_NOTED));
}

/** Note all of this, and nothing else. */
export function store(all: Note[]): void {
  keepIn(storageOf("localStorage"), NOTED, JSON.stringify(all));
}
