"""How far background work is behind."""

from __future__ import annotations

from django.db.models import Min
from django.utils import timezone
from msgspec import Struct

from ccg.outbox.models import Job


class Backlog(Struct, frozen=True):
    """Pieces of work that wait and that were given up, and since how many seconds the oldest is due."""

    waiting: int
    failed: int
    lag: float


def backlog() -> Backlog:
    """Read it from the database. What a worker has in hand is due only after its lease, so it is not behind."""
    return Backlog(
        waiting=Job.objects.filter(state=Job.State.WAITING).count(),
        failed=Job.objects.filter(state=Job.State.FAILED).count(),
        lag=lag(),
    )


def lag() -> float:
    """Return since how many seconds the oldest work that nobody has in hand is due; 0 if there is none."""
    now = timezone.now()
    due = Job.objects.filter(state=Job.State.WAITING, due__lte=now).aggregate(oldest=Min("due"))["oldest"]
    return (now - due).total_seconds() if due is not None else 0.0
