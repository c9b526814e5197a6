"""Open tables: invitations that stand in a list, for anybody to join."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

from django.db.models import QuerySet
from django.utils import timezone

from decks import opinions
from decks.services import TableDeck
from matches import lobby
from matches.clocks.tempo import UNTIMED, Tempo
from matches.models import Match, MatchSeat
from matches.shuffles.fair import Given

HOST_PRESENT = timedelta(seconds=90)
"""How long a table is listed after its host's page has asked; a page that nobody looks at asks once a minute."""
SHOWN = 50


def open_table(
    user: Any, deck: TableDeck, players: int, *, rated: bool, tempo: Tempo = UNTIMED, given: Given | None = None
) -> Match:
    """Open a table that stands in the list while its host waits at it; raises LobbyError."""
    match = lobby.invite(user, deck, players, listed=True, rated=rated, tempo=tempo, given=given)
    here(match, user)
    return match


def here(match: Match, user: Any) -> None:
    """Note that somebody still waits at a table that has not begun."""
    MatchSeat.objects.filter(match=match, match__state=Match.State.OPEN, user=user).update(seen=timezone.now())


def listed(viewer: Any) -> list[Match]:
    """Return the open tables that ``viewer`` may join or sits at, those that have waited longest first.

    Without tables whose host has gone, and those at which somebody blocks ``viewer`` or is blocked by them.
    """
    tables = list(_present().prefetch_related("seats")[:SHOWN])
    away = _strangers(viewer, {person for match in tables for person in _people(match)})
    return [match for match in tables if not away.intersection(_people(match))]


def find(viewer: Any, match_id: str) -> Match:
    """Return a listed table that has not begun; raises Match.DoesNotExist for what is not in the viewer's list."""
    match = Match.objects.prefetch_related("seats").get(public_id=match_id, listed=True, state=Match.State.OPEN)
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


def _present() -> QuerySet[Match]:
    return Match.objects.filter(
        state=Match.State.OPEN, listed=True, seats__number=0, seats__seen__gt=timezone.now() - HOST_PRESENT
    ).order_by("created")
