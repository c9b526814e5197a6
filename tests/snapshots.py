"""The database as migrations leave it, put back after each test whose transactions are real.

Django empties all tables after such a test, one by one, and lets the applications fill theirs anew; with some ninety
tables that takes longer than most of the tests themselves. SQLite copies a whole database in 3 ms instead, and every
test begins with the same rows and the same next numbers, whichever ran before it.
"""

from __future__ import annotations

import sqlite3
from typing import Any

from django.db import connection
from django.test import TransactionTestCase


def put_back_after_tests() -> None:
    """Take a copy of the test database, and have tests with real transactions end with it; needs SQLite."""
    kept = sqlite3.connect(":memory:", check_same_thread=False)
    _own_connection().backup(kept)

    def put_back(case: Any) -> None:
        kept.backup(_own_connection())

    TransactionTestCase._fixture_teardown = put_back  # type: ignore[method-assign]


def _own_connection() -> Any:
    connection.ensure_connection()
    return connection.connection
