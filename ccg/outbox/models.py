"""The outbox: one row for one piece of background work."""

from __future__ import annotations

from django.db import models
from django.utils import timezone


class Job(models.Model):
    """A task with its payload, kept until it is done.

    ``key`` names the work, not the attempt: the same work posted twice is one row. While a drainer has
    the row, ``due`` lies in the future by its lease; a drainer that dies simply lets it pass.
    """

    class State(models.TextChoices):
        """Waiting rows are run when they are due; failed ones only after somebody looked at them."""

        WAITING = "waiting"
        DONE = "done"
        FAILED = "failed"

    key = models.CharField(max_length=200, unique=True)
    task = models.CharField(max_length=100)
    payload = models.JSONField(default=dict)
    state = models.CharField(max_length=10, choices=State.choices, default=State.WAITING)
    attempts = models.PositiveIntegerField(default=0)
    due = models.DateTimeField(default=timezone.now)
    error = models.TextField(blank=True)
    posted = models.DateTimeField(default=timezone.now)
    finished = models.DateTimeField(null=True, blank=True)

    class Meta:
        indexes = (
            # Only what is still to be done is ever searched for; finished rows cost nothing.
            models.Index(fields=("due", "id"), name="outbox_waiting", condition=models.Q(state="waiting")),
            # Or until they are deleted.
            models.Index(fields=("task", "finished"), name="outbox_done", condition=models.Q(state="done")),
        )

    def __str__(self) -> str:
        return f"{self.task} {self.pk} ({self.state})"
