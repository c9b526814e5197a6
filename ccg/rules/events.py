"""Events: everything that happens in a game, one record each.

An event is born knowing who may see which part of it: all may know that it happened, but ``card`` only
those in ``known_to``. The log, the animation and the replay live from the same events.
"""

from __future__ import annotations

from msgspec import Struct

from ccg.rules.causes import Cause
from ccg.rules.state import Card, Seat

EVERYBODY = 0xFF


def only(seat: Seat) -> int:
    """Give the ``known_to`` of a card that just this player sees."""
    return 1 << seat


class Event(Struct, array_like=True):
    """Something that happened. ``kind`` is the rulebook's verb; unused parts are None.

    ``player`` did it or it was done to them; ``piece`` and ``target`` are piece numbers, ``card`` the
    card meant, seen by the players in the bit mask ``known_to``; ``number`` an amount or value;
    ``source`` and ``to`` the places it came from and went to; ``why`` what makes the number other than printed.
    """

    kind: str
    player: Seat | None = None
    card: Card | None = None
    piece: int | None = None
    target: int | None = None
    number: int | None = None
    source: str | None = None
    to: str | None = None
    opponent: Seat | None = None
    target_card: Card | None = None
    known_to: int = EVERYBODY
    why: tuple[Cause, ...] = ()

    def card_for(self, viewer: Seat | None) -> Card | None:
        """Give the card as ``viewer`` (None: anybody) may know it."""
        if self.known_to == EVERYBODY or (viewer is not None and self.known_to >> viewer & 1):
            return self.card
        return None
