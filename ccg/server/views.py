"""Pages that belong to no app: home, errors."""

from __future__ import annotations

from typing import Any, NamedTuple

from django.db.models import prefetch_related_objects
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from decks.models import Deck
from decks.pages import writing
from matches.clocks import waiting
from matches.models import Match, MatchSeat
from matches.players import LEVELS, NORMAL

from . import front

RUNNING_SHOWN = 3


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """What this is, a match in one click, where one's own matches go on, and what happens on the site."""
    running = _running(request.user) if request.user.is_authenticated else []
    shown = running[:RUNNING_SHOWN]
    prefetch_related_objects([one.match for one in shown], "seats")
    starters = Deck.objects.starters().with_head().filter(head__legal=True)
    context = {
        "running": shown,
        "going_on": next((one.match for one in running if one.goes_on), None),
        "levels": LEVELS,
        "level": NORMAL,
        **front.parts(request.user),
        "starters": [{"deck": deck, "base": deck.head.base} for deck in starters],
    }
    return render(request, "home.html", context)


class Running(NamedTuple):
    """A match that runs: whether it waits for its player, and whether it goes on for them and is no lesson."""

    match: Match
    waits: bool
    goes_on: bool


def _running(user: Any) -> list[Running]:
    """Return the running matches of ``user``; those that wait for them come first."""
    seats = MatchSeat.objects.filter(user=user, match__state=Match.State.RUNNING).select_related("match")
    latest = list(seats.defer("cards", "match__saved", "match__seed").order_by("-match__changed"))
    out = {seat.match_id for seat in latest if seat.out_at is not None}
    rows = waiting.urgent_first((seat.match, seat.number) for seat in latest)
    return [
        Running(
            match, match.must_decide(seat) and not waiting.is_paused(match), not match.lesson and match.pk not in out
        )
        for match, seat, _ in rows
    ]


@require_safe
def how_to_play(request: HttpRequest) -> HttpResponse:
    """The game in ten minutes, in our own words."""
    return render(request, "how_to_play.html")


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """A form without its token: most often an old tab, or a browser that refuses cookies."""
    return writing.again(request) or render(request, "403_csrf.html", status=403)
