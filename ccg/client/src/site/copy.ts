/**
 * Buttons that copy what an address answers (`data-copy`) or what stands in a field (`data-copy-field`, its id), hand a
 * field's address to other programs (`data-share-field`, with `data-share-words`), or print the page (`data-print`).
 * Without script they stay hidden, and the links and fields beside them do; so does sharing where nothing shares.
 */

/** Make the buttons of this page work, and show them. */
export function startCopying(page: Document = document): void {
  const share = typeof navigator.share === "function" ? ", button[data-share-field]" : "";
  const buttons = `button[data-copy], button[data-copy-field], button[data-print]${share}`;
  for (const button of page.querySelectorAll<HTMLButtonElement>(buttons)) button.hidden = false;
  page.addEventListener("click", (event) => {
    const button = event.target instanceof Element ? event.target.closest<HTMLElement>("button") : null;
    if (button?.dataset.copy) void copy(button, text(button.dataset.copy), page);
    else if (button?.dataset.copyField) void copy(button, field(button.dataset.copyField, page), page);
    else if (button?.dataset.shareField) void shared(button, button.dataset.shareField, page);
    else if (button?.dataset.print !== undefined) page.defaultView?.print();
  });
}

async function copy(button: HTMLElement, words: Promise<string>, page: Document): Promise<void> {
  const told = button.closest(".field, section")?.querySelector("[data-copied]") ?? page.querySelector("[data-copied]");
  unmark();
  const name = button.getAttribute("aria-label") ?? button.textContent?.trim() ?? "";
  const tell = (words: string): void => {
    if (told) told.textContent = words;
  };
  try {
    await write(words);
    tell(`Copied: ${name.replace(/^Copy (as )?/, "") || "the text"}.`);
    mark(button);
  } catch {
    const instead = button.dataset.copy ? "Take the file instead." : "Mark the field and copy it.";
    tell(`That could not be copied. ${instead}`);
  }
}

/** What the button is called that copied last and says so itself: the sentence about it may be out of sight. */
let marked: { words: Text; before: string } | null = null;

function mark(button: HTMLElement): void {
  const words = [...button.childNodes].find((part): part is Text => part instanceof Text && part.data.trim() !== "");
  if (!words) return;
  marked = { words, before: words.data };
  words.data = words.data.replace(/\S.*\S/, "Copied");
}

function unmark(): void {
  if (marked) marked.words.data = marked.before;
  marked = null;
}

/** Whoever changes their mind has seen that nothing was sent; every other failure is told. */
async function shared(button: HTMLElement, id: string, page: Document): Promise<void> {
  try {
    await navigator.share({ title: page.title, text: button.dataset.shareWords ?? "", url: await field(id, page) });
  } catch (error) {
    const told = button.closest(".field, section")?.querySelector("[data-copied]");
    if (told && (error as Error).name !== "AbortError") told.textContent = "That could not be shared. Copy it instead.";
  }
}

async function field(id: string, page: Document): Promise<string> {
  const found = page.getElementById(id);
  if (!(found instanceof HTMLInputElement)) throw new Error(id);
  return found.value;
}

async function text(address: string): Promise<string> {
  const answer = await fetch(address, { credentials: "same-origin" });
  if (!answer.ok) throw new Error(`${answer.status}`);
  return (await answer.text()).trimEnd();
}

/** Some browsers let a page write only while the click is being handled: they are given what is still to come. */
async function write(words: Promise<string>): Promise<void> {
  if (typeof ClipboardItem === "undefined") return navigator.clipboard.writeText(await words);
  const blob = words.then((said) => new Blob([said], { type: "text/plain" }));
  await Promise.all([blob, navigator.clipboard.write([new ClipboardItem({ "text/plain": blob })])]);
}
