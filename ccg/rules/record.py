"""The beginning of a game, and the record that a game is played again from."""

from __future__ import annotations

from collections.abc import Sequence

from msgspec import Struct


class Seat(Struct, frozen=True):
    """Who sits down with what: a name, the card id of a base, and the card ids of a deck."""

    name: str
    base: str
    deck: Sequence[str]


class Record(Struct, frozen=True):
    """A whole game: its beginning and every move. A move is what ``Game.move`` takes.

    ``by`` is the seat of each move; it is left out where of those asked at once the first one always chose first.
    """

    engine: int
    catalog: str
    seed: bytes
    seats: list[Seat]
    moves: list[str]
    by: Sequence[int] = ()
