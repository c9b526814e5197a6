"""How much one visitor may ask of the site: the one place where that is counted.

Two kinds. *Work* (processor time, frames, connections) is counted by each server process for itself, in
memory: a limit on work protects the process that does it, and must hold whatever has become of Redis.
*How often in an hour* is counted in the cache, for all processes together; without it each goes on for
itself, which lets a visitor do a little more and keeps nobody out.
"""

from __future__ import annotations

import logging
import time
from collections import OrderedDict
from collections.abc import Callable

from django.conf import settings
from django.core.cache import cache

log = logging.getLogger(__name__)

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


_counts: OrderedDict[str, tuple[int, float]] = OrderedDict()


def counted(what: str, visitor: str, most: int, seconds: int) -> bool:
    """Count one more ``what`` of ``visitor``; return whether there were at most ``most`` in so many seconds."""
    key = f"count:{what}:{visitor}"
    try:
        cache.add(key, 0, timeout=seconds)
        return int(cache.incr(key)) <= most
    except ValueError:
        return True  # the time ended between the two lines
    except Exception as error:
        # Whatever the cache's client raises when its server is away.
        log.info("counting %s here alone: %s", what, error)
        return _counted_here(key, most, seconds)


def _counted_here(key: str, most: int, seconds: int) -> bool:
    count, ends = _counts.pop(key, (0, 0.0))
    now = time.monotonic()
    _counts[key] = (count + 1, ends) if now < ends else (1, now + seconds)
    while len(_counts) > REMEMBERED:
        _counts.popitem(last=False)
    return _counts[key][0] <= most
