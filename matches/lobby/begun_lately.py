"""How many matches may be begun from one address without waiting for anybody."""

from __future__ import annotations

from django.conf import settings
from django.http import HttpRequest

from ccg.counting import counted, group_of
from matches.lobby.errors import LobbyError

BEGUN_AN_HOUR = 300
"""Matches against the computer, lessons and rematches: each stays, so that whoever begins them without end would fill
the disk. A class of thirty learns the game from one address within an hour."""


def refuse_more_begun(request: HttpRequest) -> None:
    """Count one more match begun from where ``request`` comes; raise LobbyError (``too_many``) beyond what may be."""
    most = int(BEGUN_AN_HOUR * settings.LIMITS)
    if most and not counted("begun", group_of(request.META.get("REMOTE_ADDR", "")), most, 3600):
        raise LobbyError(
            "too_many", f"{most} matches were begun from your address within an hour. Play one of them first."
        )
