"""In which thread a request is done, and what is kept of it."""

from __future__ import annotations

import asyncio
import gc
import threading
import weakref
from collections.abc import Callable, Iterator
from typing import Any

import pytest
from asgiref.testing import ApplicationCommunicator
from django.http import HttpRequest, HttpResponse

from ccg.server.admission import Metered
from ccg.server.asgi import application
from ccg.server.handling import SiteHandler

ASKED = {"type": "http", "path": "/", "method": "POST", "query_string": b""}
FORM = [(b"host", b"here"), (b"content-type", b"application/x-www-form-urlencoded")]


@pytest.mark.parametrize(("path", "status"), [("/nothing/is/here/", 404), ("/decks/nothing-is-here/", 404), ("/", 500)])
@pytest.mark.django_db(transaction=True)
async def test_errors_are_told_in_the_thread_of_the_request(
    path: str, status: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """In no other one is a connection to the database let go that has died."""
    begun: list[int] = []
    ended: list[int] = []
    metered = Metered.__call__

    def through(middleware: Metered, request: HttpRequest) -> HttpResponse:
        begun.append(threading.get_ident())
        return metered(middleware, request)

    def told(request: HttpRequest, exception: object = None) -> HttpResponse:
        ended.append(threading.get_ident())
        return HttpResponse("told", status=status)

    def broken(*args: Any) -> None:
        raise ZeroDivisionError

    monkeypatch.setattr(Metered, "__call__", through)
    monkeypatch.setattr("ccg.server.urls.handler404", told, raising=False)
    monkeypatch.setattr("ccg.server.urls.handler500", told)
    monkeypatch.setattr("ccg.server.front.parts", broken)
    scope = {"type": "http", "method": "GET", "path": path, "query_string": b"", "headers": [(b"host", b"127.0.0.1")]}
    visit = ApplicationCommunicator(application, {**scope, "client": ("127.0.0.1", 4000), "http_version": "1.1"})
    await visit.send_input({"type": "http.request", "body": b"", "more_body": False})
    assert (await visit.receive_output(10))["status"] == status
    await visit.receive_output(10)
    await visit.wait(10)
    assert len(begun) == 1
    assert begun == ended


@pytest.fixture
def uncollected() -> Iterator[None]:
    """What waits for the collector stays."""
    gc.disable()
    yield
    gc.enable()


def answered(page: Callable[[HttpRequest], HttpResponse], body: bytes = b"") -> None:
    """Have one request answered by ``page`` as daphne does, which says of each answered one that it has ended."""
    handler = SiteHandler()
    handler._middleware_chain = page

    async def asked() -> None:
        waiting: asyncio.Queue[dict[str, Any]] = asyncio.Queue()

        async def send(message: Any) -> None:
            if message["type"] == "http.response.body" and not message.get("more_body"):
                waiting.put_nowait({"type": "http.disconnect"})

        waiting.put_nowait({"type": "http.request", "body": body})
        head = [*FORM, (b"content-length", str(len(body)).encode())]
        await handler({**ASKED, "headers": head}, waiting.get, send)

    asyncio.run(asked())


def test_an_answer_is_gone_as_soon_as_it_is_given(uncollected: None) -> None:
    """Else all pages that were asked for lately stay, however large they are."""
    given: list[weakref.ref[HttpResponse]] = []

    def page(request: HttpRequest) -> HttpResponse:
        answer = HttpResponse(b"a page")
        given.append(weakref.ref(answer))
        return answer

    answered(page)
    assert given[0]() is None


def test_what_a_form_has_said_is_not_kept_with_its_request() -> None:
    seen: list[HttpRequest] = []

    def page(request: HttpRequest) -> HttpResponse:
        seen.append(request)
        return HttpResponse(request.POST["text"])

    answered(page, b"text=something")
    assert not any("something" in str(kept) for kept in vars(seen[0]).values())
