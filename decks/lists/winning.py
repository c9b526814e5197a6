"""How often something wins, and how sure that is. Pure; no Django."""

from __future__ import annotations

import math

from msgspec import Struct

ENOUGH = 10
"""Games that a list needs before it is ordered by what it wins: with fewer, chance says more than the list."""
SURE = 1.96
"""Standard deviations to either side that hold 95 of a hundred cases."""


def interval(won: int, games: int) -> tuple[float, float]:
    """Return between which shares the true one lies with 95 % certainty (Wilson's interval)."""
    if not games:
        return 0.0, 1.0
    share, square = won / games, SURE**2
    middle = share + square / (2 * games)
    spread = SURE * math.sqrt(share * (1 - share) / games + square / (4 * games**2))
    whole = 1 + square / games
    return max(0.0, (middle - spread) / whole), min(1.0, (middle + spread) / whole)


def percent(share: float) -> int:
    """Return ``share`` in whole percent; 0 and 100 are said of none and all alone, not of what comes near to them."""
    tiny = 1e-9  # what arithmetic may be off
    least, most = (1 if share > tiny else 0), (99 if share < 1 - tiny else 100)
    return max(least, min(round(100 * share), most))


class Record(Struct, frozen=True):
    """How many games were played with a list, and how many of them it won."""

    games: int = 0
    won: int = 0

    @property
    def winrate(self) -> int | None:
        """How many of a hundred games it won; None without any."""
        return percent(self.won / self.games) if self.games else None

    @property
    def least(self) -> int:
        """The percentage that it wins at least, with 95 % certainty."""
        return percent(interval(self.won, self.games)[0])

    @property
    def most(self) -> int:
        """The percentage that it wins at most, with 95 % certainty."""
        return percent(interval(self.won, self.games)[1])

    @property
    def standing(self) -> float:
        """What lists that win much are ordered by: the share that it wins at least; 0 before there are enough games."""
        return interval(self.won, self.games)[0] if self.games >= ENOUGH else 0.0
