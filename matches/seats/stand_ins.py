"""Who plays on in the seat of somebody who has left a table of three and more, and the record of who left.

It is agreed at the table (``matches.clocks.manners``) and is a move like others, with which the seat's row changes. The
seat keeps the name and the deck with which the game began, as moves are replayed with them.
"""

from __future__ import annotations

from typing import Any

from django.db import IntegrityError
from django.db.models import F

from matches.models import LeftSeat, Match, MatchSeat
from matches.players import DEFAULT
from matches.storage import seat_sets

COMPUTER_NAME = "Computer"

REPLACED = "You were away for too long, and another player plays on with your cards. You look on now."


def write(match_pk: int, version: int, seat: int, user: int | None = None, name: str = COMPUTER_NAME) -> None:
    """Inside the transaction of the move that made ``version``: let ``user``, or the computer, have ``seat``.

    The orders of whoever has left answer nothing for them, and what their deck is called is not told to them. Whoever
    had sat down there and has their seat back stands in for nobody.
    Raises IntegrityError, with nothing changed, if that person has a seat at the table already.
    """
    own = MatchSeat.objects.select_for_update().get(match=match_pk, number=seat)
    if user is not None and MatchSeat.objects.filter(match=match_pk, user=user).exists():
        raise IntegrityError("one seat for each person")
    LeftSeat.objects.create(match_id=match_pk, seat=seat, user_id=own.user_id, version=version)
    own.match.standing_orders.filter(seat=seat).delete()
    others = seat_sets.bits_of(number for number in range(seat_sets.MOST) if number != seat)
    Match.objects.filter(pk=match_pk).update(orders=F("orders").bitand(others))
    computer, first = user is None, LeftSeat.objects.filter(match=match_pk, seat=seat).earliest("version")
    MatchSeat.objects.filter(pk=own.pk).update(
        kind=MatchSeat.Kind.COMPUTER if computer else MatchSeat.Kind.PERSON,
        user=user,
        policy=DEFAULT if computer else "",
        stand_in="" if not computer and first.user_id == user else name[:80],
        deck_label="",
        seen=None,
    )


def who_sat_down(match: Match) -> list[int | None]:
    """Return by seat who sat down as the match began, whoever plays there now; None for nobody any more."""
    people = list(match.seats.order_by("number").values_list("user_id", flat=True))
    for left in match.left_seats.order_by("-version"):
        people[left.seat] = left.user_id
    return people


def left_at(match: Match) -> dict[int, int]:
    """Return by seat the version at which who had sat down there had left, and another one played on."""
    return {left.seat: left.version for left in match.left_seats.order_by("-version")}


def without_seat(match_pk: int, user_pk: int | None, usual: str) -> str:
    """Return why somebody without a seat can do nothing at the table: they have left it, or else what is ``usual``."""
    left = user_pk is not None and LeftSeat.objects.filter(match=match_pk, user=user_pk).exists()
    return REPLACED if left else usual


def name_of(user: Any) -> str:
    """Return the name by which somebody sits at a table."""
    return str(user.get_short_name() or user.get_username())[:80]
