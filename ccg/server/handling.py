"""Django's entry, fitted to this site: all of a request is done in one thread."""

from __future__ import annotations

from typing import Any

from asgiref.sync import sync_to_async
from django.core.handlers.asgi import ASGIHandler
from django.http import HttpRequest, HttpResponseBase


class SiteHandler(ASGIHandler):
    """Runs middleware, page, and what is said where they fail as one function, in the thread of the request.

    Django's own runs what is innermost on the event loop: all of it would hop to a thread and back, twice. And it makes
    the pages for errors in whatever thread is free. Nobody looks after the connections of those threads to the
    database: once it has been away, they would be dead for good, and so would every page for an error be.
    """

    def load_middleware(self, is_async: bool = False) -> None:
        """Make the chain of middleware for one thread."""
        super().load_middleware(is_async=False)

    async def get_response_async(self, request: HttpRequest) -> HttpResponseBase:
        """Return the answer to ``request``."""
        answer: Any = await sync_to_async(self.get_response)(request)
        response: HttpResponseBase = answer
        return response
