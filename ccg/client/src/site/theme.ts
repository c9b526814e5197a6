/** The theme: the system's, or the one chosen here and remembered. */

export type Theme = "system" | "dark" | "light";

const KEY = "theme";
const NEXT: Record<Theme, Theme> = { system: "dark", dark: "light", light: "system" };
const WORDS: Record<Theme, string> = { system: "Theme: as your system", dark: "Theme: dark", light: "Theme: light" };

/** The theme chosen earlier; "system" where none was, or nothing may be stored. */
export function storedTheme(): Theme {
  try {
    const word = localStorage.getItem(KEY);
    return word === "dark" || word === "light" ? word : "system";
  } catch {
    return "system";
  }
}

/** The theme that is shown, remembered or not. */
const shownTheme = (): Theme => (document.documentElement.dataset.theme as Theme | undefined) ?? "system";

/** Show `theme`, and remember it. */
export function setTheme(theme: Theme): void {
  if (theme === "system") delete document.documentElement.dataset.theme;
  else document.documentElement.dataset.theme = theme;
  try {
    if (theme === "system") localStorage.removeItem(KEY);
    else localStorage.setItem(KEY, theme);
  } catch {
    // Storage may be off: the choice then lasts for this page.
  }
  for (const button of document.querySelectorAll("[data-theme-switch]")) nameSwitch(button, theme);
}

function nameSwitch(button: Element, theme: Theme): void {
  button.setAttribute("title", WORDS[theme]);
  button.setAttribute("aria-label", `${WORDS[theme]}. Change`);
  const icon = theme === "dark" ? "moon" : theme === "light" ? "sun" : "computer";
  button.querySelector("use")?.setAttribute("href", `${iconSheetOf(button)}#${icon}`);
}

function iconSheetOf(button: Element): string {
  return (button.querySelector("use")?.getAttribute("href") ?? "").split("#")[0] ?? "";
}

/** Take up the remembered theme and let every `[data-theme-switch]` step through the three. */
export function startTheme(): void {
  setTheme(storedTheme());
  document.addEventListener("click", (event) => {
    if (event.target instanceof Element && event.target.closest("[data-theme-switch]")) setTheme(NEXT[shownTheme()]);
  });
}
