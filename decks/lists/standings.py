"""What a format says of one card, and from when until when. Pure; no Django."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date
from itertools import pairwise

from msgspec import Struct

from ccg.rules.cards.definitions import CardDef
from decks.lists.legality import FormatRules, rules_on


class Standing(Struct, frozen=True, kw_only=True):
    """What a format says of a card from one day on, up to and not including another (None: for good).

    ``copies`` is how many a deck may hold, and ``reason`` why there are none, or fewer than usual.
    """

    starts: date
    ends: date | None
    copies: int
    reason: str

    def in_force(self, day: date) -> bool:
        """Return whether that is so on ``day``."""
        return self.starts <= day and (self.ends is None or day < self.ends)


def standing(card: CardDef, rules: FormatRules) -> tuple[int, str]:
    """Return how many copies of ``card`` a deck may hold by ``rules`` whenever they are in force, and why not more."""
    if not rules.allows(card):
        return 0, "It is in none of the format's sets."
    if card.id in rules.banned:
        return 0, "It is banned."
    copies = 1 if card.type == "base" else rules.limit(card.id)
    if card.id in rules.restricted:
        return min(copies, 1), "It is restricted."
    return copies, "" if copies else "No copy of it is allowed."


def standings(card: CardDef, editions: Sequence[FormatRules]) -> list[Standing]:
    """Return what a format with these ``editions`` says of ``card`` over time, the earliest first.

    Where an edition changes nothing for this card, there is no new standing; where none holds, there is none.
    """
    days = sorted({day for one in editions for day in (one.starts, one.ends) if day is not None})
    found: list[Standing] = []
    for first, until in pairwise([*days, None]):
        assert first is not None, "only the last day is open"
        rules = rules_on(editions, first)
        if rules is None:
            continue
        copies, reason = standing(card, rules)
        before = found[-1] if found else None
        if before and (before.ends, before.copies, before.reason) == (first, copies, reason):
            found[-1] = Standing(starts=before.starts, ends=until, copies=copies, reason=reason)
        else:
            found.append(Standing(starts=first, ends=until, copies=copies, reason=reason))
    return found
