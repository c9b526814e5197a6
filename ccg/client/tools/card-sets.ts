/**
 * The project's own card sets as the catalogue file that the server would give, for the gallery and for tests
 * of pictures. It checks nothing: the server's reader does (ccg/rules/authoring/card_files.py).
 */

import { readdirSync, readFileSync } from "node:fs";
import { fileURLToPath } from "node:url";
import { parse } from "yaml";
import type { CatalogFile } from "../src/cards/catalog";
import type { CardFacts, KeywordFact } from "../src/cards/facts";
import type { Cost } from "../src/cards/view-types";

const SETS = fileURLToPath(new URL("../../../cards_data/sets/", import.meta.url));

type KeywordEntry = string | { expedite: Cost } | { link: string };

type CardEntry = Partial<Omit<CardFacts, "keywords">> & {
  number: number;
  rarity: string;
  keywords?: KeywordEntry[];
  ability_pending?: boolean;
  reprint_of?: string;
};

/** Read all sets; reprints are no cards of their own. */
export function readSets(): CatalogFile {
  const cards: Record<string, CardFacts> = {};
  for (const folder of readdirSync(SETS).sort()) {
    const { code, digits } = load(`${folder}/set.yaml`) as { code: string; digits: number };
    for (const file of readdirSync(SETS + folder).sort()) {
      if (file === "set.yaml" || !file.endsWith(".yaml")) continue;
      for (const entry of load(`${folder}/${file}`) as CardEntry[]) {
        if (entry.reprint_of) continue;
        const card = facts(entry, code, digits);
        cards[card.id] = card;
      }
    }
  }
  return { version: "working copy", cards };
}

const load = (path: string): unknown => parse(readFileSync(SETS + path, "utf8"));

function facts(entry: CardEntry, set: string, digits: number): CardFacts {
  const { title = "", subtitle = "" } = entry;
  return {
    id: `${set}-${String(entry.number).padStart(digits, "0")}`,
    type: entry.type ?? "event",
    title,
    subtitle,
    name: [title, subtitle].filter(Boolean).join(", "),
    traits: entry.traits ?? [],
    cost: entry.cost ?? {},
    power: entry.power ?? null,
    threat: entry.threat ?? null,
    mystic: entry.mystic ?? null,
    produces: entry.produces ?? null,
    hand: entry.hand ?? null,
    influence: entry.influence ?? null,
    keywords: (entry.keywords ?? []).map(keyword),
    requires: entry.requires ?? [],
    pending: entry.ability_pending ?? false,
    set,
    number: entry.number,
    rarity: entry.rarity,
    reprints: [],
    text: [],
  };
}

function keyword(entry: KeywordEntry): KeywordFact {
  if (typeof entry === "string") return { name: entry };
  return "link" in entry ? { name: "link", link: entry.link } : { name: "expedite", cost: entry.expedite };
}
