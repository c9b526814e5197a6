/** The window of the settings; it is loaded when somebody opens it. */

import type { VNode } from "preact";

import type { Links } from "./dialogs";
import { isOut } from "./out";
import { AutoPassChoice } from "./pass-choice";
import { SETTING_WORDS, type SettingWords } from "./setting-words";
import type { Settings } from "./store";
import { useNow } from "./tiles";
import { Window } from "./window";

/** What is of use only to those who choose; nobody does in a replay. */
const CHOOSING: readonly SettingWords["name"][] = ["autoPass", "stops", "confirm"];

export function SettingsWindow({ links }: { links: Links }): VNode {
  const { table, state, view } = useNow();
  const seated = view.viewer !== null && !state.over && !isOut(view);
  return (
    <Window title="Settings" class="settings-window">
      <div class="settings-list">
        {SETTING_WORDS.filter(({ name }) => !(state.replay && CHOOSING.includes(name))).map((words) =>
          words.name === "autoPass" && seated ? (
            <div class="setting" key={words.name}>
              <AutoPassChoice />
            </div>
          ) : (
            <Setting words={words} key={words.name} />
          ),
        )}
      </div>
      {links.shuffles && (
        <details class="settings-shuffles small">
          <summary>Fair shuffles</summary>
          <p>
            The server is bound to <code class="shuffle-hash">{links.shuffles.commitments}</code>.{" "}
            <a href={links.shuffles.page}>How the decks are shuffled</a>
          </p>
        </details>
      )}
      <div class="window-actions">
        <button type="button" class="button" onClick={() => table.open({ kind: "shortcuts" })}>
          Keys <kbd class="of-sign">?</kbd>
        </button>
      </div>
    </Window>
  );
}

/** One setting: radio buttons, or boxes where several choices go together. */
function Setting({ words }: { words: SettingWords }): VNode {
  const { table, state } = useNow();
  const { name, label, choices, many, help } = words;
  const value: string | string[] = state.settings[name];
  const change = (choice: string, on: boolean): void => {
    const set = new Set(value);
    if (on) set.add(choice);
    else set.delete(choice);
    const next = many ? choices.map(([key]) => key).filter((key) => set.has(key)) : choice;
    table.set({ [name]: next } as Partial<Settings>);
  };
  return (
    <fieldset class="setting">
      <legend>{label}</legend>
      <div class="setting-options">
        {choices.map(([key, text]) => {
          const on = many ? value.includes(key) : value === key;
          return (
            <label class={`setting-option ${on ? "is-on" : ""}`} key={key}>
              <input
                type={many ? "checkbox" : "radio"}
                name={name}
                value={key}
                checked={on}
                onChange={(event) => change(key, event.currentTarget.checked)}
              />
              {text}
            </label>
          );
        })}
      </div>
      {help && <p class="small faint">{help}</p>}
    </fieldset>
  );
}
