"""Where it is written: the clause, or the ruling, behind every kind of question, event, reason and change.

Ids are those of ``docs/rules/clauses.yaml``; ``ruling-92`` is ruling 92 of ``docs/rules/rulings.md``. A test holds
these tables against what the engine can ask and tell, and against those files. What is not in a rule but in the card
that does it is named in :data:`BY_CARD`: there the words of the card are the rule.
"""

from __future__ import annotations

from ccg.rules.core.legality import Reason

PROMPTS: dict[str, str] = {
    "opening_hand": "SETUP-5",
    "resource_card": "READY-4",
    "reorder": "READY-5",
    "action": "EXEC-3",
    "strafe": "ruling-85",
    "defend": "CHAL-1c",
    "sniper": "KEY-SNIPER-2",
    "effects": "CHAL-2b",
    "manipulate": "KEY-MANIPULATE-1",
    "payment": "PAY-4",
    "expedite": "KEY-EXPEDITE-1",
    "mission_units": "MISSION-4",
    "jump": "CYLON-4b",
    "cylon": "CYLON-6",
    "react": "CHAL-1c",
    "mystic_value": "MYST-1",
    "which_supply": "ruling-68",
    "discount": "ruling-86",
    "convert": "GENR-1",
    "choose": "REQ-3",
    "may": "EFF-3",
    "trigger_order": "FIRST-8",
    "discard": "GLOS-DISCARD",
    "search": "GEN-5",
}
"""By the kind of a decision."""

EVENTS: dict[str, str] = {
    "first": "FIRST-1",
    "keep": "SETUP-5",
    "redraw": "SETUP-5b",
    "phase ready": "READY-1",
    "phase execution": "EXEC-1",
    "phase cylon": "CYLON-1",
    "pass": "PASS-1",
    "loop": "ruling-92",
    "chain": "ruling-92",
    "play": "PLAY-1",
    "resolve": "MISSION-1",
    "use": "ABIL-1",
    "trigger": "EFF-3",
    "boost": "ABIL-3",
    "target": "REQ-4",
    "target player": "REQ-4",
    "event over": "PLAY-4",
    "mission over": "MISSION-7",
    "spend": "GENR-1",
    "asset": "RES-3",
    "supply": "RES-7",
    "reorder": "READY-5",
    "ready": "MOVE-1",
    "commit": "MOVE-3",
    "exhaust": "EXH-1",
    "restore": "EXH-6",
    "changed": "EFF-4",
    "enter": "PLAY-2",
    "overlay": "OVERLAY-1",
    "persist": "KEY-PERSISTENT-1",
    "defeat": "GLOS-DEFEAT",
    "sacrifice": "GLOS-SACRIFICE",
    "draw": "READY-3",
    "discard": "GLOS-DISCARD",
    "search": "GEN-5",
    "shuffle": "GEN-6",
    "reshuffle": "DEPL-1",
    "challenge": "CHAL-1",
    "challenge threat": "CYLON-6c",
    "accept": "KEY-SNIPER-1",
    "decline": "CHAL-1c",
    "defend": "CHAL-1d",
    "totals": "CHAL-4",
    "wins": "CHAL-5",
    "challenge over": "CHAL-5c",
    "mystic": "MYST-1",
    "attack": "CYLON-2",
    "no attack": "CYLON-2",
    "threat": "CYLON-3",
    "threats": "CYLON-3",
    "red": "CYLON-3d",
    "threat over": "CYLON-7b",
    "jump": "CYLON-4",
    "gain": "WIN-1",
    "lose influence": "WIN-3",
    "lose": "WIN-3",
    "win": "WIN-4",
    "draw game": "WIN-6",
    "concede": "ruling-5",
    "out of time": "ruling-5",
    "absent": "ruling-5",
    "agreed draw": "WIN-6",
    "abandoned": "WIN-6",
    "extra": "ruling-21",
    "link": "ruling-23",
    "strafe": "ruling-85",
    "exchange": "ruling-67",
}
"""By the kind of an event; for phases and challenges by the kind of its sentence."""

REASONS: dict[Reason, str] = {
    "over": "WIN-4",
    "not_your_decision": "FIRST-6",
    "other_decision": "FIRST-6",
    "cylon_phase": "CYLON-6",
    "loop": "ruling-92",
    "in_challenge": "CHAL-2b",
    "season": "REQ-1",
    "cost": "PAY-6",
    "no_target": "ruling-16",
    "base": "TYPE-BASE-1",
    "exhausted": "EXH-5",
    "not_alert": "MOVE-4",
    "asset": "RES-6",
    "unresolved": "MISSION-1",
    "used": "ruling-20",
    "ability_cost": "ABIL-2",
    "one_mission": "MISSION-2",
    "requirements": "MISSION-3",
    "no_link": "ruling-23",
    "vision": "KEY-VISION-1",
    "forbidden": "GEN-4",
    "price": "REQ-2",
    "vision_defends": "KEY-VISION-2",
    "other_type": "CHAL-1d",
    "forbidden_to_defend": "GEN-4",
}
"""By the reason why something cannot be done."""

REASONS_OF_VERBS: dict[str, str] = {"not_alert challenge": "CHAL-1", "not_alert resolve": "MISSION-1"}
"""By reason and verb, where a clause speaks of just that; the others are in :data:`REASONS`."""

CAUSES: dict[str, str] = {
    "power": "EFF-4",
    "threat": "EFF-4",
    "trait": "EFF-4",
    "keyword": "EFF-4",
    "cannot": "GEN-4",
    "yields": "GENR-1",
    "fleet": "FDL-1",
    "prevent": "GEN-4",
    "cheaper": "ruling-86",
    "convert": "PAY-2",
    "price": "REQ-2",
    "revealed": "MYST-1",
    "reveal": "MYST-1",
}
"""By the kind of what makes a number another one than is printed."""

BY_CARD: dict[str, str] = {
    "look": "only cards let players look into decks",
    "arranged": "only cards let players arrange decks",
    "take": "only cards move cards between other places",
    "put": "only cards move cards between other places",
    "mill": "only cards move cards from decks to discard piles",
    "reveal": "only cards have players show cards",
    "goes first": "only cards say who goes first",
    "split": "only cards part a unit stack",
    "no mystic": "only cards keep a mystic value from being revealed",
}
"""Kinds of questions and events without a clause, each with the reason."""

PHASES: dict[str, tuple[str, ...]] = {
    "setup": ("Setup", "First Player"),
    "ready": ("Ready Phase", "Resources", "Ready vs. Commit", "Exhaust vs. Restore"),
    "execution": ("Execution Phase", "Play a Card", "Paying Costs", "Play an Ability", "Resolve a Mission", "Pass"),
    "challenge": ("Challenge Procedure", "Challenge", "Revealing a Mystic Value"),
    "cylon": ("Cylon Phase", "Resolving Cylon Threats", "Fleet Defense Level"),
}
"""The sections of clauses that a phase is about, the nearest first; a challenge is one of its own."""
