"""What a change of a format would do to the decks that are made for it, found out before it is kept."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import date

from django.utils import timezone
from msgspec import Struct

from cards_data import catalog as cards_data
from decks.formats import rules_among
from decks.lists import legality
from decks.models import Deck, Format, FormatEdition

MAX_DAYS = 6


class Effect(Struct, frozen=True, kw_only=True):
    """From ``day`` on, ``illegal`` decks that would be legal are not, and ``legal`` the other way round."""

    day: date
    illegal: int
    legal: int

    @property
    def token(self) -> str:
        """What somebody who has seen this agrees to."""
        return f"{self.day}:{self.illegal}"


class Effects(Struct, frozen=True, kw_only=True):
    """What changes for the ``decks`` of a format, on each day on which something does."""

    decks: int
    days: list[Effect]

    @property
    def harm(self) -> bool:
        """Whether any deck becomes illegal."""
        return any(one.illegal for one in self.days)

    @property
    def token(self) -> str:
        """What somebody who has seen all of it agrees to."""
        return " ".join(one.token for one in self.days)


def effects(
    chosen: Format, before: Sequence[FormatEdition], after: Sequence[FormatEdition], today: date | None = None
) -> Effects:
    """Compare the legality of all decks of a format with its editions ``before`` and ``after`` a change.

    Looked at are today and the days to come on which an edition begins or ends.
    """
    cards, today = cards_data.data(), today or timezone.localdate()
    ends = [day for edition in (*before, *after) for day in (edition.starts, edition.ends) if day and day > today]
    days = [today, *sorted(set(ends))][:MAX_DAYS]
    rules = {day: [rules_among(chosen, editions, cards, day) for editions in (before, after)] for day in days}
    days = [day for day in days if rules[day][0] != rules[day][1]]
    judges = {day: [legality.judge(one, cards.catalog, day) for one in rules[day]] for day in days}
    illegal, legal, looked_at = dict.fromkeys(days, 0), dict.fromkeys(days, 0), 0
    lists = Deck.objects.filter(format=chosen, head__isnull=False).values_list("head__base", "head__counts")
    for base, counts in lists.iterator() if days else ():
        looked_at += 1
        bases = [base] if base else []
        for day in days:
            was, is_now = (is_legal(bases, counts) for is_legal in judges[day])
            illegal[day] += was and not is_now
            legal[day] += is_now and not was
    changes = [Effect(day=day, illegal=illegal[day], legal=legal[day]) for day in days]
    return Effects(decks=looked_at, days=[one for one in changes if one.illegal or one.legal])
