"""What a form brings for the shuffles."""

from __future__ import annotations

from django.http import HttpRequest

from matches.lobby.errors import LobbyError
from matches.models import Match
from matches.shuffles import services as shuffles
from matches.shuffles.fair import Given


def given_in(request: HttpRequest) -> Given | None:
    """Return the words for the shuffles that a form brings, with the commitment they came after; None for neither.

    Raises LobbyError for what cannot be taken, before anything is done.
    """
    given = _sent(request)
    if given is None:
        return None
    try:
        shuffles.check(given)
    except shuffles.NotTaken as error:
        raise LobbyError("shuffle", str(error)) from None
    return given


def begun_by(request: HttpRequest) -> Match | None:
    """Return the match to which this very form has brought its player before; None if it has not.

    It is sent once more where its answer was lost. It is known by its words, so one without them is another form.
    """
    given = _sent(request)
    return None if given is None else shuffles.match_of(request.user, given)


def _sent(request: HttpRequest) -> Given | None:
    commitment, words = (request.POST.get(name, "") for name in ("shuffle_commitment", "shuffle_words"))
    return Given(commitment, words) if commitment or words else None
