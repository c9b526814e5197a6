"""What is sent by the forms of a replay, checked before anything is done with it."""

from __future__ import annotations

from django.http import HttpRequest

from ccg.numbers import whole_number
from matches.lobby.errors import LobbyError
from matches.players import NORMAL, player_at


def number(request: HttpRequest, name: str, default: int | None = None) -> int:
    """Return the number that a form sent as ``name``; raises LobbyError for anything else."""
    text = request.POST.get(name, "" if default is None else str(default))
    sent = whole_number(text, 6)
    if sent is None:
        raise LobbyError(name, f"The {name} must be a number.")
    return sent


def computer(request: HttpRequest) -> str:
    """Return the name of the computer player of the level that a form sent; raises LobbyError."""
    try:
        return player_at(request.POST.get("level", "") or NORMAL)
    except KeyError:
        raise LobbyError("level", "The computer plays at the level easy or normal.") from None
