"""Notifications to sockets that something is new. Only a hint: what it is stands in the database.

Sockets of this process are told directly (``matches.hints.listeners``). Other processes hear of it through PostgreSQL
(``matches.hints.wire``), and of a move with the statement that stored it; an embedded server is alone.
A lost hint costs nothing but time, because every socket is told its table's version every few seconds
(``matches.sockets.heartbeat``).
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
from functools import partial

from django.db import transaction

from matches.hints import wire
from matches.hints.listeners import listeners
from matches.hints.wire import EndedSession, Hint, NewLine, NewVersion, PersonChanged, TableChanged

log = logging.getLogger(__name__)

_loops: list[asyncio.AbstractEventLoop] = []
"""The event loop on which this process has its sockets, once it has any."""


def session_mark(session_key: str) -> str:
    """Return a mark by which a socket knows its own session; the key itself is a secret."""
    return hashlib.sha256(f"matches.session:{session_key}".encode()).hexdigest()[:32]


def listen_here(hear: wire.Hear) -> None:
    """Remember the running event loop as the one where this process has its sockets.

    ``hear`` is called on it with the hints of other processes.
    """
    loop = asyncio.get_running_loop()
    if _loops != [loop]:
        _loops[:] = [loop]
    wire.open_here(hear)


def notify_version(match_id: str, version: int) -> None:
    """Say that the match has reached ``version``. Call it after the commit, from any thread.

    This is for sockets of this process: others were told with the commit.
    """
    _tell_here(NewVersion(match_id, version))


def notify_session_ended(user_id: int, session_key: str) -> None:
    """Say that this session of this person is over."""
    _send(EndedSession(user_id, session_mark(session_key)))


def notify_person_changed(user_id: int) -> None:
    """Say that something about the person changed, so that sessions should be looked at again."""
    _send(PersonChanged(user_id))


def notify_chat(match_id: str) -> None:
    """Say that somebody has written in the chat of this match. Call it after the commit, not on the event loop."""
    _send(NewLine(match_id))


def notify_table(match_id: str, listed: bool) -> None:
    """Say that something is new at a table that waits for players; not on the event loop.

    In a transaction it is said after the commit.
    """
    transaction.on_commit(partial(_send, TableChanged(match_id, listed)), robust=True)


def _send(hint: Hint) -> None:
    """Send the hint to all sockets and processes, from any thread. Never raises, since a lost hint does no harm."""
    _tell_here(hint)
    try:
        if wire.needed():
            wire.send(hint)
    except Exception as error:
        log.warning("a hint was not sent: %s", error)


def _tell_here(hint: Hint) -> None:
    loop = _loops[0] if _loops else None
    if loop is not None and loop.is_running():
        try:
            loop.call_soon_threadsafe(listeners.tell, hint)
        except RuntimeError:
            log.info("a hint was for a loop that has ended")
