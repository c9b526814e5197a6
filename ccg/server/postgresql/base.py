"""The database backend of the full profile: Django's own with a pool, and with a look at who is away.

While the server is away, each thread that wants a connection would wait for the pool's whole timeout, and behind
a few such threads everybody else waits too. So once it is known to be away, one thread at a time tries it, twice
a second, and all others fail at once; as soon as a try succeeds everything is as before.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable
from typing import Any

import psycopg
from django.db.backends.postgresql import base
from psycopg_pool import PoolTimeout

SECONDS_BETWEEN_TRIES = 0.5
SECONDS_FOR_A_TRY = 1


class Away:
    """Whether the server is known to be away, for all threads of this process."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._known = False
        self._next_try = 0.0

    def still(self, answers: Callable[[], bool]) -> bool:
        """Return whether the server is away as far as is known, trying it now and then."""
        with self._lock:
            if not self._known:
                return False
            if time.monotonic() < self._next_try:
                return True
            self._next_try = time.monotonic() + SECONDS_FOR_A_TRY + SECONDS_BETWEEN_TRIES
        return not self.look(answers)

    def look(self, answers: Callable[[], bool]) -> bool:
        """Try the server, remember how that went, and return whether it answers."""
        answered = answers()
        with self._lock:
            self._known = not answered
            self._next_try = time.monotonic() + SECONDS_BETWEEN_TRIES
        return answered


_away = Away()


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection that is not waited for while there is nobody to connect to."""

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        """Return a connection of the pool; raises ``OperationalError`` without waiting while the server is away."""
        if _away.still(lambda: self._answers(conn_params)):
            raise psycopg.OperationalError("the database server is away")
        try:
            return super().get_new_connection(conn_params)
        except PoolTimeout:
            if not _away.look(lambda: self._answers(conn_params)):
                raise
        try:
            # The pool tries a server that comes back once a second only, and only when somebody asks anew.
            return super().get_new_connection(conn_params)
        except PoolTimeout as error:
            raise psycopg.errors.TooManyConnections("all connections of this process are in use") from error

    def _answers(self, conn_params: dict[str, Any]) -> bool:
        """Return whether the server takes a connection now."""
        params = {name: value for name, value in conn_params.items() if name != "pool"}
        try:
            psycopg.connect(**{**params, "connect_timeout": SECONDS_FOR_A_TRY}).close()
        except psycopg.OperationalError:
            return False
        return True
