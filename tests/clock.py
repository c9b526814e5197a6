"""A clock that a test moves: days pass for a server of ours, and none for the test.

They pass between two of its starts, and count as days on which it was up: clocks of matches stand still while it is
down. A site that is started with ``plant=`` :data:`MOVED` has that clock, and the chance of :mod:`tests.chance`.
"""

from __future__ import annotations

import datetime
import os
from datetime import timedelta
from types import SimpleNamespace
from typing import Any

from tests import chance
from tests.running import Site

MOVED = "tests.clock:moved"
"""The function that moves the clock of a server's process, as :class:`~tests.running.Site` takes it."""

SECONDS = "TESTS_CLOCK"
"""The variable that says by how many seconds the clock is ahead."""

JUST_NOW = "TESTS_CLOCK_JUST_NOW"
"""The variable that says how many of them have passed since the server was stopped."""


class _Any(type):
    """Says of a class of dates and times that all of them are of it."""

    def __instancecheck__(cls, one: object) -> bool:
        return isinstance(one, datetime.datetime)


class _Moved(datetime.datetime, metaclass=_Any):
    """Stands for the class of dates and times; by it, it is later."""

    @classmethod
    def now(cls, tz: Any = None) -> Any:
        return datetime.datetime.now(tz) + timedelta(seconds=float(os.environ.get(SECONDS, "0")))


def moved() -> None:
    """Let it be later in this process, wherever the site reads what time it is; and let chance be that of the test.

    The site asks ``timezone.now``, which is left in its place, as columns hold on to it, and ``timesince``. Signatures
    and cookies stay with the real time, as browsers and push services do.
    """
    from django.utils import timesince, timezone

    chance.alike()
    vars(timezone)["datetime"] = _Moved
    vars(timesince)["datetime"] = SimpleNamespace(**{**vars(datetime), "datetime": _Moved})
    if JUST_NOW in os.environ:
        _was_up(timedelta(seconds=float(os.environ[JUST_NOW])))


def _was_up(longer: timedelta) -> None:
    """Let the last server that was up have been so for that much longer."""
    from django.db import connection
    from django.db.models import F

    from matches.clocks.models import UpTime

    assert UpTime.objects.update(beat=F("beat") + longer, since=F("since") + longer)
    connection.close()


def pass_time(site: Site, **span: float) -> None:
    """Let so much time (``days=1``) pass for the site, and start it again; to its matches, it was up all the time."""
    seconds = timedelta(**span).total_seconds()
    site.stop()
    site.env |= {SECONDS: str(float(site.env.get(SECONDS, "0")) + seconds), JUST_NOW: str(seconds)}
    site.start()
    del site.env[JUST_NOW]
