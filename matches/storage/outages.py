"""What an error of the database means to people: it is away, it cannot save, or it is busy.

None of these is a fault of the program. Whoever asked is told which it is, sockets stay open, and everything
goes on by itself when the database does.
"""

from __future__ import annotations

from enum import StrEnum
from typing import Final

from django.db import DatabaseError, InterfaceError, OperationalError

from matches.storage.database import Busy


class Outage(StrEnum):
    """Why the database did not do what it was asked; the values are codes of refusals."""

    AWAY = "unavailable"
    CANNOT_SAVE = "cannot_save"
    BUSY = "busy"

    @property
    def message(self) -> str:
        """What is said at a table."""
        return _MESSAGES[self]


_MESSAGES: Final[dict[Outage, str]] = {
    Outage.AWAY: (
        "The server cannot reach its database just now. Nothing that was accepted is lost; the table goes on by"
        " itself as soon as the database is back."
    ),
    Outage.CANNOT_SAVE: (
        "The server cannot save anything just now, so nothing was changed. Please try again in a while;"
        " whoever runs this site has to make room."
    ),
    Outage.BUSY: "The server is busy and did not take the move. Please try again.",
}

_SQLITE: Final[dict[int, Outage]] = {
    5: Outage.BUSY,  # SQLITE_BUSY
    6: Outage.BUSY,  # SQLITE_LOCKED
    8: Outage.CANNOT_SAVE,  # SQLITE_READONLY
    10: Outage.CANNOT_SAVE,  # SQLITE_IOERR: most often a full disk met outside of the database file itself
    13: Outage.CANNOT_SAVE,  # SQLITE_FULL
    14: Outage.AWAY,  # SQLITE_CANTOPEN
}
"""Primary result codes of SQLite."""

_POSTGRES: Final[dict[str, Outage]] = {
    "25006": Outage.CANNOT_SAVE,  # read_only_sql_transaction: a standby, or closed by its operator
    "40001": Outage.BUSY,  # serialization_failure
    "40P01": Outage.BUSY,  # deadlock_detected
    "53100": Outage.CANNOT_SAVE,  # disk_full
    "53200": Outage.BUSY,  # out_of_memory
    "53300": Outage.BUSY,  # too_many_connections
    "55P03": Outage.BUSY,  # lock_not_available
    "57014": Outage.BUSY,  # query_canceled, by a statement timeout
    "58030": Outage.CANNOT_SAVE,  # io_error
}
"""SQL states of PostgreSQL; those of connections are known by their classes."""

_AWAY_CLASSES = ("08", "53", "57")
"""Classes of SQL states: connection lost, no connection free, shut down or starting."""


def outage_of(error: BaseException) -> Outage | None:
    """Return which outage of the database ``error`` comes from; None if it is a fault like any other."""
    if isinstance(error, Busy):
        return Outage.BUSY
    if not isinstance(error, DatabaseError | InterfaceError):
        return None
    cause = error.__cause__
    sqlite_code = getattr(cause, "sqlite_errorcode", None)
    if sqlite_code is not None:
        return _SQLITE.get(sqlite_code & 0xFF)
    sqlstate = getattr(cause, "sqlstate", None)
    if sqlstate is not None:
        return _of_postgres(sqlstate)
    # psycopg without a state: no answer came from a server at all.
    lost = isinstance(error, OperationalError | InterfaceError) and type(cause).__module__.startswith("psycopg")
    return Outage.AWAY if lost else None


def _of_postgres(sqlstate: str) -> Outage | None:
    """Return what a state of PostgreSQL means."""
    if sqlstate in _POSTGRES:
        return _POSTGRES[sqlstate]
    return Outage.AWAY if sqlstate[:2] in _AWAY_CLASSES else None
