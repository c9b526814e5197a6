"""What a form brings for the shuffles."""

from __future__ import annotations

from django.http import HttpRequest

from matches.lobby.errors import LobbyError
from matches.shuffles import services as shuffles
from matches.shuffles.fair import Given


def given_in(request: HttpRequest) -> Given | None:
    """Return the words for the shuffles that a form brings, with the commitment they came after; None for neither.

    Raises LobbyError for what cannot be taken, before anything is done.
    """
    commitment, words = (request.POST.get(name, "") for name in ("shuffle_commitment", "shuffle_words"))
    if not commitment and not words:
        return None
    given = Given(commitment, words)
    try:
        shuffles.check(given)
    except shuffles.NotTaken as error:
        raise LobbyError("shuffle", str(error)) from None
    return given
