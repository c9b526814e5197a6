/** Which motif a card shows: by the words of its name where one fits, otherwise by lot from those of its trait. */

import type { CardFacts } from "../../facts";
import type { Random } from "../random";
import * as people from "./people";
import type { Motif } from "./stage";
import * as things from "./things";
import * as war from "./war";
import * as ways from "./ways";

const MOTIFS = { ...war, ...people, ...things, ...ways } satisfies Record<string, Motif>;

export type MotifName = keyof typeof MOTIFS;

type Names = readonly [MotifName, ...MotifName[]];

/** The first line whose words are in the name decides; where it names several motifs, the seed picks one. */
const BY_WORDS: readonly (readonly [RegExp, Names])[] = [
  [/serpent|snake/i, ["serpent"]],
  [/arrow|hand of god|apollo/i, ["arrow"]],
  [/melody|song|music/i, ["melody"]],
  [/\brain\b|storm/i, ["rain"]],
  [/winning hand|game|stakes|wager|card/i, ["hand"]],
  [/wings|flight|\bcag\b|pilot school/i, ["wings", "formation"]],
  [/downed|stranded|left behind|wreck|crash/i, ["downed"]],
  [/bomb|catastroph|obliterat/i, ["burst"]],
  [/rounds|loadout|ammunition|ordnance/i, ["rounds"]],
  [/missile|battery|massive|firepower|barrage/i, ["salvo"]],
  [/\bram\b|collision/i, ["collision"]],
  [/hull|boarding|breach/i, ["breach"]],
  [/strafing/i, ["strafe"]],
  [/showdown|standoff|them or us|versus|difference of opinion/i, ["duel"]],
  [/covering/i, ["shield", "vectors"]],
  [/fire support/i, ["vectors"]],
  [/fury|angry|\bfire\b|burn|\brage\b/i, ["flame"]],
  [/sniper|sharpshoot|assassin|target/i, ["sight"]],
  [/contact|dradis|decoy|sweep|pursuit|swarm/i, ["contacts"]],
  [/condition|alert|klaxon/i, ["klaxon", "dial"]],
  [/arrest|crackdown|rank|duty/i, ["cuffs", "closing"]],
  [/grounded|prison|martial|captur/i, ["bars"]],
  [/noose/i, ["closing"]],
  [/evidence|suspicio|investigat|search/i, ["lens"]],
  [/tribunal|judg|justice|accus|verdict/i, ["scales"]],
  [/scriptur|word|story|lest we forget/i, ["book"]],
  [/article|privilege|treaty|order|law|disclosure/i, ["paper"]],
  [/blackmail|contact us|sympath/i, ["letter"]],
  [/sick|wound|recover|stim|dosage|medic|surge|painful|alive/i, ["pulse"]],
  [/viral|virus|green|red:|infect|radiation|rudimentary|still$/i, ["samples"]],
  [/network|computer|hack|system|toaster|component/i, ["circuit", "gears"]],
  [/crew|overtime|task|mechanic|repair|deck/i, ["gears", "hourglass"]],
  [/suppl|delivery|raiding|farms|provision/i, ["crates"]],
  [/refuel/i, ["refuel"]],
  [/fuel|tank|tylium|bingo/i, ["gauge", "refuel"]],
  [/kobol|lords|prayer|faith|prophe|gods?\b|contrition|gleaming/i, ["faith", "constellation"]],
  [/swearing|president|candidate|acclaim|day|dress|victor|hero|award/i, ["laurel", "seal"]],
  [/press|channel|voice|speech|ideals/i, ["voices"]],
  [/quorum|council|politic|dissension|sides|boss/i, ["council", "assembly"]],
  [/copies|look like|double|everyone|brain|one of us/i, ["copies"]],
  [/surprise|sneak|unexpected|ambush|hunters/i, ["ambush"]],
  [/misdirect|distract|picking|maneuver/i, ["fork"]],
  [/false|illusion|mirror/i, ["mirror", "mask"]],
  [/betray|treacher|visitor|mask/i, ["mask"]],
  [/reality|setback|malfunction|shatter|insane|reformat|crush/i, ["fracture"]],
  [/shelter|cover|defen|protect/i, ["shield"]],
  [/together|teamwork|love|union|peace|diplomacy|ideals/i, ["union"]],
  [/out of sight|ghost|eye|watch|look|sight|vision/i, ["eye"]],
  [/endless|wait|persist|time|still no/i, ["hourglass"]],
  [/visit|door|gate|airlock|outside|behind/i, ["airlock"]],
  [/thinking|plan\b|planning|idea/i, ["box", "fork"]],
  [/sign|warning|signal|message/i, ["beacon", "wave"]],
  [/town|city|capric|base/i, ["skyline"]],
];

const EVENT_MOTIFS: Record<string, Names> = {
  Cylon: ["wave", "circuit", "eye", "copies", "mask"],
  Crisis: ["burst", "alarm", "klaxon", "fracture", "flame"],
  Political: ["assembly", "seal", "constellation", "voices", "scales", "laurel"],
  Military: ["sight", "vectors", "salvo", "strafe", "contacts", "closing", "duel"],
  Civilian: ["union", "skyline", "crates", "pulse"],
  none: [
    "dial",
    "constellation",
    "vectors",
    "shield",
    "sight",
    "orbits",
    "fracture",
    "hourglass",
    "airlock",
    "wave",
    "eye",
    "beacon",
    "closing",
    "gears",
  ],
};

const MISSION_MOTIFS: Record<string, Names> = {
  Military: ["assault", "formation", "route", "closing", "contacts", "wings", "shield", "stairs"],
  Political: ["council", "laurel", "route", "scales", "voices", "paper", "seal", "union"],
  Cylon: ["copies", "contour", "closing", "eye", "mask", "contacts"],
  Civilian: ["skyline", "contour", "orbit", "crates", "union", "stairs"],
  none: ["orbit", "contour", "route", "beacon", "stairs", "box", "constellation", "hourglass", "airlock"],
};

/** The motif of an event or mission. */
export function motifOf(card: CardFacts, random: Random): { name: MotifName; draw: Motif } {
  const worded = BY_WORDS.find(([words]) => words.test(card.name))?.[1];
  const table = card.type === "mission" ? MISSION_MOTIFS : EVENT_MOTIFS;
  const trait = card.traits.find((one) => table[one] !== undefined) ?? "none";
  const names = worded ?? table[trait] ?? EVENT_MOTIFS.none ?? (["dial"] as const);
  const name = random.pick(names);
  return { name, draw: MOTIFS[name] };
}
