"""Notifications to sockets that something is new. Only a hint: they read from the database what it is.

Sockets of this process are told directly (``matches.listeners``). Other processes hear of it over the channel
layer, on which each of them has one channel (``matches.wire``), and read for all their sockets at once what it is
(``matches.news``); an embedded server, which is alone, uses none.
A lost hint costs nothing but time, because every socket is told its table's version every few seconds
(``matches.heartbeat``). Nothing about a game but a version number ever leaves the process.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging

from asgiref.sync import async_to_sync

from matches import news, wire
from matches.listeners import listeners
from matches.wire import EndedSession, Hint, NewVersion, PersonChanged

log = logging.getLogger(__name__)

_loops: list[asyncio.AbstractEventLoop] = []
"""The event loop on which this process has its sockets, once it has any."""


def session_mark(session_key: str) -> str:
    """Return a mark by which a socket knows its own session; the key itself is a secret."""
    return hashlib.sha256(f"matches.session:{session_key}".encode()).hexdigest()[:32]


def listen_here() -> None:
    """Remember the running event loop as the one where this process has its sockets."""
    loop = asyncio.get_running_loop()
    if _loops != [loop]:
        _loops[:] = [loop]
    wire.open_here(news.hear)


def notify_version(match_id: str, version: int) -> None:
    """Say that the match has reached ``version``. Call it after the commit, from any thread."""
    _send(NewVersion(match_id, version))


def notify_session_ended(user_id: int, session_key: str) -> None:
    """Say that this session of this person is over."""
    _send(EndedSession(user_id, session_mark(session_key)))


def notify_person_changed(user_id: int) -> None:
    """Say that something about the person changed, so that sessions should be looked at again."""
    _send(PersonChanged(user_id))


def _send(hint: Hint) -> None:
    """Tell everybody, from any thread. Telling can fail without harm, so it never raises."""
    loop = _loops[0] if _loops else None
    try:
        if loop is not None and loop.is_running():
            loop.call_soon_threadsafe(_tell_from_loop, hint)
        elif wire.needed():
            async_to_sync(wire.send)([hint])  # a worker, or a command: no sockets here
    except Exception as error:
        log.warning("a hint was not sent: %s", error)


def _tell_from_loop(hint: Hint) -> None:
    listeners.tell(hint)
    wire.pass_on(hint)
