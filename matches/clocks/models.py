"""What is kept of the time during which the site is up."""

from __future__ import annotations

from django.db import models


class UpTime(models.Model):
    """One row: when a server last said that it is up, and how long none was up in all.

    The time of the site is the real time less ``stopped``, so it stands still while no server is up, and no deadline
    has to be put off.
    """

    ONLY = 1

    beat = models.DateTimeField()
    """When a server was last up."""
    stopped = models.BigIntegerField(default=0)
    """Milliseconds without any server, since the row was made."""
    since = models.DateTimeField()
    """Since when there has been a server without a gap."""

    def __str__(self) -> str:
        return f"up since {self.since}, last seen {self.beat}"
