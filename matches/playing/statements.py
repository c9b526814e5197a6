"""The SQL of the hot path: what every choice at every table costs.

Everything else asks the database through Django's models. These few statements are written by hand, so that they
are prepared once and do in one round trip what would take several: one that stores a move, one that reads what is new
at some tables. They run on Django's connection of this thread, inside its transactions, and raise its errors.
``tests/matches/test_statements.py`` holds them against the models.
"""

from __future__ import annotations

import json
import re
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any, Literal

from django.db import connection
from msgspec import Struct

from matches.hints.wire import CHANNEL

Row = tuple[Any, ...]


class NewMove(Struct, frozen=True):
    """A move as it is to be stored, with what it makes of the row of its match. ``seq`` is the version it makes."""

    match: int
    seq: int
    seat: int
    kind: str
    option: str
    action_id: str
    digest: str
    events: bytes
    saved: bytes
    deciders: int
    standing: bytes
    """What stands at the table besides the game (``matches.clocks.standing``)."""
    deadline: int | None
    computer_to_move: bool
    forced: bool
    """Whether the site is to answer the question that is asked now, as there is one answer only."""
    now: datetime
    state: str
    hint: str
    """What other processes are to be told (``matches.hints.wire``)."""
    result: dict[str, Any] | None = None


class News(Struct, frozen=True):
    """What a match has come to, and the packed events of its last moves."""

    match_id: str
    version: int
    saved: bytes
    standing: bytes
    events: tuple[tuple[int, bytes], ...]


RUNNING, FINISHED = "running", "finished"

# A match is moved on only from the version that was answered, while it runs, and if the action is new. The row of the
# match is locked by that, and whoever comes second finds another version. The unique keys of moves are the wall behind.
_MOVE_ON = """
    UPDATE matches_match
    SET version = :seq, saved = :saved, digest = :digest, deciders = :deciders, standing = :standing,
        deadline = :deadline, computer_to_move = :computer_to_move,
        answer_due = (:forced OR (orders & :deciders) <> 0), changed = :now, state = :state,
        finished = :finished, result = :result
    WHERE id = :match AND version = :seq - 1 AND state = 'running' AND NOT EXISTS (
        SELECT 1 FROM matches_move WHERE match_id = :match AND seat = :seat AND action_id = :action_id)
"""
_APPEND = """
    INSERT INTO matches_move (match_id, seq, seat, kind, option, action_id, digest, events, standing, created)
    SELECT :match, :seq, :seat, :kind, :option, :action_id, :digest, :events, :standing, :now
"""
_NEWS = """
    SELECT matches_match.public_id, matches_match.version, matches_match.saved, matches_match.standing,
        matches_move.seq, matches_move.events
    FROM matches_match JOIN matches_move
        ON matches_move.match_id = matches_match.id AND matches_move.seq > matches_match.version - :back
"""

_TYPES = {
    "match": "bigint", "seq": "integer", "seat": "smallint", "kind": "varchar", "option": "varchar",
    "action_id": "varchar", "digest": "varchar", "events": "bytea", "saved": "bytea", "deciders": "smallint",
    "standing": "bytea", "deadline": "bigint",
    "computer_to_move": "boolean", "forced": "boolean", "now": "timestamptz", "state": "varchar",
    "finished": "timestamptz", "result": "jsonb", "back": "integer", "matches": "varchar[]", "channel": "text",
    "hint": "text",
}  # fmt: skip
"""Types of the parameters in PostgreSQL, which does not guess those of a prepared statement."""


def _for_postgresql(*parts: str) -> str:
    return re.sub(r":(\w+)", lambda match: f"%({match[1]})s::{_TYPES[match[1]]}", " ".join(parts))


_STORE_POSTGRESQL = _for_postgresql(
    "WITH moved AS (",
    _MOVE_ON,
    "RETURNING id, answer_due), appended AS (",
    _APPEND,
    "FROM moved RETURNING 1) SELECT pg_notify(:channel, :hint), (SELECT answer_due FROM moved) FROM appended",
)
_DUE_SQLITE = "SELECT answer_due FROM matches_match WHERE id = :match"
_NEWS_SQLITE = _NEWS + "WHERE public_id IN (SELECT value FROM json_each(:matches)) ORDER BY 1, 5"  # noqa: S608 - constants
_NEWS_POSTGRESQL = _for_postgresql(_NEWS, "WHERE public_id = ANY(:matches) ORDER BY 1, 5")


Stored = Literal["", "stored", "answer due"]
"""What came of storing a move: nothing, or a move, after which the site may have to answer for a player."""


def store_moves(moves: Sequence[NewMove]) -> list[Stored]:
    """Move each match on and append the move; for each return what came of it.

    It is "", with nothing changed, if the match is not where the move answers it. Whoever gives an order locks the row
    of the match, so of an order and a move that come at once the second one knows of the first. On PostgreSQL a move is
    one statement, and several are sent together: there is one wait for all their answers. On SQLite it is two, which
    need a transaction around them.
    """
    if connection.vendor == "postgresql":
        answers = _postgresql_each(_STORE_POSTGRESQL, [_values(move) for move in moves])
        return [_stored(rows[0][1]) if rows else "" for rows in answers]
    with connection.wrap_database_errors:
        return [_stored_in_sqlite(_values(move)) for move in moves]


def _values(move: NewMove) -> dict[str, Any]:
    return {
        "match": move.match,
        "seq": move.seq,
        "seat": move.seat,
        "kind": move.kind,
        "option": move.option,
        "action_id": move.action_id,
        "digest": move.digest,
        "events": move.events,
        "saved": move.saved,
        "deciders": move.deciders,
        "standing": move.standing,
        "deadline": move.deadline,
        "computer_to_move": move.computer_to_move,
        "forced": move.forced,
        "now": connection.ops.adapt_datetimefield_value(move.now),
        "state": move.state,
        "finished": connection.ops.adapt_datetimefield_value(move.now) if move.state == FINISHED else None,
        "result": None if move.result is None else json.dumps(move.result),
        "channel": CHANNEL,
        "hint": move.hint,
    }


def _stored_in_sqlite(values: dict[str, Any]) -> Stored:
    raw = _raw_connection()
    if raw.execute(_MOVE_ON, values).rowcount != 1:
        return ""
    raw.execute(_APPEND, values)
    return _stored(raw.execute(_DUE_SQLITE, values).fetchone()[0])


def _stored(due: object) -> Stored:
    return "answer due" if due else "stored"


def read_news(matches: Sequence[str], back: int) -> Iterator[News]:
    """Return how these matches stand, with the events of their last ``back`` moves (none for one without moves)."""
    if connection.vendor == "postgresql":
        rows = _postgresql(_NEWS_POSTGRESQL, {"matches": list(matches), "back": back})
    else:
        with connection.wrap_database_errors:
            rows = _raw_connection().execute(_NEWS_SQLITE, {"matches": json.dumps(matches), "back": back}).fetchall()
    at = 0
    while at < len(rows):
        match_id, version, saved, standing, *_ = rows[at]
        start = at
        while at < len(rows) and rows[at][0] == match_id:
            at += 1
        events = tuple((row[4], bytes(row[5])) for row in rows[start:at])
        yield News(match_id, version, bytes(saved), bytes(standing), events)


def _postgresql(statement: str, values: dict[str, Any]) -> list[Row]:
    # Not Django's own cursor: that writes the parameters into the text, which is then planned anew each time.
    from psycopg import Cursor

    with connection.wrap_database_errors, Cursor(_raw_connection()) as cursor:
        return cursor.execute(statement, values, prepare=True).fetchall()


def _postgresql_each(statement: str, each: Sequence[dict[str, Any]]) -> list[list[Row]]:
    """Do ``statement`` with each of these values and return the rows of each."""
    from psycopg import Cursor

    if len(each) == 1:
        return [_postgresql(statement, each[0])]
    with connection.wrap_database_errors, Cursor(_raw_connection()) as cursor:
        cursor.executemany(statement, each, returning=True)
        return [one.fetchall() for one in cursor.results()]


def _raw_connection() -> Any:
    connection.ensure_connection()
    return connection.connection
