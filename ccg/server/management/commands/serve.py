"""``manage.py serve``: the server process."""

from __future__ import annotations

import os
from typing import Any

# Read by daphne when it is imported: threads for everything that is not asynchronous.
os.environ.setdefault("ASGI_THREADS", "8")

from daphne.endpoints import build_endpoint_description_strings
from daphne.server import Server
from django.conf import settings
from django.core.management.base import BaseCommand, CommandError

from ccg.outbox.threads import Drainers
from ccg.server.asgi import application
from ccg.server.guard import TRANSPORT_BYTES


class SiteServer(Server):
    """Daphne, saying when it listens and remembering when it could not."""

    failure: str = ""

    def listen_success(self, port: Any) -> None:
        """The address is ours; tell the person who started us where to look."""
        super().listen_success(port)
        print(f"Ragtag Fleet is at {settings.SITE_ORIGINS[0]}/  (stop it with Ctrl-C)", flush=True)

    def listen_error(self, failure: Any) -> None:
        """Somebody else has the address."""
        self.failure = failure.getErrorMessage()
        self.stop()


class Command(BaseCommand):
    """Serves the site on HOST:PORT until it is told to stop; in the embedded profile drains the outbox too."""

    help = "Run the server (daphne) on HOST:PORT, see docs/operating.md."

    def handle(self, *args: Any, **options: Any) -> None:
        self.check(display_num_errors=True)
        server = SiteServer(
            application,
            endpoints=build_endpoint_description_strings(host=settings.HOST, port=settings.PORT),
            http_timeout=60,
            # Autobahn applies these to what we send as well, so they are not the 16 KiB that a player
            # may send (the guard sees to that): a table seen by eight players is longer.
            websocket_max_message_size=TRANSPORT_BYTES,
            websocket_max_frame_size=TRANSPORT_BYTES,
            proxy_forwarded_address_header="X-Forwarded-For" if settings.BEHIND_PROXY else None,
            proxy_forwarded_proto_header="X-Forwarded-Proto" if settings.BEHIND_PROXY else None,
            server_name="",
        )
        drainers = Drainers(settings.OUTBOX_THREADS)
        drainers.start()
        try:
            server.run()
        finally:
            drainers.stop()
        if server.failure:
            raise CommandError(f"The server cannot listen on {settings.HOST}:{settings.PORT}: {server.failure}")
