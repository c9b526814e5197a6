"""Lines to the sockets of a site, as all who sit down or wait there open them."""

from __future__ import annotations

from typing import Any

from websockets.asyncio.client import connect
from websockets.typing import Origin


def line(url: str, match: str, cookies: str = "", **more: Any) -> connect:
    """Return a line to the table of ``match`` at the site ``url``, as :func:`line_to` does."""
    return line_to(url, f"matches/{match}/", cookies, **more)


def line_to(url: str, path: str, cookies: str = "", **more: Any) -> connect:
    """Return a line to the socket at ``path`` of the site ``url``, still to be opened, with ``more`` as it has to be.

    Nothing on it is compressed, no message is too long, and nobody asks whether the other side is there.
    """
    return connect(
        f"ws{url.removeprefix('http')}/ws/{path}",
        origin=Origin(url),
        additional_headers={"Cookie": cookies} if cookies else {},
        compression=None,
        ping_interval=None,
        max_size=None,
        **more,
    )
