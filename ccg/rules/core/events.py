"""Events: everything that happens in a game, one record each.

An event is born knowing who may see which part of it: all may know that it happened, but ``card`` only
those in ``known_to``. The log, the animation and the replay live from the same events.
"""

from __future__ import annotations

from typing import Literal

from msgspec import Struct

from ccg.rules.core.causes import Cause
from ccg.rules.core.state import CardNumber, SeatNumber

EventKind = Literal[
    "first", "keep", "redraw",  # setup
    "phase", "pass", "extra", "goes first", "loop", "chain",  # the course of a turn
    "play", "resolve", "use", "trigger", "boost", "target", "target player", "event over", "mission over",  # moves
    "spend", "asset", "supply", "reorder",  # resources and stacks
    "ready", "commit", "exhaust", "restore", "changed",  # what happens to a card in play
    "enter", "overlay", "persist", "link", "split", "exchange",  # entering play and changing places there
    "defeat", "sacrifice", "put",  # leaving play
    "draw", "discard", "mill", "reveal", "look", "arranged", "search", "take", "shuffle", "reshuffle",  # cards
    "challenge", "strafe", "accept", "decline", "defend", "totals", "wins", "challenge over",  # a challenge
    "mystic", "no mystic",  # mystic values
    "attack", "no attack", "threat", "threats", "red", "threat over", "jump",  # the Cylon phase
    "gain", "lose influence", "lose", "win", "draw game",  # influence, and the end
    "concede", "out of time", "absent", "agreed draw", "abandoned",  # why somebody leaves, or all stop
]  # fmt: skip
"""What can happen, by the rulebook's verbs. Clients know events by these names."""

EVERYBODY = 0xFF


def only(seat: SeatNumber) -> int:
    """Return the ``known_to`` of a card that just this player sees."""
    return 1 << seat


class Event(Struct, array_like=True):
    """Something that happened. ``kind`` is the rulebook's verb; unused parts are None.

    ``player`` did it or it was done to them; ``piece`` and ``target`` are piece numbers, ``card`` the
    card meant, seen by the players in the bit mask ``known_to``; ``number`` an amount or value;
    ``source`` and ``to`` the places it came from and went to; ``why`` what makes the number other than printed;
    ``against`` the number of the other side, where two are compared.
    """

    kind: EventKind
    player: SeatNumber | None = None
    card: CardNumber | None = None
    piece: int | None = None
    target: int | None = None
    number: int | None = None
    source: str | None = None
    to: str | None = None
    opponent: SeatNumber | None = None
    target_card: CardNumber | None = None
    known_to: int = EVERYBODY
    why: tuple[Cause, ...] = ()
    against: int | None = None

    def card_for(self, viewer: SeatNumber | None) -> CardNumber | None:
        """Return the card as ``viewer`` (None: anybody) may know it."""
        if self.known_to == EVERYBODY or (viewer is not None and self.known_to >> viewer & 1):
            return self.card
        return None
