"""Which function does which task: one table, filled by the apps when Django starts."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

Payload = dict[str, Any]
Handler = Callable[[Payload], None]

LEASE = timedelta(minutes=2)
"""After how long whoever does a row is taken for dead, and the row is given to another, unless its task says less."""


KEPT = timedelta(days=60)
"""How long a row stays that is done, unless its task says less: so long its key stands for the work. Nobody asks for
the same work again for more than a month."""


@dataclass(frozen=True)
class Task:
    """What is done for the rows of one task, how long it may take, and how long a row is kept that is done."""

    handler: Handler
    lease: timedelta
    kept: timedelta = KEPT


_tasks: dict[str, Task] = {}


class NotNow(Exception):
    """Raised by a handler that cannot begin yet: its row waits for so long, and this was no attempt."""

    def __init__(self, wait: timedelta) -> None:
        super().__init__(f"again in {wait}")
        self.wait = wait


class UnknownTask(LookupError):
    """A row names a task that no app of this process registered."""


def register(task: str, handler: Handler, *, lease: timedelta = LEASE, kept: timedelta = KEPT) -> None:
    """Let ``handler`` do the rows of ``task`` ("decks.check_legality"). Called from ``AppConfig.ready``.

    A handler is given the payload and may be run more than once for it, also by two processes after
    each other, so a second run must change nothing. It opens its own transactions, and short ones.
    What it raises is kept in the row, and the row is tried again later. ``lease`` is shorter where people wait for it,
    ``kept`` where there are very many rows.
    """
    new = Task(handler, lease, kept)
    if _tasks.setdefault(task, new) != new:
        raise ValueError(f"Task {task!r} already has a handler")


def lease_of(task: str) -> timedelta:
    """Return how long this task may take; of one that nobody registered, as long as most."""
    return _tasks[task].lease if task in _tasks else LEASE


def kept_of() -> dict[str, timedelta]:
    """Return for each task how long its rows are kept that are done."""
    return {name: task.kept for name, task in _tasks.items()}


def handler_of(task: str) -> Handler:
    """Return the function that does this task; raises UnknownTask."""
    try:
        return _tasks[task].handler
    except KeyError:
        raise UnknownTask(f"No handler is registered for task {task!r}") from None
