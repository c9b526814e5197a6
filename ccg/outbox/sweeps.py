"""Looking, every so many seconds, for work that nobody has posted: what becomes due by time alone.

A sweep is a quick function that asks the database and posts what it finds, each piece with a key of its own. It runs on
the threads that drain the outbox, in every process that has some, so it may run twice at once: keys see to the rest.
"""

from __future__ import annotations

import logging
import threading
import time
from collections.abc import Callable

from django.db import DatabaseError, InterfaceError
from msgspec import Struct

log = logging.getLogger(__name__)


class Sweep(Struct):
    """A function with how often it is called, and when next (monotonic seconds of this process)."""

    look: Callable[[], object]
    seconds: float
    due: float = 0.0


_sweeps: dict[str, Sweep] = {}
_lock = threading.Lock()


def register_sweep(name: str, look: Callable[[], object], *, seconds: float) -> None:
    """Have ``look`` called about every so many ``seconds``. Called from ``AppConfig.ready``."""
    _sweeps[name] = Sweep(look, seconds)


def look_around() -> None:
    """Call the sweeps that are due in this process. What one raises is logged, and it is called again in its time."""
    for name, sweep in _sweeps.items():
        with _lock:
            now = time.monotonic()
            if now < sweep.due:
                continue
            sweep.due = now + sweep.seconds
        try:
            sweep.look()
        except (DatabaseError, InterfaceError) as error:
            log.warning("sweep %s: the database does not do what it should: %s", name, error)
        except Exception:
            log.exception("sweep %s failed", name)
