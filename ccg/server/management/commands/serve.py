"""``manage.py serve``: the server process."""

from __future__ import annotations

import contextlib
import faulthandler
import fcntl
import logging
import os
import threading
from collections.abc import Iterator
from pathlib import Path
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError
from django.db import DEFAULT_DB_ALIAS, connection, connections

from ccg import native
from ccg.outbox.threads import Drainers
from ccg.server.allocator import share_pools
from ccg.server.asgi import application
from ccg.server.serving import SiteServer, tell
from matches.runners import computer_runner
from matches.runners.answering import Answering
from matches.runners.clock_sweep import Ticker

log = logging.getLogger(__name__)

LEAVING_SECONDS = 4
"""How long threads of this process may take to end, once the server has stopped and nothing more is begun."""

LOCK_SECONDS = 2
"""How long a page or a move waits for a lock of PostgreSQL that is held by somebody else."""

ENGINE = {
    "compiled": "The rules engine is compiled.",
    "pure": "The rules engine runs as pure Python: slower, and otherwise the same.",
}


class Command(BaseCommand):
    """Serves the site on HOST:PORT until it is told to stop; in the embedded profile drains the outbox too."""

    help = "Run the server (daphne) on HOST:PORT, see docs/operating.md."

    def run_from_argv(self, argv: list[str]) -> None:
        """Serve, as the process that was started for it, and end with it."""
        super().run_from_argv(argv)
        leave_in_time()

    def handle(self, *args: Any, **options: Any) -> None:
        share_pools()
        make_no_database()
        bound_locks()
        faulthandler.enable()  # a fault in a library's C code at least says in the log where it was
        # Without Redis it is meant to be alone: on SQLite another would hear nothing of what this one stores.
        alone = contextlib.nullcontext() if settings.REDIS_URL else only_server_of(settings.VAR_DIR)
        with alone:
            tell(ENGINE[native.running()])
            server = SiteServer(application)
            background = (Drainers(settings.OUTBOX_THREADS), Ticker(), Answering())
            for threads in background:
                threads.start()
            # Matches in which a computer has to choose may be left over, whoever looks at them or does not.
            computer_runner.ensure_running()
            try:
                server.run()
            finally:
                for threads in background:
                    threads.stop()
        if server.failure:
            raise CommandError(f"{server.failure} PORT=8123, or any free number, lets it listen elsewhere.")


def leave_in_time() -> None:
    """End this process after :data:`LEAVING_SECONDS`, whoever is still at work in it.

    A page that was being made as the server stopped has a thread that goes on, and then waits for the event loop, which
    runs no more; Python waits for each such thread before it ends. What has been accepted is stored by now, so nothing
    is lost with it.
    """

    def leave() -> None:
        left = [one.name for one in threading.enumerate() if not one.daemon and one is not threading.main_thread()]
        log.warning("stopped while something was still being worked on, in %s", ", ".join(left))
        os._exit(0)

    ending = threading.Timer(LEAVING_SECONDS, leave)
    ending.daemon = True
    ending.start()


def make_no_database() -> None:
    """Let this process open the file of SQLite that there is, and say that it is away where there is none.

    SQLite makes an empty one otherwise. Threads that have opened that stay with it once the real one is back, and where
    the log (WAL) of the real one lies beside it, what only stands there is lost.
    """
    if connection.vendor == "sqlite":
        known = connections.settings[DEFAULT_DB_ALIAS]
        known["NAME"] = f"{Path(known['NAME']).as_uri()}?mode=rw"


def bound_locks() -> None:
    """Let this process say that the database is busy when a lock is not free in time; commands wait for it instead."""
    if connection.vendor == "postgresql":
        from ccg.server.postgresql.base import DatabaseWrapper  # its library takes a while to import

        DatabaseWrapper.lock_seconds = LOCK_SECONDS


@contextlib.contextmanager
def only_server_of(folder: Path) -> Iterator[None]:
    """Hold the data in ``folder`` for this process; raises CommandError if another server has it, or it is read-only.

    The lock is the system's: it ends with the process, however that ends.
    """
    try:
        lock = (folder / "serve.lock").open("w")
    except OSError as error:
        raise CommandError(f"Nothing can be written in {folder}, where the data is: {error.strerror}.") from None
    with lock as file:
        try:
            fcntl.flock(file, fcntl.LOCK_EX | fcntl.LOCK_NB)
        except BlockingIOError:
            raise CommandError(
                f"Another server already serves the data in {folder}; without Redis there can be only one."
                " Stop that one, or give this one data of its own with VAR_DIR=…"
            ) from None
        yield
