"""Sets of seats as one whole number, a bit for each seat: what a column and a prepared statement can hold.

>>> bits_of([0, 2])
5
>>> seats_of(5)
(0, 2)
"""

from __future__ import annotations

from collections.abc import Iterable

from ccg.rules import Game

MOST = 8


def bits_of(seats: Iterable[int]) -> int:
    """Return the set of these seats as a number."""
    bits = 0
    for seat in seats:
        bits |= 1 << seat
    return bits


def seats_of(bits: int) -> tuple[int, ...]:
    """Return the seats in the set ``bits``, lowest first."""
    return tuple(seat for seat in range(MOST) if bits >> seat & 1)


def has(bits: int, seat: int | None) -> bool:
    """Return whether ``seat`` is in the set ``bits``; None never is."""
    return seat is not None and bool(bits >> seat & 1)


def deciding_in(game: Game) -> int:
    """Return the set of seats that must decide in ``game``: empty when it is over."""
    return bits_of(game.deciding)
