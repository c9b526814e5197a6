"""How much work one visitor may ask of a server process: processor time, frames, connections.

Each process counts for itself, in memory: a limit on work protects the process that does it, and must hold whatever
has become of Redis. What may be asked so often in an hour is counted for all processes together (``ccg.counting``).
"""

from __future__ import annotations

import time
from collections import OrderedDict
from collections.abc import Callable

from django.conf import settings

REMEMBERED = 20_000
"""Visitors whose spending is remembered; beyond that, whose is longest ago is forgotten."""


class Buckets:
    """A token bucket for each visitor: ``burst`` at once, ``rate`` a second in the long run.

    ``settings.LIMITS`` multiplies both; 0 switches all limits off.
    """

    def __init__(self, rate: float, burst: float, clock: Callable[[], float] = time.monotonic) -> None:
        self._rate = rate
        self._burst = burst
        self._clock = clock
        self._spent: OrderedDict[str, tuple[float, float]] = OrderedDict()

    def spend(self, visitor: str, amount: float) -> None:
        """Take ``amount`` tokens, below zero if need be: the work that they stand for has been done already."""
        self._spent[visitor] = (self._owed(visitor) + amount, self._clock())
        self._spent.move_to_end(visitor)
        while len(self._spent) > REMEMBERED:
            self._spent.popitem(last=False)

    def take(self, visitor: str, amount: float = 1.0) -> bool:
        """Take ``amount`` tokens if as many are left; return whether they were."""
        if self.wait(visitor, amount) > 0:
            return False
        self.spend(visitor, amount)
        return True

    def wait(self, visitor: str, amount: float = 0.0) -> float:
        """Return how many seconds it takes until ``visitor`` may spend ``amount``; 0 for at once."""
        if not settings.LIMITS:
            return 0.0
        over = self._owed(visitor) + amount - self._burst * settings.LIMITS
        return max(0.0, over / (self._rate * settings.LIMITS))

    def used(self, visitor: str) -> float:
        """Return how much of what ``visitor`` may spend at once is spent: 0 for nothing, 1 for all of it."""
        return self._owed(visitor) / (self._burst * settings.LIMITS) if settings.LIMITS else 0.0

    def _owed(self, visitor: str) -> float:
        owed, then = self._spent.get(visitor, (0.0, 0.0))
        return max(0.0, owed - (self._clock() - then) * self._rate * (settings.LIMITS or 1))
