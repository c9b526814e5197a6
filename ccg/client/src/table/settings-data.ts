/** What can be set for the table. Generated from matches/table/table_settings.py by `manage.py protocol`. */

// biome-ignore-all format: generated

export interface Settings {
  autoPass: "never" | "alone";
  stops: ("resource_card" | "action" | "defend" | "effects" | "cylon")[];
  confirm: ("pass" | "challenge" | "play")[];
  speed: "half" | "normal" | "double" | "off";
  sound: "off" | "on";
  chat: "all" | "phrases" | "off";
  chatSound: "off" | "on";
  text: "usual" | "large" | "largest";
  contrast: "system" | "more";
  hand: "right" | "left";
  keys: "on" | "off";
}

export const SETTINGS: Settings = {"autoPass": "alone", "stops": [], "confirm": [], "speed": "normal", "sound": "off", "chat": "all", "chatSound": "off", "text": "usual", "contrast": "system", "hand": "right", "keys": "on"};

export const KNOWN: Record<keyof Settings, string[]> = {"autoPass": ["never", "alone"], "stops": ["resource_card", "action", "defend", "effects", "cylon"], "confirm": ["pass", "challenge", "play"], "speed": ["half", "normal", "double", "off"], "sound": ["off", "on"], "chat": ["all", "phrases", "off"], "chatSound": ["off", "on"], "text": ["usual", "large", "largest"], "contrast": ["system", "more"], "hand": ["right", "left"], "keys": ["on", "off"]};
