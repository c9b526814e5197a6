"""Open tables: invitations that stand in a list, for anybody to join."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.db.models import Case, OuterRef, Q, QuerySet, Subquery, When, Window
from django.db.models.functions import RowNumber
from django.utils import timezone

from decks.social import opinions
from decks.table_decks import TableDeck
from matches.clocks.tempo import UNTIMED, Tempo
from matches.lobby import attendance
from matches.lobby import services as lobby
from matches.models import Match, MatchSeat, by_correspondence
from matches.shuffles.fair import Given

SHOWN = 50

KEPT = timedelta(days=14)
"""How long a table by correspondence is listed after its host was last at it: nobody keeps a page open for days."""


def open_table(
    user: Any, deck: TableDeck, players: int, *, rated: bool, tempo: Tempo = UNTIMED, given: Given | None = None
) -> Match:
    """Open a table that stands in the list while its host waits at it, or for some weeks; raises LobbyError."""
    return lobby.invite(user, deck, players, listed=True, rated=rated, tempo=tempo, given=given)


def listed(viewer: Any, *, own: bool = True) -> list[Match]:
    """Return the open tables that ``viewer`` may join or (unless not ``own``) sits at, the longest waiting first.

    Those by correspondence, which wait for weeks, come after all others. The first table of each host comes before
    anybody's second: else three people with twenty tables each would fill the list, and nobody else would be found.

    Without tables whose host has gone, and those at which somebody blocks ``viewer`` or is blocked by them.
    """
    waiting = _waiting()
    if not own and viewer.is_authenticated:
        waiting = waiting.exclude(pk__in=MatchSeat.objects.filter(user=viewer).values("match"))
    tables = list(waiting.prefetch_related("seats")[:SHOWN])
    away = _strangers(viewer, {person for match in tables for person in _people(match)})
    return [match for match in tables if not away.intersection(_people(match))]


def find(viewer: Any, match_id: str) -> Match:
    """Return a table that is in the viewer's list, or was until it was full or withdrawn; raises Match.DoesNotExist.

    Who comes too late is told so: to them it is there no less than to who came in time.
    """
    tables = Match.objects.defer("saved").prefetch_related("seats")
    match = tables.get(public_id=match_id, listed=True, from_queue=False)
    if _strangers(viewer, _people(match)):
        raise Match.DoesNotExist
    return match


def _people(match: Match) -> set[int]:
    return {seat.user_id for seat in match.seats.all() if seat.user_id is not None}


def _strangers(viewer: Any, people: set[int]) -> set[int]:
    """Return those of ``people`` who block ``viewer``, or are blocked by them."""
    if not viewer.is_authenticated:
        return set()
    pairs = opinions.blocks_among({*people, viewer.pk})
    return {person for pair in pairs if viewer.pk in pair for person in pair} - {viewer.pk}


def _waiting() -> QuerySet[Match]:
    """Return the open tables whose host is there, or may be away for so long, in the order in which they are listed."""
    now = timezone.now()
    there = Q(seats__seen__gt=now - attendance.PRESENT)
    kept = by_correspondence() & Q(seats__seen__gt=now - KEPT)
    # One call: both are about the seat of the host.
    tables = Match.objects.filter(there | kept, state=Match.State.OPEN, listed=True, seats__number=0)
    # Whose clock would stand still: nobody waits for their first move until they are back.
    resting = MatchSeat.objects.filter(by_correspondence("match__"), user__vacations__over=False)
    tables = tables.exclude(pk__in=resting.values("match"))
    # Somebody sits at these now; what has weeks never takes their place in the list.
    slow = Case(When(by_correspondence(), then=1), default=0)
    host = Subquery(MatchSeat.objects.filter(match=OuterRef("pk"), number=0).values("user")[:1])
    nth = Window(RowNumber(), partition_by=[slow, host], order_by=["created", "pk"])
    return tables.annotate(nth=nth).order_by(slow, "nth", "created")
