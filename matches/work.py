"""Where the work of sockets is done, away from the event loop.

All sockets of a process share one thread for SQLite, which has one writer anyway; on PostgreSQL they have
a small pool. What the engine computes runs on threads of its own, so that nobody waits for the database
behind somebody else's rules.
"""

from __future__ import annotations

import asyncio
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from typing import Any, TypeVar

from channels.db import database_sync_to_async
from django.db import connection

T = TypeVar("T")

DATABASE_THREADS = 8
ENGINE_THREADS = 2

_database_pool = ThreadPoolExecutor(DATABASE_THREADS, thread_name_prefix="table-database")
_engine_pool = ThreadPoolExecutor(ENGINE_THREADS, thread_name_prefix="table-engine")


async def on_database(function: Callable[..., T], *args: Any) -> T:
    """Run something short that uses the database."""
    if connection.vendor == "sqlite":
        return await database_sync_to_async(function, thread_sensitive=True)(*args)
    return await database_sync_to_async(function, thread_sensitive=False, executor=_database_pool)(*args)


async def on_engine(function: Callable[..., T], *args: Any) -> T:
    """Run something that only computes."""
    return await asyncio.get_running_loop().run_in_executor(_engine_pool, function, *args)
