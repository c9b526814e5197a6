"""Replays for programs: the whole match in one answer, which is also the download of the replay's page."""

from __future__ import annotations

from django.http import Http404, HttpResponse
from django.utils.decorators import method_decorator
from django.views.decorators.gzip import gzip_page
from rest_framework.request import Request

from ccg.api import parameters
from ccg.api.answers import json_answer
from ccg.api.errors import Refused
from ccg.api.views import ApiView, operation
from matches.replays import showing
from matches.replays.showing import Replay

SEES = ("public", "seat", "all")


@method_decorator(gzip_page, name="dispatch")
class MatchReplay(ApiView):
    """The replay of a finished match."""

    @operation(
        "A finished match from its beginning to its end",
        Replay,
        parameters=[
            parameters.choice(
                "sees",
                "How much it shows: what all could see, what the own seat saw, or all. Without it: the own seat where "
                "there is one.",
                SEES,
            )
        ],
        errors=[400, 403, 404],
    )
    def get(self, request: Request, match_id: str) -> HttpResponse:
        """Return the replay (docs/replays.md); 404 for a match that is not over, not for the viewer, or not packed."""
        found = showing.access(match_id, request.user.pk if request.user.is_authenticated else None)
        film = showing.film_of(found.match) if found is not None else None
        if found is None or film is None:
            raise Http404
        sees = self.asked["sees"] or found.usual
        if sees == "seat" and found.seat is None:
            raise Refused(403, "no_seat", "You had no seat in this match.")
        if sees == "all" and not found.sees_all:
            raise Refused(403, "private_deck", "A deck of this match is private: only those who played see all of it.")
        return json_answer(request, showing.replay(found, film, sees), private=True)
