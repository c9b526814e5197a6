"""Who is at a table that has not begun: the page of the table says so for as long as it is open.

Clocks of a live match run from its first moment. Where it counts, or is open to strangers, it begins with nobody who
has gone meanwhile: they would lose it without having seen it.
"""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.db.models import Q, QuerySet
from django.utils import timezone

from matches.clocks import tempo as tempos
from matches.models import Match, MatchSeat

PRESENT = timedelta(seconds=90)
"""How long somebody counts as there after their page has asked; a page that nobody looks at asks once a minute."""


def needed(match: Match) -> bool:
    """Return whether ``match`` begins only when all who sit there are at the table.

    Friends who have sent each other a link arrange that between themselves.
    """
    return tempos.read(match.tempo).kind == "live" and (match.rated or match.listed)


def here(match: Match, user: Any) -> None:
    """Note that somebody is at a table that has not begun."""
    MatchSeat.objects.filter(match=match, match__state=Match.State.OPEN, user=user).update(seen=timezone.now())


def gone(match: Match) -> QuerySet[MatchSeat]:
    """Return the seats of those who have sat down at a table that has not begun, and have left it since."""
    away = Q(seen=None) | Q(seen__lte=timezone.now() - PRESENT)
    return match.seats.filter(away, kind=MatchSeat.Kind.PERSON, joined=True).order_by("number")
