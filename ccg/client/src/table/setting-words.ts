/** What can be set for the table. Generated from matches/table/table_settings.py by `manage.py protocol`. */

// biome-ignore-all format: generated

import type { Settings } from "./settings-data";

export interface SettingWords {
  name: keyof Settings;
  label: string;
  choices: [string, string][];
  many: boolean;
  help: string;
}

export const SETTING_WORDS: SettingWords[] = [
  {"name": "autoPass", "label": "Auto-pass", "choices": [["never", "never"], ["alone", "when nothing else is possible"]], "many": false, "help": "What only helps an opponent counts as nothing; what costs influence is always asked. At the table you can also pass until something happens, or until the end of the phase."},
  {"name": "stops", "label": "But always stop", "choices": [["resource_card", "for a resource card"], ["action", "for your action"], ["defend", "when you are challenged"], ["effects", "in a challenge, for events and abilities"], ["cylon", "for Cylon threats"]], "many": true, "help": ""},
  {"name": "confirm", "label": "Ask a second time before", "choices": [["pass", "passing, while something else is possible"], ["challenge", "a challenge"], ["play", "playing a card"]], "many": true, "help": ""},
  {"name": "speed", "label": "Movement", "choices": [["half", "× ½"], ["normal", "× 1"], ["double", "× 2"], ["off", "off"]], "many": false, "help": ""},
  {"name": "sound", "label": "Sounds", "choices": [["off", "off"], ["on", "on"]], "many": false, "help": ""},
  {"name": "chat", "label": "Chat", "choices": [["all", "on"], ["phrases", "quick phrases only"], ["off", "off"]], "many": false, "help": "Whom you mute or block you do not hear in any case."},
  {"name": "chatSound", "label": "A sound for each line of the chat", "choices": [["off", "off"], ["on", "on, with sounds"]], "many": false, "help": ""},
  {"name": "text", "label": "Text", "choices": [["usual", "usual"], ["large", "large"], ["largest", "largest"]], "many": false, "help": ""},
  {"name": "contrast", "label": "Contrast", "choices": [["system", "as your system"], ["more", "more"]], "many": false, "help": ""},
  {"name": "hand", "label": "Buttons", "choices": [["right", "for the right hand"], ["left", "for the left hand"]], "many": false, "help": "On which side of the table the log, the buttons and the tools are."},
  {"name": "keys", "label": "Keys with one sign", "choices": [["on", "on"], ["off", "off"]], "many": false, "help": "Letters, digits and signs that do something as soon as they are pressed: at tables, in the deck builder, and on all pages for the search. Arrows, Enter, Space and Escape stay. Off is for whoever speaks to the computer, or hits keys by accident."},
];
