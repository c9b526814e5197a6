"""Work for many things in turn: what is wrong with one of them keeps no other from its turn."""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager

from django.db import DatabaseError, DataError, IntegrityError, InterfaceError

OF_ONE = DataError, IntegrityError
"""What the database says of what it is given; all its other errors say how it is itself: away, busy, or full."""


@contextmanager
def one_of_many(log: logging.Logger, said: str, *about: object) -> Iterator[None]:
    """Do for one of many what is within: a fault ends that, and is logged, as ``said`` of it; the next has its turn.

    Errors of the database that concern all of them go up.
    """
    try:
        yield
    except Exception as error:
        if isinstance(error, DatabaseError | InterfaceError) and not isinstance(error, OF_ONE):
            raise
        log.exception(said, *about)


class Failing:
    """Things with which work has failed of late: each is left alone for a while, twice as long after each failure.

    For work that comes round every few seconds and takes so many things at a time. Those that fail each time would take
    the places of all others, and would be logged each time. Every process learns for itself what fails.
    """

    FIRST, LONGEST = 10.0, 3600.0
    """Seconds for which a thing is left alone after its first failure, and at most."""
    MOST = 1000
    """Things that are left alone at a time; of more than these the first are tried again earlier."""

    def __init__(self, clock: Callable[[], float] = time.monotonic) -> None:
        self._clock = clock
        self._lock = threading.Lock()
        self._left: dict[str, tuple[float, float]] = {}
        """Until when each is left alone, and for how long that is."""

    def now(self) -> list[str]:
        """Return the keys of what is left alone at the moment."""
        with self._lock:
            now = self._clock()
            # Who has not failed again for as long as anything is left alone has ended, or goes on elsewhere.
            self._left = {key: (until, wait) for key, (until, wait) in self._left.items() if until + self.LONGEST > now}
            return [key for key, (until, _) in self._left.items() if until > now][-self.MOST :]

    @contextmanager
    def attempt(self, key: str, log: logging.Logger, said: str, *about: object) -> Iterator[None]:
        """Do what is within for the thing of this key, as :func:`one_of_many` does, and note whether it failed."""
        failed = True
        with one_of_many(log, said, *about):
            yield
            failed = False
        with self._lock:
            _, before = self._left.pop(key, (0.0, 0.0))
            if failed:
                wait = min(max(2 * before, self.FIRST), self.LONGEST)
                self._left[key] = (self._clock() + wait, wait)

    @contextmanager
    def attempt_alone(self, key: str, log: logging.Logger, said: str, *about: object) -> Iterator[None]:
        """Do as :meth:`attempt` does, for work that nobody waits for: errors of the database are a line in the log."""
        try:
            with self.attempt(key, log, said, *about):
                yield
        except (DatabaseError, InterfaceError) as error:
            log.warning("%s: %s", said % about, error)
