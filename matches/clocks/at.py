"""The table at which something is done: what is known there, and by whom it is done."""

from __future__ import annotations

from msgspec import Struct

from ccg.rules import Game
from ccg.rules.telling.sentences import seat_marked
from matches.clocks.standing import Standing
from matches.clocks.tempo import Tempo


class Earlier(Struct, frozen=True):
    """The table as it was at a version, for a takeback."""

    version: int
    game: Game
    standing: Standing


class At(Struct, frozen=True):
    """The table at which something is done, and by whom."""

    game: Game
    standing: Standing
    version: int
    seat: int
    names: tuple[str, ...]
    tempo: Tempo
    people: frozenset[int]
    computers: frozenset[int]
    now: int
    earlier: Earlier | None = None
    claimable: frozenset[int] = frozenset()
    """Seats that have been away for so long that they may be taken out."""
    rated: bool = False

    @property
    def playing(self) -> frozenset[int]:
        """The people who are still in the game."""
        return self.people & frozenset(self.game.engine.seats(0))

    def name(self, seat: int) -> str:
        """Return the name of ``seat`` as a mark."""
        return seat_marked(seat, self.names[seat])
