"""The client of the proofs gets its seat as a person would."""

from __future__ import annotations

import threading
from collections.abc import Iterator
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer

import pytest

from ccg.server.proving.client.visits import VisitError, Visitor


class Busy(BaseHTTPRequestHandler):
    """A site that says once to come back in a while, and takes no form without the token of a page."""

    refused = 0
    most = 1

    def do_GET(self) -> None:
        type(self).refused += 1
        if self.refused <= self.most:
            self._say(429, ("Retry-After", "0.05"))
        else:
            self._say(200, ("Set-Cookie", "csrftoken=abc"))

    def do_POST(self) -> None:
        self.rfile.read(int(self.headers["Content-Length"]))
        self._say(302 if self.headers["X-CSRFToken"] == "abc" else 403, ("Set-Cookie", "sessionid=def"))

    def _say(self, status: int, header: tuple[str, str]) -> None:
        self.send_response(status)
        self.send_header(*header)
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *args: object) -> None:
        """Say nothing."""


@pytest.fixture
def busy() -> Iterator[str]:
    Busy.refused, Busy.most = 0, 1
    with ThreadingHTTPServer(("127.0.0.1", 0), Busy) as server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        yield f"http://127.0.0.1:{server.server_address[1]}"
        server.shutdown()


def test_who_is_told_to_come_back_comes_back_for_the_token(busy: str) -> None:
    visitor = Visitor(busy, patience=5)
    visitor.become_guest()
    assert visitor.cookies == {"csrftoken": "abc", "sessionid": "def"}
    visitor.close()


def test_who_gets_no_token_says_so_and_sends_no_form(busy: str) -> None:
    Busy.most = 1000
    visitor = Visitor(busy, patience=0.2)
    with pytest.raises(VisitError, match="no token: 429"):
        visitor.become_guest()
    visitor.close()
