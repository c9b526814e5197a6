"""What is kept of the time during which the site is up."""

from __future__ import annotations

from django.conf import settings
from django.db import models
from django.db.models import Q


class UpTime(models.Model):
    """One row: when a server last said that it is up, and how long clocks have stood still in all.

    The time of the site is the real time less ``stopped``, so it stands still while no server is up, and no deadline
    has to be put off. Until ``since`` it is what it will be then.
    """

    ONLY = 1

    beat = models.DateTimeField()
    """When a server was last up."""
    stopped = models.BigIntegerField(default=0)
    """Milliseconds that did not count, since the row was made: without any server, and until players were back.

    Less what the server's clock has been set back by: it may be less than nothing.
    """
    since = models.DateTimeField()
    """Since when clocks go without a gap: some seconds after a server came back."""

    def __str__(self) -> str:
        return f"up since {self.since}, last seen {self.beat}"


class Vacation(models.Model):
    """Days on which the clocks of a player's correspondence matches stand still."""

    user = models.ForeignKey(settings.AUTH_USER_MODEL, on_delete=models.CASCADE, related_name="vacations")
    begin = models.DateTimeField()
    end = models.DateTimeField()
    """When it is over at the latest; once it is over, when that was."""
    over = models.BooleanField(default=False)

    class Meta:
        ordering = ["-begin"]
        constraints = [
            models.UniqueConstraint(fields=["user"], condition=Q(over=False), name="vacation_one_at_a_time"),
        ]

    def __str__(self) -> str:
        return f"vacation of {self.user_id} until {self.end}"
