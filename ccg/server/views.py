"""Pages that belong to no app: home, errors."""

from __future__ import annotations

from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from decks.models import Deck
from decks.pages import writing
from matches.lobby import seating
from matches.models import Match
from matches.players import LEVELS, NORMAL

from . import front

RUNNING_SHOWN = 3


@require_safe
def home(request: HttpRequest) -> HttpResponse:
    """What this is, a match in one click, where one's own matches go on, and what happens on the site."""
    running = going_on = Match.objects.none()
    if request.user.is_authenticated:
        going_on = seating.running_matches(request.user)
        running = Match.objects.filter(seats__user=request.user, state=Match.State.RUNNING).order_by("-changed")
    starters = Deck.objects.starters().with_head().filter(head__legal=True)
    context = {
        "running": running.prefetch_related("seats")[:RUNNING_SHOWN],
        "going_on": going_on.first(),
        "levels": LEVELS,
        "level": NORMAL,
        **front.parts(request.user),
        "starters": [{"deck": deck, "base": deck.head.base} for deck in starters],
    }
    return render(request, "home.html", context)


@require_safe
def how_to_play(request: HttpRequest) -> HttpResponse:
    """The game in ten minutes, in our own words."""
    return render(request, "how_to_play.html")


def csrf_failure(request: HttpRequest, reason: str = "") -> HttpResponse:
    """A form without its token: most often an old tab, or a browser that refuses cookies."""
    return writing.again(request) or render(request, "403_csrf.html", status=403)
