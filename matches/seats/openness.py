"""Who may see all of a match that is over: the one rule, for its replay and for its shuffles.

What counts is what was noted as the match began (``MatchSeat.deck_private``): all that is not public is private here,
as the list of an unlisted deck is for those who have its link (docs/decisions/0020). Whoever makes a deck, or an equal
one, public or private later changes nothing about matches played before.
"""

from __future__ import annotations

from collections.abc import Iterable

from matches.models import MatchSeat


def seat_of(seats: Iterable[MatchSeat], user_id: int | None) -> int | None:
    """Return the number of the seat that this person (None: a visitor) had; None for whoever had none."""
    return next((seat.number for seat in seats if user_id is not None and seat.user_id == user_id), None)


def sees_all(seats: Iterable[MatchSeat], user_id: int | None) -> bool:
    """Return whether this person may see both hands and all decks: who played; everybody, if no deck was private."""
    seats = list(seats)
    return seat_of(seats, user_id) is not None or not any(seat.deck_private for seat in seats)
