"""Django's entry, fitted to this site: all of a request is done in one thread."""

from __future__ import annotations

from typing import Any

from asgiref.sync import sync_to_async
from django.core.exceptions import RequestAborted
from django.core.handlers.asgi import ASGIHandler
from django.http import HttpRequest, HttpResponseBase

from .guard import Message, Receive, Send


class _Asked:
    """What is received of one request, and the exception with which daphne's word that it has ended was told."""

    def __init__(self, receive: Receive) -> None:
        self._receive = receive
        self.ended: RequestAborted | None = None

    async def __call__(self) -> Message:
        return await self._receive()


class SiteHandler(ASGIHandler):
    """Runs middleware, page, and what is said where they fail as one function, in the thread of the request.

    Django's own runs what is innermost on the event loop: all of it would hop to a thread and back, twice. And it makes
    the pages for errors in whatever thread is free. Nobody looks after the connections of those threads to the
    database: once it has been away, they would be dead for good, and so would every page for an error be.
    """

    async def handle(self, scope: Any, receive: Receive, send: Send) -> None:
        """Answer one request, and keep nothing of it.

        Daphne says of each one that it has ended, for which Django raises an exception. That holds the function in
        which it was raised, with the tasks of the request, of which one holds the exception: the request and its whole
        answer would stay until the collector looks at all objects.
        """
        asked = _Asked(receive)
        try:
            await super().handle(scope, asked, send)
        finally:
            if asked.ended is not None:
                asked.ended.__traceback__ = None

    async def listen_for_disconnect(self, receive: _Asked) -> None:
        """Raise RequestAborted once the request has ended, answered or not."""
        try:
            await super().listen_for_disconnect(receive)
        except RequestAborted as ended:
            receive.ended = ended
            raise

    def load_middleware(self, is_async: bool = False) -> None:
        """Make the chain of middleware for one thread."""
        super().load_middleware(is_async=False)

    async def get_response_async(self, request: HttpRequest) -> HttpResponseBase:
        """Return the answer to ``request``."""
        answer: Any = await sync_to_async(self.get_response)(request)
        response: HttpResponseBase = answer
        # Middleware gives a request things that hold it in turn: of a long body, nothing is to stay with them.
        for read in ("_body", "_post"):
            request.__dict__.pop(read, None)
        return response
