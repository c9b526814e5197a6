"""The garbage collector of a server process: it looks seldom at what is always there.

A full collection stops every thread for as long as it takes to look at all objects: with the code, the cards and what
is remembered of pages that is a tenth of a second or more, every few seconds while pages are asked for, and all tables
wait meanwhile. So what a long collection has found alive is set aside; the next ones look at what came after. That is
done a few times only, as what a page has in work just then is set aside with it. Once in an hour everything is looked
at again, for some of it has become garbage.
"""

from __future__ import annotations

import gc
import time
from bisect import bisect_left
from collections.abc import Callable, Mapping
from itertools import accumulate

THRESHOLDS = (2_000, 10, 100)
"""Objects more than went before the youngest are looked at; how many times those, before the next older ones are.
Python's own are (700, 10, 10): what one page makes would be old before it has answered, and where 250 matches are
played everything would be looked at six times a minute, for a tenth of a second each."""
LONG = 0.01
"""Seconds of processor time after which a full collection was a long one."""
TIMES = 3
"""How often things are set aside from one look at everything to the next."""
ANEW_SECONDS = 3600.0

FULL = 2


class Pauses:
    """How long full collections took, in buckets. Plain numbers: what counts them runs in the middle of anything,
    also of what holds the lock of a metric."""

    BOUNDS = (0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1.0)

    def __init__(self) -> None:
        self._counts = [0] * (len(self.BOUNDS) + 1)
        self._total = 0.0

    def add(self, seconds: float) -> None:
        """Count one."""
        self._counts[bisect_left(self.BOUNDS, seconds)] += 1
        self._total += seconds

    def cumulative(self) -> tuple[list[tuple[str, int]], float]:
        """Return how many took at most so many seconds, for each bound and "+Inf", and all seconds together."""
        names = [*map(str, self.BOUNDS), "+Inf"]
        return list(zip(names, accumulate(self._counts), strict=True)), self._total


pauses = Pauses()
"""Those of this process."""


class Collections:
    """Sees to the collections of this process from :meth:`begin` on."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._began = 0.0
        self._anew_at = 0.0
        self._times = 0

    def begin(self) -> None:
        """Set aside what the start has made, and let the collector work, which a start leaves off (``manage.py``)."""
        gc.set_threshold(*THRESHOLDS)
        gc.callbacks.append(self._collected)
        gc.freeze()
        gc.enable()
        self._anew_at = self._clock() + ANEW_SECONDS

    def end(self) -> None:
        """Leave the collector to itself again."""
        gc.callbacks.remove(self._collected)
        gc.unfreeze()

    def look(self) -> None:
        """Look at everything anew if it is time for that. Called every few seconds."""
        if self._clock() >= self._anew_at:
            self._anew_at = self._clock() + ANEW_SECONDS
            self._times = 0
            gc.unfreeze()
            gc.collect()
            gc.freeze()

    def _collected(self, phase: str, about: Mapping[str, int]) -> None:
        """Callback of :mod:`gc`, called before and after each collection in the thread that set it off."""
        if about["generation"] != FULL:
            return
        if phase == "start":
            self._began = time.thread_time()
            return
        seconds = time.thread_time() - self._began
        pauses.add(seconds)
        if seconds > LONG and self._times < TIMES:
            self._times += 1
            gc.freeze()
