"""The log as lines of JSON, and what a line is about: the request, the match.

What a line says are ids and versions, never what is on a table: hands, decks and seeds are in no message of the log
(tests/server/monitoring/test_logs.py looks for that).
"""

from __future__ import annotations

import json
import logging
import re
import secrets
from collections.abc import Awaitable, Callable, MutableMapping
from contextvars import ContextVar
from datetime import UTC, datetime
from typing import Any

from .version import commit

Message = MutableMapping[str, Any]
Send = Callable[[Message], Awaitable[None]]
Application = Callable[[Any, Any, Any], Awaitable[None]]

HEADER = b"x-request-id"
_GIVEN = re.compile(rb"[A-Za-z0-9-]{8,64}")
_MATCH = re.compile(r"^/(?:ws/matches|ws/lobby|table)/([a-z0-9]{16})/")

request_id: ContextVar[str] = ContextVar("request_id", default="")
match_id: ContextVar[str] = ContextVar("match_id", default="")


class InOneLine(logging.Filter):
    """Takes the tracebacks out of what Celery's clock says of a broker that is away, every five seconds."""

    def filter(self, record: logging.LogRecord) -> bool:
        """Return True, as every line is kept; of one about an error the first line is."""
        if record.exc_info:
            said = record.getMessage().partition("\n")[0]
            record.msg, record.args, record.exc_info = said, (), None
        return True


class Traced:
    """ASGI middleware: each request and socket has an id, which lines of the log name and answers have as a header.

    The id is that of the proxy in front (``X-Request-ID``) where there is one of ours, else a new one.
    """

    def __init__(self, application: Application, proxies: int) -> None:
        self._application = application
        self._believed = proxies > 0

    async def __call__(self, scope: MutableMapping[str, Any], receive: Any, send: Send) -> None:
        if scope["type"] not in ("http", "websocket"):
            await self._application(scope, receive, send)
            return
        own = self._id_of(scope)
        about = _MATCH.match(scope["path"])
        # In a context of its own (each request and socket is a task), so nothing has to be set back.
        request_id.set(own)
        match_id.set(about[1] if about else "")

        async def with_id(message: Message) -> None:
            if message["type"] == "http.response.start":
                message = {**message, "headers": [*message.get("headers", ()), (HEADER, own.encode())]}
            await send(message)

        await self._application(scope, receive, with_id if scope["type"] == "http" else send)

    def _id_of(self, scope: MutableMapping[str, Any]) -> str:
        if self._believed:
            given = next((value for name, value in scope["headers"] if name == HEADER), b"")
            if _GIVEN.fullmatch(given):
                return str(given.decode())
        return secrets.token_hex(8)


class JsonLines(logging.Formatter):
    """One line of JSON for each record: machines read them."""

    def format(self, record: logging.LogRecord) -> str:
        """Return the line."""
        told: dict[str, object] = {
            "time": datetime.fromtimestamp(record.created, UTC).isoformat(timespec="milliseconds"),
            "level": record.levelname,
            "logger": record.name,
            "message": record.getMessage(),
            "process": record.process,
            "version": commit(),
        }
        about = {"request": request_id.get(), "match": match_id.get()}
        told |= {name: value for name, value in about.items() if value}
        if record.exc_info and record.exc_info[0] is not None:
            told["error"] = record.exc_info[0].__name__
            told["traceback"] = self.formatException(record.exc_info)
        if record.stack_info:
            told["stack"] = record.stack_info
        return json.dumps(told, ensure_ascii=False)
