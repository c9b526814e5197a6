"""Which function does which task: one table, filled by the apps when Django starts."""

from __future__ import annotations

from collections.abc import Callable
from datetime import timedelta
from typing import Any

Payload = dict[str, Any]
Handler = Callable[[Payload], None]

_handlers: dict[str, Handler] = {}
_leases: dict[str, timedelta] = {}


class UnknownTask(LookupError):
    """A row names a task that no app of this process registered."""


def register(task: str, handler: Handler, *, lease: timedelta | None = None) -> None:
    """Let ``handler`` do the rows of ``task`` ("decks.check_legality"). Called from ``AppConfig.ready``.

    A handler is given the payload and may be run more than once for it, also by two processes after
    each other, so a second run must change nothing. It opens its own transactions, and short ones.
    What it raises is kept in the row, and the row is tried again later. ``lease`` is after how long whoever does it is
    taken for dead, where people wait for it; else that is two minutes.
    """
    if _handlers.setdefault(task, handler) is not handler:
        raise ValueError(f"Task {task!r} already has a handler")
    if lease is not None:
        _leases[task] = lease


def lease_of(task: str) -> timedelta | None:
    """Return what was said about how long this task may take, if anything was."""
    return _leases.get(task)


def handler_of(task: str) -> Handler:
    """Return the function that does this task; raises UnknownTask."""
    try:
        return _handlers[task]
    except KeyError:
        raise UnknownTask(f"No handler is registered for task {task!r}") from None
