"""Whether this process may be given visitors: asked by whoever deploys, each second or so."""

from __future__ import annotations

import logging
import threading
import time

from django.conf import settings
from django.db import DatabaseError, InterfaceError, connection
from django.db.migrations.executor import MigrationExecutor

from .backlog import lag

log = logging.getLogger(__name__)

KEPT_SECONDS = 1.0
"""How long an answer holds, so that asking often costs nothing."""


class Readiness:
    """The reasons why this process is not ready, read anew after a second."""

    def __init__(self) -> None:
        self._lock = threading.Lock()
        self._until = 0.0
        self._reasons: list[str] = []
        self._migrated = False

    def reasons(self) -> list[str]:
        """Return a sentence for each thing that is missing; none if all is there."""
        with self._lock:
            if time.monotonic() >= self._until:
                self._reasons = self._read()
                self._until = time.monotonic() + KEPT_SECONDS
            return self._reasons

    def _read(self) -> list[str]:
        try:
            # Once they are applied they stay so; the tables of this program are never taken back under it.
            self._migrated = self._migrated or not _migrations_missing()
            if not self._migrated:
                return ["Migrations are missing in the database; manage.py prepare applies them."]
            behind = lag()
        except (DatabaseError, InterfaceError) as error:
            log.warning("not ready, the database cannot be asked: %s", error)
            return ["The database cannot be reached."]
        if behind <= settings.READY_LAG_SECONDS:
            return []
        most = settings.READY_LAG_SECONDS
        late = f"The oldest background work is due since {behind:.0f} seconds, more than READY_LAG_SECONDS ({most})"
        return [f"{late}: no worker works, or there are too few."]


def _migrations_missing() -> bool:
    executor = MigrationExecutor(connection)
    return bool(executor.migration_plan(executor.loader.graph.leaf_nodes()))


readiness = Readiness()
"""That of this process."""
