"""Telling sockets that something is new. A hint, never the truth: what is new they read themselves.

A lost hint costs nothing but time, because every socket is told its table's version every few seconds
(``matches.pulse``). Nothing about a game but a version number ever goes through the channel layer.
"""

from __future__ import annotations

import asyncio
import hashlib
import logging
from typing import Any

from asgiref.sync import async_to_sync
from channels.layers import InMemoryChannelLayer, get_channel_layer

log = logging.getLogger(__name__)

_loops: list[asyncio.AbstractEventLoop] = []
"""The event loop on which this process has its sockets, once it has any."""


def match_group(match_id: str) -> str:
    """Give the name of the group of all sockets at a table."""
    return f"match.{match_id}"


def person_group(user_id: int) -> str:
    """Give the name of the group of all sockets of a person."""
    return f"person.{user_id}"


def session_mark(session_key: str) -> str:
    """Give a mark by which a socket knows its own session; the key itself is a secret."""
    return hashlib.sha256(f"matches.session:{session_key}".encode()).hexdigest()[:32]


def listen_here() -> None:
    """Remember the running event loop as the one where this process has its sockets."""
    _loops[:] = [asyncio.get_running_loop()]


def tell_version(match_id: str, version: int) -> None:
    """Say that the match has reached ``version``. Call it after the commit, from any thread but the loop's."""
    _send(match_group(match_id), {"type": "match.version", "version": version})


def tell_session_ended(user_id: int, session_key: str) -> None:
    """Say that this session of this person is over."""
    _send(person_group(user_id), {"type": "session.ended", "mark": session_mark(session_key)})


def tell_person_changed(user_id: int) -> None:
    """Say that something about the person changed, so that sessions should be looked at again."""
    _send(person_group(user_id), {"type": "session.check"})


def _send(group: str, message: dict[str, Any]) -> None:
    """Send from a thread. Sending can fail without harm, so it never raises."""
    layer = get_channel_layer()
    if layer is None:
        return
    loop = _loops[0] if _loops else None
    try:
        if loop is not None and loop.is_running():
            # Queues of the in-memory layer belong to the loop of the sockets; a loop made just for this
            # call, as async_to_sync makes one outside of ASGI, would leave its waiters asleep.
            sent = asyncio.run_coroutine_threadsafe(layer.group_send(group, message), loop)
            sent.add_done_callback(_note_failure)
        elif not isinstance(layer, InMemoryChannelLayer):
            async_to_sync(layer.group_send)(group, message)
    except Exception as error:
        log.warning("a hint to %s was not sent: %s", group, error)


def _note_failure(sent: Any) -> None:
    if not sent.cancelled() and sent.exception() is not None:
        log.warning("a hint was not sent: %s", sent.exception())
