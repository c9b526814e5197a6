"""Threads for what sockets ask of the database, away from the event loop.

SQLite has one writer and answers at once, so one thread does for it; on PostgreSQL, where waiting is for the network,
there are a few. Each keeps its connection. What the engine computes takes some tenths of a millisecond and is done
on the loop itself: passing it to a thread and back costs as much again.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from django.db import connection

from matches.storage import database

T = TypeVar("T")

DATABASE_THREADS = 4

_one = ThreadPoolExecutor(1, thread_name_prefix="table-database", initializer=database.keep_connection)
_some = ThreadPoolExecutor(DATABASE_THREADS, thread_name_prefix="table-database", initializer=database.keep_connection)


async def on_database(function: Callable[..., T], *args: Any) -> T:
    """Run something short that uses the database; it may be run again if its connection was dead."""
    threads = _one if connection.vendor == "sqlite" else _some
    return await asyncio.get_running_loop().run_in_executor(threads, database.on_kept_connection, function, *args)
