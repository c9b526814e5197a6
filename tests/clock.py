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

from ccg.server.proving.inside import call
from tests import chance
from tests.running import Site

MOVED = "tests.clock:moved"
"""The function that moves the clock of a server's process, as :class:`~tests.running.Site` takes it."""

SECONDS = "TESTS_CLOCK"
"""The variable that says by how many seconds the clock is ahead."""


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


def pass_time(site: Site, **span: float) -> None:
    """Let so much time (``days=1``) pass for the site, and start it again; to its matches, it was up all the time."""
    seconds = timedelta(**span).total_seconds()
    site.stop()
    call("tests.clock:was_up", seconds, site.env)
    site.env[SECONDS] = str(float(site.env.get(SECONDS, "0")) + seconds)
    site.start()


def was_up(seconds: float) -> None:
    """Let the last server that was up have been so for that much longer; called in a process of the site."""
    from django.db.models import F

    from matches.clocks.models import UpTime

    longer = timedelta(seconds=seconds)
    assert UpTime.objects.update(beat=F("beat") + longer, since=F("since") + longer)
