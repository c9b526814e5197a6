"""Matches that can be watched now, as lists show them: whoever has no seat there may know all of it."""

from __future__ import annotations

import logging
from collections.abc import Iterable
from datetime import timedelta

from django.db.models import Max, Prefetch, QuerySet
from django.utils import timezone
from msgspec import Struct

from ccg.rules import StateError
from ccg.rules.saving import ENGINE_VERSION
from matches.models import Match, MatchSeat
from matches.table import table_view
from matches.table.table_view import PRESENT_FOR
from matches.watching import onlookers

log = logging.getLogger(__name__)

GONE_AFTER = timedelta(days=7)
"""How long after the last sign of life of its players a match is listed no more."""


class LivePlayer(Struct, frozen=True):
    """Somebody at the table: what they are called, their influence, the id of their base."""

    name: str
    influence: int
    lost: bool
    level: str | None
    base: str


class LiveTable(Struct, frozen=True):
    """A match in progress, as of the turn that those who look on are shown; ``here`` if somebody is at the table."""

    match: Match
    players: list[LivePlayer]
    turn: int
    here: bool
    onlookers: int


def running() -> QuerySet[Match]:
    """Return the matches that run and may be watched, those where somebody was last seen first."""
    return (
        Match.objects.filter(state=Match.State.RUNNING, watchable=True, engine_version=str(ENGINE_VERSION))
        .annotate(visited=Max("seats__seen"))
        .filter(visited__gt=timezone.now() - GONE_AFTER)
        .order_by("-visited")
    )


def tables(most: int) -> list[LiveTable]:
    """Return what lists show of the first of :func:`running`; the state of each is read."""
    seats = MatchSeat.objects.only("match", "number", "base").order_by("number")
    matches = list(
        running()
        .only("pk", "public_id", "version", "started", "delay")
        .prefetch_related(Prefetch("seats", seats))[:most]
    )
    return list(_shown(matches))


def _shown(matches: list[Match]) -> Iterable[LiveTable]:
    """Leave out what cannot be read, or is over by now."""
    looking = onlookers.counts(match.pk for match in matches)
    here = timezone.now() - PRESENT_FOR
    for match in matches:
        # Lists show no events: as nobody wants those before the newest version, they are not read.
        snapshot = table_view.read(match.public_id, None, match.version)
        if snapshot is None or snapshot == "open":
            continue
        try:
            table = table_view.table(snapshot)
        except StateError as error:
            log.warning("match %s cannot be read: %s", match.public_id, error)
            continue
        if table.over:
            continue
        players = [
            LivePlayer(person.stand_in or player.name, max(0, player.influence), player.lost, person.level, seat.base)
            for player, person, seat in zip(table.view.players, table.people, match.seats.all(), strict=True)
        ]
        visited = match.visited
        yield LiveTable(match, players, table.view.turn, visited > here, looking.get(match.pk, 0))
