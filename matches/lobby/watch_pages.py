"""The page of matches that can be watched now."""

from __future__ import annotations

import logging
from datetime import timedelta
from typing import Any

from django.db.models import Max, Prefetch
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.utils import timezone
from django.views.decorators.cache import never_cache
from django.views.decorators.http import require_safe

from ccg.rules import StateError
from ccg.rules.saving import ENGINE_VERSION
from matches.models import Match, MatchSeat
from matches.table import table_view
from matches.table.table_view import PRESENT_FOR
from matches.watching import onlookers

log = logging.getLogger(__name__)

SHOWN = 20
"""Matches on the page; the state of each is read."""

GONE_AFTER = timedelta(days=7)


@never_cache
@require_safe
def watch(request: HttpRequest) -> HttpResponse:
    """Matches that run and may be watched, those with somebody at the table first, as people see them who look on."""
    running = (
        Match.objects.filter(state=Match.State.RUNNING, watchable=True, engine_version=str(ENGINE_VERSION))
        .annotate(visited=Max("seats__seen"))
        .filter(visited__gt=timezone.now() - GONE_AFTER)
        .only("pk", "public_id", "started", "delay")
        .prefetch_related(Prefetch("seats", MatchSeat.objects.defer("cards").order_by("number")))
        .order_by("-visited")[:SHOWN]
    )
    matches = list(running)
    looking = onlookers.counts(match.pk for match in matches)
    rows = [row for match in matches if (row := _row(match, looking.get(match.pk, 0))) is not None]
    return render(request, "matches/watch.html", {"rows": rows, "most": SHOWN})


def _row(match: Any, looking: int) -> dict[str, Any] | None:
    """Return what the page shows of a match; None if that cannot be read, or if it is over by now."""
    snapshot = table_view.read(match.public_id, None, None)
    if snapshot is None or snapshot == "open":
        return None
    try:
        table = table_view.table(snapshot)
    except StateError as error:
        log.warning("match %s cannot be read: %s", match.public_id, error)
        return None
    if table.over:
        return None
    return {
        "match": match,
        "players": [
            {"name": player.name, "influence": max(0, player.influence), "lost": player.lost, "level": person.level}
            for player, person in zip(table.view.players, table.people, strict=True)
        ],
        "turn": table.view.turn,
        "here": match.visited > timezone.now() - PRESENT_FOR,
        "onlookers": looking,
    }
