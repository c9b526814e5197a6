"""The Celery task that works off the outbox."""

import logging

from celery import shared_task
from django.db import DatabaseError, InterfaceError

from .services import drain
from .wake import DRAIN_TASK

log = logging.getLogger(__name__)


@shared_task(name=DRAIN_TASK)
def drain_task() -> int:
    """Do some of the work that is due; returns how many rows. What is left, the next sweep finds."""
    try:
        return drain(limit=100)
    except (DatabaseError, InterfaceError) as error:
        # The worker looks again by itself in a moment; Celery would write a traceback for each try.
        log.warning("outbox: the database does not do what it should, again in a moment: %s", error)
        return 0
