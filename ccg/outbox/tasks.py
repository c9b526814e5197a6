"""The Celery task that works off the outbox."""

from celery import shared_task

from .services import drain
from .wake import DRAIN_TASK


@shared_task(name=DRAIN_TASK)
def drain_task() -> int:
    """Do some of the work that is due; returns how many rows. What is left, the next sweep finds."""
    return drain(limit=100)
