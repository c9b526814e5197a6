"""Who may see all of a match that is over: the one rule, for its replay and for its shuffles.

What counts is what was noted as the match began (``MatchSeat.deck_private``): all that is not public is private here,
as the list of an unlisted deck is for those who have its link (docs/decisions/0020). Whoever makes a deck, or an equal
one, public or private later changes nothing about matches played before.
"""

from __future__ import annotations

from collections.abc import Iterable

from matches.models import LeftSeat, MatchSeat


def seat_of(match_pk: int, user_id: int | None) -> int | None:
    """Return the number of the seat that this person (None: a visitor) had; None for whoever had none.

    Who has left it to somebody else has played as well, and with their own deck.
    """
    if user_id is None:
        return None
    own = MatchSeat.objects.filter(match=match_pk, user=user_id).values_list("number", flat=True).first()
    if own is not None:
        return own
    left = LeftSeat.objects.filter(match=match_pk, user=user_id).order_by("version")
    return left.values_list("seat", flat=True).first()


def sees_all(seats: Iterable[MatchSeat], own: int | None) -> bool:
    """Return whether whoever had the seat ``own`` (None: no seat) may see both hands and all decks.

    Who played may; everybody, if no deck was private.
    """
    return own is not None or not any(seat.deck_private for seat in seats)
