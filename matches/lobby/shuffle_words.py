"""What a form brings for the shuffles."""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Any

from django.http import HttpRequest, HttpResponse
from django.shortcuts import redirect

from matches.lobby import seating
from matches.lobby.errors import SatDownAlready
from matches.shuffles import services as shuffles
from matches.shuffles.fair import Given


def given_in(request: HttpRequest) -> Given | None:
    """Return the words for the shuffles that a form brings, with the commitment they came after; None for neither.

    Raises LobbyError for what cannot be taken, before anything is done, and SatDownAlready for what was meanwhile.
    """
    given = _sent(request)
    if given is None:
        return None
    try:
        shuffles.check(given)
    except shuffles.NotTaken as error:
        raise seating.not_taken(request.user, given, error) from None
    return given


def leads_to_one_match(view: Callable[..., HttpResponse]) -> Callable[..., HttpResponse]:
    """Decorate a view of a form that brings its sender to a match: the same form sent again leads to the same match.

    It is sent once more where its answer was lost, or while the first is still worked on. It is known by its words, so
    one without them is another form.
    """

    @wraps(view)
    def answer(request: HttpRequest, *args: Any, **kwargs: Any) -> HttpResponse:
        given = _sent(request) if request.method == "POST" else None
        begun = shuffles.match_of(request.user, given) if given is not None else None
        if begun is not None:
            return redirect(begun)
        try:
            return view(request, *args, **kwargs)
        except SatDownAlready as again:
            return redirect(again.match)

    return answer


def _sent(request: HttpRequest) -> Given | None:
    commitment, words = (request.POST.get(name, "") for name in ("shuffle_commitment", "shuffle_words"))
    return Given(commitment, words) if commitment or words else None
