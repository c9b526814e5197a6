"""``manage.py cluster``: all processes of the full profile on this machine."""

from __future__ import annotations

import contextlib
from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError, CommandParser
from django.utils import timezone

from ccg.server.cluster.cluster import AlreadyRuns, Cluster, Plan
from ccg.server.cluster.programs import Missing
from ccg.server.cluster.stores import Unreachable
from ccg.server.cluster.supervisor import NotStarted


class Command(BaseCommand):
    """Runs PostgreSQL, Redis, servers, workers, beat and nginx until it is told to stop."""

    help = "Run the whole site on this machine: several servers and workers, and nginx in front (docs/operating.md)."

    def add_arguments(self, parser: CommandParser) -> None:
        """How many processes."""
        parser.add_argument("--webs", type=int, default=2, help="server processes (1 to 32)")
        parser.add_argument("--workers", type=int, default=2, help="Celery workers (1 to 32)")

    def handle(self, *args: Any, **options: Any) -> None:
        """Run it; what is missing or in the way is told in a sentence."""
        for name in ("webs", "workers"):
            if not 1 <= options[name] <= 32:
                raise CommandError(f"--{name} is a number from 1 to 32.")
        if bool(settings.DATABASE_URL) != bool(settings.REDIS_URL):
            raise CommandError("DATABASE_URL is set and REDIS_URL is not. Set both, or neither for a cluster's own.")
        plan = Plan(
            folder=settings.VAR_DIR / "cluster",
            host=settings.HOST,
            port=settings.PORT,
            webs=options["webs"],
            workers=options["workers"],
        )
        try:
            Cluster(plan, self._say).run(self._listening)
        except (AlreadyRuns, Missing, NotStarted, Unreachable) as reason:
            raise CommandError(str(reason)) from reason
        self._say("everything has stopped")

    def _listening(self) -> None:
        self.stdout.write(f"Ragtag Fleet is at {settings.SITE_ORIGINS[0]}/  (stop it with Ctrl-C)")
        self.stdout.flush()

    def _say(self, text: str) -> None:
        # Where there is no room for news, or nobody to read them any more, what runs goes on all the same.
        with contextlib.suppress(OSError):
            self.stderr.write(f"{timezone.now():%H:%M:%S} {text}")
