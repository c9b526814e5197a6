"""Storing moves: those that wait at the same time share one transaction.

A commit costs almost the same for many moves as for one, so moves that arrive while one is made are stored together by
the next. Each of them holds only under its own condition (``statements.store_moves``), so one that comes too late does
not keep the others from being stored; if the transaction fails because of one, each is tried by itself. Nobody is
answered before the commit.
"""

from __future__ import annotations

import asyncio
import logging
import queue
import threading
from collections.abc import Callable, Sequence
from functools import partial

from django.db import InterfaceError, OperationalError, transaction
from msgspec import Struct

from matches.playing import statements
from matches.playing.statements import NewMove, Stored
from matches.storage import database

log = logging.getLogger(__name__)

MOST_AT_ONCE = 64
"""Moves in one transaction."""


class Change(Struct, frozen=True):
    """A move to be stored, with what else is to be done where it is stored."""

    move: NewMove
    tell: Callable[[], None]
    """Called after the commit."""
    more: Callable[[], object] | None = None
    """Writes further rows in the same transaction."""
    request_answer: Callable[[], object] | None = None
    """Called after the commit where the site may have to answer for a player."""


CommitResult = bool | Exception
"""Whether a move was stored (False: its match is not where it was answered), or what went wrong."""


def commit(changes: Sequence[Change]) -> list[bool]:
    """Store ``changes`` in one transaction, and return for each whether it was stored.

    Raises :class:`matches.storage.database.Busy`, or what the database raises; then none of them is stored.
    """
    one_statement = len(changes) == 1 and changes[0].more is None
    return database.write(partial(_store, changes), one_statement=one_statement)


def _store(changes: Sequence[Change]) -> list[bool]:
    stored = statements.store_moves([change.move for change in changes])
    return [_follow_up(change, one) for change, one in zip(changes, stored, strict=True)]


def _follow_up(change: Change, stored: Stored) -> bool:
    """Write what else belongs to a move, and have it told after the commit; return whether it was stored."""
    if not stored:
        return False
    if change.more is not None:
        change.more()
    transaction.on_commit(change.tell)
    if stored == "answer due" and change.request_answer is not None:
        transaction.on_commit(change.request_answer)
    return True


def commit_each(changes: Sequence[Change]) -> list[CommitResult]:
    """Store ``changes`` in one transaction, or each in its own where one of them spoils that.

    Raises what concerns them all, the database being away or busy, as long as none is stored; after that, it is what
    went wrong with those that are not.
    """
    try:
        return [*commit(changes)]
    except (OperationalError, InterfaceError, database.Busy):
        raise
    except Exception as error:
        if len(changes) == 1:
            return [error]
    results: list[CommitResult] = []
    for change in changes:
        try:
            results += commit_each([change])
        except (OperationalError, InterfaceError) as error:
            if True not in results:
                raise
            return [*results, *[error] * (len(changes) - len(results))]
    return results


class Committer:
    """A thread that stores the moves of an event loop, on a connection of its own."""

    def __init__(self) -> None:
        self._waiting: queue.SimpleQueue[tuple[Change, asyncio.Future[bool]]] = queue.SimpleQueue()
        self._starting = threading.Lock()
        self._thread: threading.Thread | None = None

    async def commit(self, change: Change) -> bool:
        """Do what :func:`commit` does, together with whatever else waits."""
        future: asyncio.Future[bool] = asyncio.get_running_loop().create_future()
        self._waiting.put((change, future))
        self._ensure_running()
        return await future

    def _ensure_running(self) -> None:
        if self._thread is not None and self._thread.is_alive():
            return
        with self._starting:
            if self._thread is None or not self._thread.is_alive():
                self._thread = threading.Thread(target=self._work, name="table-commits", daemon=True)
                self._thread.start()

    def _work(self) -> None:
        database.keep_connection()
        while True:
            batch = self._next()
            results = self._commit([change for change, _ in batch])
            for (_, future), result in zip(batch, results, strict=True):
                try:
                    future.get_loop().call_soon_threadsafe(_settle, future, result)
                except RuntimeError:
                    log.info("a move was stored for a loop that has ended")

    def _next(self) -> list[tuple[Change, asyncio.Future[bool]]]:
        batch = [self._waiting.get()]
        while len(batch) < MOST_AT_ONCE and not self._waiting.empty():
            batch.append(self._waiting.get_nowait())
        # All processes lock matches in the same order: two that move on the same ones do not wait for each other.
        return sorted(batch, key=lambda waiting: waiting[0].move.match)

    @staticmethod
    def _commit(changes: Sequence[Change]) -> Sequence[CommitResult]:
        try:
            return database.on_kept_connection(commit_each, changes)
        except Exception as error:
            return [error] * len(changes)


def _settle(future: asyncio.Future[bool], result: CommitResult) -> None:
    if future.done():
        return  # nobody waits for it any more
    if isinstance(result, Exception):
        future.set_exception(result)
    else:
        future.set_result(result)


committer = Committer()
"""That of this process."""
