"""What waits for staff in a list of the admin site; its front page counts it (``ccg.server.admin_site``)."""

from __future__ import annotations

from typing import NamedTuple


class Waiting(NamedTuple):
    """The rows that wait: those whose ``field``, which the list can be filtered by, has this ``value``.

    A ``ModelAdmin`` names them as its attribute ``waiting``. They are told to whoever may look at its list.
    """

    field: str
    value: str
    one: str
    """What is said of one of them: "open report"."""
    several: str
