"""Where a request really comes from.

A proxy adds the address it was reached from at the *end* of ``X-Forwarded-For``; whatever stands in front
of what our own proxies added was written by whoever asked, and may be anything. So the entry that counts
is the one as many places from the end as there are proxies of ours.
"""

from __future__ import annotations

from collections.abc import Awaitable, Callable, Iterable, MutableMapping
from ipaddress import ip_address
from typing import Any

HEADER = b"x-forwarded-for"

Application = Callable[[Any, Any, Any], Awaitable[None]]


class RealAddresses:
    """ASGI middleware: ``scope["client"]`` is who asked, as the last ``proxies`` hops tell it.

    Everything behind it (Django's ``REMOTE_ADDR``, limits, sign-in, the log) reads it from there and looks
    at no header itself.
    """

    def __init__(self, application: Application, proxies: int) -> None:
        self._application = application
        self._proxies = proxies

    async def __call__(self, scope: MutableMapping[str, object], receive: Any, send: Any) -> None:
        scope["client"] = [client_of(scope, self._proxies), 0]
        await self._application(scope, receive, send)


def client_of(scope: MutableMapping[str, object], proxies: int) -> str:
    """Return the client's address as the proxies report it, or that of the connection without a usable header."""
    client = scope.get("client")
    nearest = str(client[0]) if isinstance(client, list | tuple) and client else ""
    headers = scope.get("headers")
    if not proxies or not isinstance(headers, Iterable):
        return nearest
    addresses = b",".join(value for name, value in headers if name == HEADER).decode("latin-1").split(",")
    if len(addresses) < proxies:
        return nearest  # it did not come through all of them
    return _plain(addresses[-proxies].strip()) or nearest


def _plain(text: str) -> str:
    """Return the address without the port that some proxies add; "" for what is no address."""
    for form in (text, text.strip("[]"), text.rpartition(":")[0].strip("[]")):
        try:
            return str(ip_address(form))
        except ValueError:
            continue
    return ""
