"""The database as tables use it: short transactions, and threads that keep a connection.

A transaction is repeated when a lock was not free; on SQLite there is one writer at a time.

Where another program has the lock of SQLite for longer, each writer would wait for it in vain, one after the other, and
whoever reads on the same thread behind them. So once one has, it is tried twice a second, and all others fail at once.
"""

from __future__ import annotations

import logging
import random
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from typing import Any, TypeVar

from django.db import DEFAULT_DB_ALIAS, InterfaceError, OperationalError, connection, connections, transaction
from django.db.backends.base.base import BaseDatabaseWrapper

log = logging.getLogger(__name__)

TRIES = 3
LONG_WAIT = 1.0
"""Seconds after which whoever has not got the lock of SQLite does not try again."""
SECONDS_BETWEEN_TRIES = 0.5
"""How often a lock is tried that another program is known to hold."""
T = TypeVar("T")

# SQLite has one writer, and waiting for its lock is not fair: a thread of this process that waits its
# turn here instead does not starve, and does not poll. (Other processes still meet at the lock itself.)
_one_writer = threading.RLock()


class _Held:
    """Whether another program is known to hold the lock of SQLite. Only who is the one writer asks and tells."""

    def __init__(self) -> None:
        self.known = False
        self._next_try = 0.0

    def note(self, known: bool) -> None:
        """Remember how a try went."""
        self.known = known
        self._next_try = time.monotonic() + SECONDS_BETWEEN_TRIES

    def to_be_tried(self) -> bool:
        """Return whether the lock may be free, or has not been tried for a while."""
        return not self.known or time.monotonic() >= self._next_try


_held = _Held()


class Busy(OperationalError):
    """The database could not be written to in time; nothing has changed."""


def write(change: Callable[[], T], *, one_statement: bool = False) -> T:
    """Run ``change`` in a transaction of its own and return what it returns.

    Where ``change`` writes with one single statement to PostgreSQL, that is a transaction by itself: say so, and the
    two round trips around it are saved.

    A lock that is not free in time is tried again, :data:`TRIES` times in all, so ``change`` may run more
    than once and must do nothing but write to the database. Raises :class:`Busy` when that did not help.
    Inside another transaction it simply belongs to that one, which then has to try again.
    """
    if connection.in_atomic_block:
        return change()
    for tried in range(1, TRIES + 1):
        try:
            if connection.vendor == "sqlite":
                return _written_to_sqlite(change)
            if one_statement:
                return change()
            with transaction.atomic():
                return change()
        except OperationalError as error:
            if not _is_lock(error):
                raise
            log.info("the database was locked, try %d of %d", tried, TRIES)
            time.sleep(random.uniform(0.01, 0.05) * tried)
    raise Busy


def _written_to_sqlite(change: Callable[[], T]) -> T:
    """Run ``change`` as the one writer; raises Busy where another program holds the lock, and keeps it."""
    with _one_writer:
        if not _held.to_be_tried():
            raise Busy("another program has the lock of the database")
        began = time.monotonic()
        try:
            with _patience(), transaction.atomic():
                changed = change()
        except OperationalError as error:
            if _is_lock(error) and (_held.known or time.monotonic() - began > LONG_WAIT):
                _held.note(known=True)
                raise Busy("another program has the lock of the database") from error
            raise
        if _held.known:
            _held.note(known=False)
        return changed


@contextmanager
def _patience() -> Iterator[None]:
    """Wait for a lock as the settings say, and for a tenth of a second where it is known to be held."""
    if not _held.known:
        yield
        return
    # Milliseconds. A pragma takes no parameters, and statements are nowhere put together.
    with connection.cursor() as cursor:
        cursor.execute("PRAGMA busy_timeout = 100")
    try:
        yield
    finally:
        with connection.cursor() as cursor:
            cursor.execute("PRAGMA busy_timeout = 5000")  # as in the settings


def _is_lock(error: OperationalError) -> bool:
    """Return whether a lock was not free in time (SQLite), or two transactions waited for each other (PostgreSQL)."""
    text = str(error).lower()
    return "locked" in text or "deadlock" in text or "lock timeout" in text


def keep_connection() -> None:
    """Give this thread a connection of its own for as long as it lives, outside of the pool."""
    own = _outside_of_the_pool()
    if own.vendor == "postgresql":
        setattr(own, "watched", True)  # noqa: B010 - tables have to say that a server which hangs is away
    connections[DEFAULT_DB_ALIAS] = own


def own_connection() -> Any:
    """Return a new connection of the database's library, which belongs to whoever asks for it, and to no thread."""
    own = _outside_of_the_pool()
    own.connect()
    return own.connection


def _outside_of_the_pool() -> BaseDatabaseWrapper:
    own = connections.create_connection(DEFAULT_DB_ALIAS)
    options = {name: value for name, value in own.settings_dict["OPTIONS"].items() if name != "pool"}
    own.settings_dict = {**own.settings_dict, "OPTIONS": options, "CONN_MAX_AGE": None, "CONN_HEALTH_CHECKS": False}
    return own


def on_kept_connection(function: Callable[..., T], *args: Any) -> T:
    """Call ``function``, again on a new connection if the kept one turns out to be dead.

    That costs nothing where it lives, unlike a look before each use. So ``function`` may run twice; for a move that is
    as if its client had sent it twice.
    """
    try:
        return function(*args)
    except (OperationalError, InterfaceError):
        connection.close_if_unusable_or_obsolete()
        if connection.connection is not None or connection.in_atomic_block:
            raise
        return function(*args)
    finally:
        connection.close_if_unusable_or_obsolete()
