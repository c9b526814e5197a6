"""What happens to the tables of somebody who goes, or is sent away."""

from __future__ import annotations

from contextlib import suppress
from typing import Any

from django.db.models import Exists, OuterRef

from matches.lobby.conceding import concede
from matches.lobby.errors import LobbyError
from matches.lobby.services import withdraw
from matches.models import LeftSeat, Match, MatchSeat
from matches.seats.former import FORMER_PLAYER


def leave_all(user: Any) -> None:
    """Leave all tables of ``user``, whose account is to be deleted: open ones are left, matches conceded.

    One that cannot be left stays, as :func:`sits_somewhere` says then.
    """
    leave_open_tables(user)
    own = MatchSeat.objects.filter(user=user, match__state=Match.State.RUNNING, out_at=None)
    for public_id in own.values_list("match__public_id", flat=True):
        concede(public_id, user, "left")


def take_names_out(user: Any) -> None:
    """Inside the transaction that deletes the account of ``user``: name their seats after nobody in particular."""
    own = MatchSeat.objects.filter(user=user)
    own.filter(stand_in="").update(name=FORMER_PLAYER)
    own.exclude(stand_in="").update(stand_in=FORMER_PLAYER)
    sooner = LeftSeat.objects.filter(match=OuterRef("match"), seat=OuterRef("seat"), version__lt=OuterRef("version"))
    # Who had only stood in for another one is named nowhere any more: the name of the seat is not theirs.
    for left in LeftSeat.objects.filter(~Exists(sooner), user=user):
        MatchSeat.objects.filter(match=left.match_id, number=left.seat).update(name=FORMER_PLAYER)


def leave_open_tables(user: Any) -> None:
    """Leave the tables of ``user`` that wait for somebody."""
    own = MatchSeat.objects.filter(user=user, match__state=Match.State.OPEN)
    for seat in own.select_related("match"):
        with suppress(LobbyError):  # it has begun meanwhile, or is closed
            withdraw(seat.match, user)


def sits_somewhere(user: Any) -> bool:
    """Return whether ``user`` has a seat at a table that waits, or in a match that runs, and is not out of it."""
    states = (Match.State.OPEN, Match.State.RUNNING)
    return MatchSeat.objects.filter(user=user, match__state__in=states, out_at=None).exists()
