"""Deleting many rows, some at a time."""

from __future__ import annotations

import time
from typing import Any

from django.db.models import QuerySet

BATCH = 500
"""Rows deleted in one transaction: some milliseconds, for which SQLite takes nobody else's writing."""
PAUSE_SECONDS = 0.02
"""Left to others between two batches: whoever waits for the lock of SQLite looks for it now and then only."""


def delete_some(rows: QuerySet[Any], most: int | None = None) -> int:
    """Delete ``rows``, at most about ``most`` of them, each batch in a transaction of its own; return how many."""
    deleted = 0
    while most is None or deleted < most:
        batch = list(rows.values_list("pk", flat=True)[:BATCH])
        if not batch:
            break
        if deleted:
            time.sleep(PAUSE_SECONDS)
        deleted += rows.filter(pk__in=batch).delete()[0]
    return deleted
