"""The database backend of the full profile: Django's own with a pool, and with a look at who is away.

While the server is away, each thread that wants a connection would wait for the pool's whole timeout, and behind
a few such threads everybody else waits too. So once it is known to be away, one thread at a time tries it, twice
a second, and all others fail at once; as soon as a try succeeds everything is as before. It is the same with locks:
behind a few requests that wait for one, which somebody else holds on, there would be no place for any other.

A server that hangs, or lies behind a line that swallows everything, would keep whoever waits for an answer for
minutes. So after some silence it is asked for another connection: a slow statement goes on, a dead line is given up.

A connection that began while nothing could be written may stay so for as long as it lives, whatever the server allows
by then (``default_transaction_read_only`` of a database, with which hosts answer a full disk). So one that has met that
is not used again, nor are those that lie in the pool beside it.
"""

from __future__ import annotations

import threading
import time
from collections.abc import Callable, Generator
from typing import Any, ClassVar

import psycopg
from django.db.backends.postgresql import base
from psycopg_pool import ConnectionPool, PoolTimeout

SECONDS_BETWEEN_TRIES = 0.5
SECONDS_FOR_A_TRY = 1
SECONDS_BETWEEN_DRAINS = 1.0
"""How often the pool is emptied at most, as long as nothing can be written."""
SECONDS_OF_SILENCE = 0.4
"""So long a server may say nothing before it is looked at; pages have 3 s to say that it is away, the look included."""
FULL = ("too many clients", "too many connections", "remaining connection slots")
"""What a server says that has no connection left: for anybody, for a role or database, for who is no superuser."""


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

    @property
    def known(self) -> bool:
        """Whether it was away when it was looked at last."""
        return self._known

    def found(self, answers: Callable[[], bool]) -> bool:
        """Return whether the server is away, looking at it unless that is known."""
        return self.still(answers) or not self.look(answers)

    def look(self, answers: Callable[[], bool]) -> bool:
        """Try the server, remember how that went, and return whether it answers."""
        answered = answers()
        with self._lock:
            self._known = not answered
            self._next_try = time.monotonic() + SECONDS_BETWEEN_TRIES
        return answered


_away = Away()


class WatchedConnection(psycopg.Connection[Any]):
    """A connection whose server is looked at when it has been silent for a while in the middle of something."""

    params: dict[str, Any]

    @classmethod
    def connect(cls, conninfo: str = "", **kwargs: Any) -> WatchedConnection:
        """Connect as psycopg does, and remember how."""
        connection: WatchedConnection = super().connect(conninfo, **kwargs)
        connection.params = kwargs
        return connection

    def wait(self, gen: Generator[Any, Any, Any], *args: Any, **kwargs: Any) -> Any:
        """Wait for the server as psycopg does; raises ``OperationalError`` if it turns out to be away."""
        return super().wait(self._watched(gen), *args, **kwargs)

    def _watched(self, gen: Generator[Any, Any, Any]) -> Generator[Any, Any, Any]:
        """Hand ``gen`` what it is sent: what the line is ready for, and nothing at all every tenth of a second."""
        heard = time.monotonic()
        try:
            wanted = next(gen)
            while True:
                ready = yield wanted
                if ready:
                    heard = time.monotonic()
                elif _away.known or time.monotonic() - heard > SECONDS_OF_SILENCE:
                    if hasattr(self, "params") and _away.found(lambda: _answers(self.params)):
                        gen.close()
                        self.pgconn.finish()
                        raise psycopg.OperationalError("the database server is away: it does not answer")
                    heard = time.monotonic()
                wanted = gen.send(ready)
        except StopIteration as end:
            return end.value


class DatabaseWrapper(base.DatabaseWrapper):
    """A connection that is not waited for while there is nobody to connect to."""

    lock_seconds: ClassVar[float | None] = None
    """How long new connections of this process wait for a lock; None: as long as it takes."""

    watched: bool = False
    """Whether the server is looked at while it says nothing, where the connection is not of a pool."""

    next_drain: ClassVar[float] = 0.0
    """When the pool of this process may be emptied again, in monotonic seconds."""

    pool_stays: ClassVar[bool] = False
    """Whether nobody closes the pool of this process before its end."""

    _rolled_back = False
    """Whether a transaction has met an error and was undone, since somebody last looked whether it is usable."""

    @property
    def pool(self) -> ConnectionPool[Any] | None:
        """The pool of this process, of connections that are watched."""
        options = self.settings_dict["OPTIONS"].get("pool")
        if isinstance(options, dict):
            options.setdefault("connection_class", WatchedConnection)
        found: ConnectionPool[Any] | None = super().pool
        return found

    def close_pool(self) -> None:
        """Close the pool of this process, unless it stays."""
        if not self.pool_stays:
            super().close_pool()

    def get_new_connection(self, conn_params: dict[str, Any]) -> Any:
        """Return a connection, of the pool if there is one.

        Raises ``OperationalError``, without waiting, while the server is away.
        """
        if _away.still(lambda: _answers(conn_params)):
            raise psycopg.OperationalError("the database server is away")
        try:
            if self.watched and self.pool is None:
                return WatchedConnection.connect(**conn_params)
            return super().get_new_connection(conn_params)
        except PoolTimeout:
            if _away.found(lambda: _answers(conn_params)):
                raise
        except psycopg.OperationalError as error:
            if not _is_full(error):
                raise
            raise psycopg.errors.TooManyConnections("the database server has no connection left") from error
        try:
            # The pool tries a server that comes back once a second only, and only when somebody asks anew.
            return super().get_new_connection(conn_params)
        except PoolTimeout as error:
            raise psycopg.errors.TooManyConnections("all connections of this process are in use") from error

    def is_usable(self) -> bool:
        """Return whether the connection lives and can write; Django asks about one that has met an error."""
        if not super().is_usable():
            return False
        try:
            with self.connection.cursor() as cursor:
                cursor.execute("SELECT current_setting('transaction_read_only') = 'off'")
                if cursor.fetchone()[0]:
                    return True
        except psycopg.Error:
            return False
        self.connection.close()  # given back to a pool as it is, it would be given to the next one
        if self.pool is not None and time.monotonic() >= DatabaseWrapper.next_drain:
            DatabaseWrapper.next_drain = time.monotonic() + SECONDS_BETWEEN_DRAINS
            self.pool.drain()
        return False

    def close_if_unusable_or_obsolete(self) -> None:
        """Close the connection where Django does, or where its last transaction met an error and it is not usable."""
        if self._rolled_back:
            self.errors_occurred = True
            self._rolled_back = False
        super().close_if_unusable_or_obsolete()

    def _rollback(self) -> None:
        """Undo the transaction; that this can be done is no sign that anything can be written, as Django takes it."""
        self._rolled_back = self._rolled_back or self.errors_occurred
        super()._rollback()

    def _close(self) -> None:
        """Give the connection back to its pool, or end it; one that has met an error is looked at before that."""
        if (self.errors_occurred or self._rolled_back) and self.pool is not None:
            self.is_usable()
        self._rolled_back = False
        super()._close()

    def _configure_connection(self, connection: Any) -> bool:
        """Do what Django does with a new connection, and bound its patience; return whether that is to be committed."""
        changed = bool(super()._configure_connection(connection))
        if self.lock_seconds is None:
            return changed
        with connection.cursor() as cursor:
            cursor.execute("SELECT set_config('lock_timeout', %s, false)", [f"{self.lock_seconds * 1000:.0f}"])
        return True


def _answers(params: dict[str, Any]) -> bool:
    """Return whether the server takes a connection now, or would if others had left it one."""
    wanted = {name: value for name, value in params.items() if name != "pool"}
    try:
        psycopg.connect(**{**wanted, "connect_timeout": SECONDS_FOR_A_TRY}).close()
    except psycopg.OperationalError as error:
        return _is_full(error)
    return True


def _is_full(error: psycopg.OperationalError) -> bool:
    """Return whether the server has refused a connection because it has no more; its library passes on the words only.

    Such a server works: the connections that we have are good, and given up they would be gone.
    """
    return any(words in str(error) for words in FULL)
