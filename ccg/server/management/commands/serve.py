"""``manage.py serve``: the server process."""

from __future__ import annotations

from typing import Any

from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from ccg.outbox.threads import Drainers
from ccg.server.asgi import application
from ccg.server.serving import SiteServer


class Command(BaseCommand):
    """Serves the site on HOST:PORT until it is told to stop; in the embedded profile drains the outbox too."""

    help = "Run the server (daphne) on HOST:PORT, see docs/operating.md."

    def handle(self, *args: Any, **options: Any) -> None:
        server = SiteServer(application)
        drainers = Drainers(settings.OUTBOX_THREADS)
        drainers.start()
        try:
            server.run()
        finally:
            drainers.stop()
        if server.failure:
            raise CommandError(f"The server cannot listen on {settings.HOST}:{settings.PORT}: {server.failure}")
