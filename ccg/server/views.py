"""Pages that belong to no app: home, errors."""

from __future__ import annotations

from typing import Any

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
    prefetch_related_objects([match for match, _ in shown], "seats")
    starters = Deck.objects.starters().with_head().filter(head__legal=True)
    context = {
        "running": shown,
        "going_on": next((match for match, _ in running if not match.lesson), None),
        "levels": LEVELS,
        "level": NORMAL,
        **front.parts(request.user),
        "starters": [{"deck": deck, "base": deck.head.base} for deck in starters],
    }
    return render(request, "home.html", context)


def _running(user: Any) -> list[tuple[Match, bool]]:
    """Return the running matches of ``user``, each with whether it waits for them; those that do come first."""
    seats = MatchSeat.objects.filter(user=user, match__state=Match.State.RUNNING).select_related("match")
    latest = seats.defer("cards", "match__saved", "match__seed").order_by("-match__changed")
    rows = waiting.urgent_first((seat.match, seat.number) for seat in latest)
    return [(match, match.must_decide(seat) and not waiting.is_paused(match)) for match, seat, _ in rows]


@require_safe
def how_to_play(request: HttpRequest) -> HttpResponse:
    """The game in ten minutes, in our own words."""
    return render(request, "how_to_play.html")


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """A form without its token: most often an old tab, or a browser that refuses cookies."""
    return writing.again(request) or render(request, "403_csrf.html", status=403)
