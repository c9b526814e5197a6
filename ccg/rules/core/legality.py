"""Why a card or an ability cannot be used now: a short code for each way in which the rules say no.

The checks that list a player's options give one of these, or None where nothing stands in the way, so
that options and reasons cannot differ. What a reason is about in detail, and its sentence, are worked
out only when somebody asks (:mod:`ccg.rules.telling.refusals`).
"""

from __future__ import annotations

from typing import Literal

Reason = Literal[
    # the moment
    "over",
    "not_your_decision",
    "other_decision",
    "cylon_phase",
    "loop",
    "in_challenge",
    "season",
    # playing a card, and what its text needs
    "cost",
    "no_target",
    "base",
    # an ability of a card in play
    "exhausted",
    "not_alert",
    "asset",
    "unresolved",
    "used",
    "ability_cost",
    # missions
    "one_mission",
    "requirements",
    "no_link",
    # challenging
    "vision",
    "forbidden",
    "price",
    # defending
    "vision_defends",
    "other_type",
    "forbidden_to_defend",
]
