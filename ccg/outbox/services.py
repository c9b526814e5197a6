"""Posting work to the outbox, and doing it."""

from __future__ import annotations

import logging
import traceback
from collections.abc import Callable
from datetime import timedelta

from django.db import DatabaseError, InterfaceError, OperationalError, connection, transaction
from django.db.models import Q, QuerySet
from django.utils import timezone

from ccg.companion import CompanionError

from .deleting import delete_some
from .handlers import NotNow, Payload, handler_of, kept_of, lease_of
from .models import Job
from .wake import wake

log = logging.getLogger(__name__)

FIRST_RETRY = timedelta(seconds=2)
LONGEST_RETRY = timedelta(hours=1)
ATTEMPTS = 12
SWEEP_SECONDS = 600
SWEPT = 10_000
"""Rows of one task that one sweep deletes at most; the next one goes on."""

_unwritten: list[tuple[int, int]] = []
"""Rows, each with its attempt, that this process has done or failed to do while the database was away, which so knows
nothing of it."""


def post(task: str, payload: Payload, *, key: str, delay: timedelta = timedelta(0)) -> bool:
    """Write down that ``task`` is to be done with ``payload``, after ``delay``.

    Called inside the transaction of the change that asks for it: both are there or neither. ``key``
    names this piece of work for ever ("archive:<match id>"); posting it again changes nothing.
    Returns whether it was new.
    """
    with transaction.atomic():
        _, new = Job.objects.get_or_create(
            key=key, defaults={"task": task, "payload": payload, "due": timezone.now() + delay}
        )
    if new:
        transaction.on_commit(wake)
    return new


def is_asked_for(beginning: str) -> bool:
    """Return whether a row waits whose key begins like this, and that nobody has begun with.

    Inside the transaction of a change it is held until the end of that: whoever does it then knows of the change, and
    nothing more has to be posted.
    """
    rows = Job.objects.filter(state=Job.State.WAITING, attempts=0, key__startswith=beginning)
    skip_locked = connection.features.has_select_for_update_skip_locked
    with transaction.atomic():
        return rows.select_for_update(skip_locked=skip_locked).values_list("pk").first() is not None


def count_waiting(task: str) -> int:
    """Return how many rows of ``task`` wait or are in work."""
    return Job.objects.filter(state=Job.State.WAITING, task=task).count()


def drain(limit: int | None = None, *, until: Callable[[], bool] = lambda: False) -> int:
    """Do the work that is due, oldest first, at most ``limit`` rows; returns how many were done.

    Stops early when ``until()`` says so. Any number of threads and processes may drain at once.
    """
    _give_back()
    done = 0
    while (limit is None or done < limit) and not until():
        job = _claim()
        if job is None:
            break
        _run(job)
        done += 1
    return done


def retry_failed() -> int:
    """Have every failed row tried again; return how many there were."""
    return retry(Job.objects.all())


def retry(jobs: QuerySet[Job]) -> int:
    """Have the failed rows among ``jobs`` tried again; return how many there were."""
    return jobs.filter(state=Job.State.FAILED).update(state=Job.State.WAITING, attempts=0, due=timezone.now(), error="")


def forget(older_than: timedelta) -> int:
    """Delete rows done longer ago than this; return how many. Their keys can then be posted, and done, again."""
    return delete_some(Job.objects.filter(state=Job.State.DONE, finished__lt=timezone.now() - older_than))


def sweep() -> None:
    """Forget what was done as long ago as its task says, some thousands of rows at a time."""
    now = timezone.now()
    for task, kept in kept_of().items():
        done = Job.objects.filter(state=Job.State.DONE, task=task, finished__lt=now - kept)
        delete_some(done, SWEPT)


def _claim() -> Job | None:
    """The next row that is due, now leased to the caller."""
    waiting = Job.objects.filter(state=Job.State.WAITING).order_by("due", "id")
    # First look without a lock: on SQLite a transaction would stop every writer for nothing.
    if not waiting.filter(_is_due()).exists():
        return None
    with transaction.atomic():
        # PostgreSQL: drainers step over rows that others are just claiming. SQLite has no row locks and
        # needs none, as this transaction holds the only write lock.
        rows = waiting.select_for_update(skip_locked=connection.features.has_select_for_update_skip_locked)
        job = rows.filter(_is_due()).first()
        if job is None:
            return None
        job.attempts += 1
        job.due = timezone.now() + lease_of(job.task)
        job.save(update_fields=["attempts", "due"])
    return job


def _is_due() -> Q:
    """Return the condition that a waiting row is due.

    A row that was posted later than now comes from a clock that is ahead, or that has been put back since: it is not
    left until then.
    """
    now = timezone.now()
    return Q(due__lte=now) | Q(posted__gt=now, attempts=0)


def _run(job: Job) -> None:
    """Do one claimed row and write down how it went."""
    try:
        try:
            handler_of(job.task)(job.payload)
        except NotNow as later:
            now = timezone.now()
            # One that was posted by a clock that is ahead would be due at once, again and again.
            _close(job, due=now + later.wait, attempts=job.attempts - 1, posted=min(job.posted, now))
        except Exception as error:
            _note_failure(job, error)
        else:
            _close(job, state=Job.State.DONE, finished=timezone.now(), error="")
    except (DatabaseError, InterfaceError):
        _unwritten.append((job.pk, job.attempts))
        raise


def _give_back() -> None:
    """Let rows be claimed again whose outcome could not be written down, without waiting until their lease is over."""
    while True:
        try:
            pk, attempts = row = _unwritten.pop()
        except IndexError:  # another thread may have taken the last one since we looked
            return
        try:
            Job.objects.filter(pk=pk, attempts=attempts, state=Job.State.WAITING).update(due=timezone.now())
        except (DatabaseError, InterfaceError):
            _unwritten.append(row)
            raise


def _note_failure(job: Job, error: Exception) -> None:
    """Keep the error; try again later, each time after twice the time, and in the end give up loudly."""
    traced = "".join(traceback.format_exception(error))[-4000:]
    if job.attempts >= ATTEMPTS:
        log.error("outbox: gave up %s %s after %d attempts", job.task, job.key, job.attempts, exc_info=error)
        _close(job, state=Job.State.FAILED, finished=timezone.now(), error=traced)
        return
    wait = min(FIRST_RETRY * 2 ** (job.attempts - 1), LONGEST_RETRY)
    # The database, or a companion, can go away in the middle of any job: that is no fault of the job, and one line
    # tells it.
    fault = None if isinstance(error, OperationalError | InterfaceError | CompanionError) else error
    log.warning("outbox: %s %s failed, again in %s: %s", job.task, job.key, wait, error, exc_info=fault)
    _close(job, due=timezone.now() + wait, error=traced)


def _close(job: Job, **changes: object) -> None:
    """Save the outcome, unless the lease ran out and another drainer has the row by now."""
    if not Job.objects.filter(pk=job.pk, attempts=job.attempts, state=Job.State.WAITING).update(**changes):
        log.warning("outbox: %s %s took longer than its lease of %s", job.task, job.key, lease_of(job.task))
