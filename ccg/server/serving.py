"""Daphne, fitted to this site."""

from __future__ import annotations

import os
from typing import Any

# Read by daphne when it is imported: threads for everything that is not asynchronous.
os.environ.setdefault("ASGI_THREADS", "8")

from daphne import http_protocol
from daphne.endpoints import build_endpoint_description_strings
from daphne.server import Server
from daphne.ws_protocol import WebSocketFactory, WebSocketProtocol
from django.conf import settings

from .guard import TRANSPORT_BYTES

# The longest body of a request. The largest that is meant, an uploaded card set, has 2 MB; forms say so
# themselves as long as a file is not longer than this.
BODY_BYTES = 16 * 1024 * 1024
TOO_LARGE = b"This is larger than anything that can be sent here. Nothing was changed.\n"


class SiteRequest(http_protocol.WebRequest):
    """Daphne's request with a bound: a body is taken in whole, to memory or disk, before we see any of it."""

    refused = False

    def gotLength(self, length: int | None) -> None:  # noqa: N802
        """The headers are here: refuse what says that it is too long."""
        super().gotLength(length)
        if length is not None and length > BODY_BYTES:
            self._refuse()

    def handleContentChunk(self, data: bytes) -> None:  # noqa: N802
        """More of the body is here: refuse what has become too long without having said so."""
        if not self.refused and self.content.tell() + len(data) > BODY_BYTES:
            self._refuse()
        if not self.refused:
            super().handleContentChunk(data)

    def process(self) -> Any:
        """Everything is here: hand it on, unless it was refused meanwhile."""
        return None if self.refused else super().process()

    def _refuse(self) -> None:
        self.refused = True
        head = f"HTTP/1.1 413 Content Too Large\r\nContent-Type: text/plain\r\nContent-Length: {len(TOO_LARGE)}\r\n"
        self.channel.transport.write(head.encode() + b"Connection: close\r\n\r\n" + TOO_LARGE)
        self.channel.loseConnection()


class SiteSocket(WebSocketProtocol):
    """Daphne's WebSocket without two of its traps."""

    # Kept by the standard for servers, yet refused by Autobahn.
    SERVER_CODES = frozenset({1008, 1011, 1013})

    def serverClose(self, code: int | None = None) -> None:  # noqa: N802
        """Close with this code; daphne's own way raises for all but 1000 and 3000 to 4999."""
        if code in self.SERVER_CODES:
            self.sendCloseFrame(code=code)
        else:
            super().serverClose(code)

    def serverSend(self, content: str | bytes, binary: bool = False) -> None:  # noqa: N802
        """Send, unless the other side is gone by now: that happens all the time, and is nobody's fault."""
        if self.state not in (self.STATE_CLOSING, self.STATE_CLOSED):
            super().serverSend(content, binary)


class SiteServer(Server):
    """Daphne on HOST:PORT, saying when it listens and remembering when it could not."""

    failure: str = ""

    def __init__(self, application: Any) -> None:
        super().__init__(
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

    def run(self) -> None:
        """Serve until told to stop."""
        # The server makes its factories itself and offers no other way to name the classes.
        WebSocketFactory.protocol = SiteSocket
        http_protocol.WebRequest = SiteRequest
        super().run()

    def listen_success(self, port: Any) -> None:
        """The address is ours; tell the person who started us where to look."""
        super().listen_success(port)
        print(f"Ragtag Fleet is at {settings.SITE_ORIGINS[0]}/  (stop it with Ctrl-C)", flush=True)

    def listen_error(self, failure: Any) -> None:
        """Somebody else has the address."""
        self.failure = failure.getErrorMessage()
        self.stop()
