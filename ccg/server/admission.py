"""Which requests are begun, when, and what they cost whoever sends them.

A page takes as much of the processor as it takes, and all of it is taken from the tables, which share the
process. So each visitor (an address, and a person whatever the address) has a budget of processor time:
what their requests took is measured and charged. Whoever is in debt waits until it is paid, if that is soon, and
is told to come back if it is not. Nobody has more than :data:`AT_ONCE` requests in work, and whoever has spent much
of their budget only one; all together not more than :data:`LANES`. The answer that says so costs next to nothing
and takes its time.

What pages are drawn with (styles, scripts, icons) has a budget of its own: a visitor in debt is still told so by
a page that looks like one. So have the addresses for watchers, and threads of their own besides: whatever else is
asked of the site, they learn whether it works.
"""

from __future__ import annotations

import asyncio
import json
import logging
import re
import time
from asyncio import Semaphore
from collections import OrderedDict, deque
from collections.abc import AsyncIterator, Callable
from contextlib import asynccontextmanager, suppress
from functools import lru_cache
from typing import Any

from asgiref.sync import SyncToAsync, ThreadSensitiveContext
from django.conf import settings
from django.db import connections
from django.http import HttpRequest, HttpResponse
from django.template.loader import render_to_string

from ccg.api.errors import is_for_api
from ccg.counting import group_of

from .guard import Application, Message, Receive, Send
from .limits import REMEMBERED, Buckets

log = logging.getLogger(__name__)

Scope = Any

SHARE = 0.1
"""Seconds of processor time that one visitor may use in a second, in the long run."""
BURST = 0.5
"""Seconds of processor time that one visitor may use at once."""
FILES_SHARE = 0.05
"""The same as :data:`SHARE`, for the files that pages are drawn with."""
FILES_BURST = 0.75
"""The same as :data:`BURST`, for these files."""
WATCHERS_SHARE = 0.05
"""The same as :data:`SHARE`, for watchers: some ten answers a second."""
WATCHERS_BURST = 0.5
"""The same as :data:`BURST`, for watchers."""
AT_ONCE = 2
"""Requests of one visitor that are in work at the same time; others wait for these."""
MUCH = 0.3
"""The part of the burst after which they are worked on one after the other: two threads that compute delay the tables
twice as much as one, while a request that only waits (for a child process, say) costs nobody anything."""
LINE = 30
"""Requests of one visitor that may wait."""
LANES = 8
"""Requests that are in work at the same time, of all visitors."""
WATCHERS_LANES = 2
"""The same for requests of watchers, which are not among these."""
PATIENCE = 10.0
"""Seconds after which a request that could not be begun is told to come back later."""
SLOWLY = 2.0
"""Seconds for which a debt is waited for before a request is begun; and those that a refusal takes, so that asking
again and again is slow as well."""
OVERHEAD = 0.002
"""What a request costs that never reaches a page."""
BYTES_A_SECOND = 50_000_000
"""How fast a body is taken in, which costs too."""

FOR_WATCHERS = ("/healthz", "/readyz")
BODIES = (
    ("/admin/", 16 * 1024 * 1024),
    ("/decks/", 256 * 1024),
    ("/collection/", 512 * 1024),
    ("/api/v1/", 512 * 1024),
    ("", 32 * 1024),
)
"""The longest body by the beginning of the path. A deck list has 64 KiB, and up to six times that as JSON; a form
spells one byte as three."""

IN_SHORT = {
    413: "This is larger than anything that can be sent here. Nothing was changed.",
    429: "Too many requests at once. Please wait a little.",
}
CODES = {413: "too_large", 429: "too_many_requests"}
"""What programs are told."""
PAGES = {413: "413.html", 429: "too_fast.html"}
"""What people are told."""
_SESSION = re.compile(rb"(?:^|[; ])sessionid=([a-z0-9]{8,40})")


class Admission:
    """ASGI middleware for HTTP, in front of Django; ``clock`` gives the seconds by which budgets fill again."""

    def __init__(self, application: Application, clock: Callable[[], float] = time.monotonic) -> None:
        self._application = application
        lanes = _Lanes(LANES)
        self._pages = _Kind(Buckets(SHARE, BURST, clock), lanes)
        self._files = _Kind(Buckets(FILES_SHARE, FILES_BURST, clock), lanes)
        self._watching = _Kind(Buckets(WATCHERS_SHARE, WATCHERS_BURST, clock), _Lanes(WATCHERS_LANES))
        self._people: OrderedDict[bytes, str] = OrderedDict()

    async def __call__(self, scope: Scope, receive: Receive, send: Send) -> None:
        if scope["type"] != "http":
            await self._application(scope, receive, send)
            return
        most = longest_body(scope["path"])
        length = _length(scope)
        if length is None:
            receive, length = await _taken(receive, most)
        kind = self._kind_of(scope["path"])
        budget = kind.budget
        session = _session(scope)
        visitors = [group_of(scope["client"][0]), *filter(None, [self._people.get(session)])]
        if length > most:
            await _refuse(send, scope["path"], 413, budget, visitors, min(length, 2 * most))
            return
        wait = PATIENCE
        with suppress(_NotInTime):
            async with kind.turn_of(visitors[0]):
                wait = max(map(budget.wait, visitors))
                if wait <= SLOWLY:
                    if wait:
                        await asyncio.sleep(wait)
                    async with kind.lanes.one():
                        await self._do(scope, receive, send, visitors, session, budget)
                    return
        await _refuse(send, scope["path"], 429, budget, visitors, length, retry=int(wait) + 1)

    async def _do(
        self, scope: Scope, receive: Receive, send: Send, visitors: list[str], session: bytes, budget: Buckets
    ) -> None:
        try:
            await self._application(scope, receive, send)
        finally:
            spent = scope.get("spent", 0.0) + OVERHEAD + (_length(scope) or 0) / BYTES_A_SECOND
            person = scope.get("person")
            if person and person not in visitors:
                visitors = [visitors[0], person]
                self._people[session] = person
                while len(self._people) > REMEMBERED:
                    self._people.popitem(last=False)
            for visitor in visitors:
                budget.spend(visitor, spent)

    def _kind_of(self, path: str) -> _Kind:
        if path in FOR_WATCHERS:
            return self._watching
        return self._files if path.startswith(settings.STATIC_URL) else self._pages


@asynccontextmanager
async def _soon(place: Semaphore) -> AsyncIterator[None]:
    """Hold ``place``; raises _NotInTime where it does not become free in time."""
    try:
        async with asyncio.timeout(PATIENCE):
            await place.acquire()
    except TimeoutError:
        raise _NotInTime from None
    try:
        yield
    finally:
        place.release()


class _Lanes:
    """The threads in which requests are worked on. They stay, and with them their connections to the database.

    Django gives each request a new thread unless it is in such a context already. Opening SQLite there, and reading its
    schema again, took three of the eight milliseconds of a page.
    """

    def __init__(self, number: int) -> None:
        self._turn = Semaphore(number)
        self._free = deque(ThreadSensitiveContext() for _ in range(number))

    @asynccontextmanager
    async def one(self) -> AsyncIterator[None]:
        """Hold a lane, in which the thread is that of the lane; raises _NotInTime where none becomes free in time."""
        async with _soon(self._turn):
            lane = self._free.popleft()
            before = SyncToAsync.thread_sensitive_context.set(lane)
            try:
                yield
            except asyncio.CancelledError:
                # Daphne has given the request up, and its thread may be at work for it as long as it likes: it ends
                # with that, gives its connection back (a pool counts one that is only forgotten as used for ever), and
                # another takes its place.
                thread = SyncToAsync.context_to_thread_executor.pop(lane, None)
                if thread is not None:
                    thread.submit(connections.close_all)
                    thread.shutdown(wait=False)
                lane = ThreadSensitiveContext()
                raise
            finally:
                SyncToAsync.thread_sensitive_context.reset(before)
                self._free.append(lane)


class _Kind:
    """Requests of a kind: the budget that visitors have for them, the threads that work on them, and who waits."""

    def __init__(self, budget: Buckets, lanes: _Lanes) -> None:
        self.budget = budget
        self.lanes = lanes
        self._queues: dict[str, _Queue] = {}

    @asynccontextmanager
    async def turn_of(self, visitor: str) -> AsyncIterator[None]:
        """Wait for one's turn; raises _NotInTime where it does not come in time or too many wait already."""
        # With limits off, addresses stand for nobody: one client may be a whole crowd.
        queue = self._queues.setdefault(visitor, _Queue()) if settings.LIMITS else _Queue()
        if queue.inside >= LINE + AT_ONCE:
            raise _NotInTime
        queue.inside += 1
        try:
            async with _soon(queue.turn), _soon(queue.alone if self.budget.used(visitor) > MUCH else Semaphore()):
                yield
        finally:
            queue.inside -= 1
            if not queue.inside and self._queues.get(visitor) is queue:
                del self._queues[visitor]


class _NotInTime(Exception):
    """A request could not be begun."""


class _Queue:
    """The requests of one visitor."""

    def __init__(self) -> None:
        self.inside = 0
        self.turn = Semaphore(AT_ONCE)
        self.alone = Semaphore()


class Metered:
    """Middleware, the outermost: measures what the request takes, and remembers who it was."""

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        began = time.thread_time()
        try:
            return self._get_response(request)
        finally:
            scope = getattr(request, "scope", {})
            scope["spent"] = time.thread_time() - began
            user = getattr(request, "_cached_user", None)  # set once somebody has asked who it is
            scope["person"] = f"person {user.pk}" if user is not None and user.is_authenticated else ""


@lru_cache(maxsize=2 * len(PAGES))
def _refusal_body(status: int, *, api: bool) -> tuple[bytes, bytes]:
    """Return the body and the content type of a refusal."""
    if api:
        return json.dumps({"code": CODES[status], "detail": IN_SHORT[status]}).encode(), b"application/json"
    return render_to_string(PAGES[status]).encode(), b"text/html; charset=utf-8"


async def _refuse(
    send: Send, path: str, status: int, budget: Buckets, visitors: list[str], length: int, retry: int = 0
) -> None:
    """Answer without having begun anything; what was taken in before has cost something all the same."""
    for visitor in visitors:
        budget.spend(visitor, OVERHEAD / 10 + length / BYTES_A_SECOND)
    await asyncio.sleep(SLOWLY if settings.LIMITS else 0)
    await _answer(send, status, path, retry)


async def _answer(send: Send, status: int, path: str, retry: int = 0) -> None:
    body, kind = _refusal_body(status, api=is_for_api(path))
    headers = [(b"content-type", kind), (b"content-length", str(len(body)).encode()), (b"cache-control", b"no-store")]
    headers += [(b"x-content-type-options", b"nosniff"), (b"connection", b"close")]
    headers += [(b"retry-after", str(retry).encode())] if retry else []
    await send({"type": "http.response.start", "status": status, "headers": headers})
    await send({"type": "http.response.body", "body": body})


def longest_body(path: str) -> int:
    """Return how long the body of a request for ``path`` may be."""
    return next(limit for start, limit in BODIES if path.startswith(start))


def _header(scope: Scope, wanted: bytes) -> bytes:
    return next((value for name, value in scope["headers"] if name == wanted), b"")


def _length(scope: Scope) -> int | None:
    """Return the declared length of the body; None if it is sent in chunks, without a length."""
    header = _header(scope, b"content-length")
    if header:
        return int(header) if header.isdigit() and len(header) < 15 else 2**62
    return None if _header(scope, b"transfer-encoding") else 0


def _session(scope: Scope) -> bytes:
    match = _SESSION.search(_header(scope, b"cookie")[:8192])
    return match[1] if match else b""


async def _taken(receive: Receive, most: int) -> tuple[Receive, int]:
    """Take in a body that did not say its length, up to ``most``; return how to receive it again, and its length."""
    pieces: list[Message] = []
    length, more = 0, True
    while more and length <= most:
        pieces.append(await receive())
        length += len(pieces[-1].get("body", b""))
        more = bool(pieces[-1].get("more_body"))
    pieces.reverse()

    async def again() -> Message:
        return pieces.pop() if pieces else await receive()

    return again, length
