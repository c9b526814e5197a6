"""A server that is told to stop while it works on something."""

from __future__ import annotations

import contextlib
import time
from http.client import HTTPConnection
from pathlib import Path

from tests.running import running_site


def test_a_page_that_is_not_ready_does_not_keep_the_server_from_ending(tmp_path: Path) -> None:
    """Its thread waits for an event loop that does not run any more, and Python for the thread."""
    with running_site(tmp_path, {}, plant="tests.server.planted:the_front_page_takes_its_time") as site:
        asking = HTTPConnection("127.0.0.1", site.port)
        with contextlib.closing(asking):
            asking.request("GET", "/")
            time.sleep(1)  # it is being worked on
            assert site.stop(), f"it needed no kill\n{site.said()}"
        assert "still being worked on" in site.said()
        assert "Traceback" not in site.said()
