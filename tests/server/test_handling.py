"""In which thread a request is done."""

from __future__ import annotations

import threading
from typing import Any

import pytest
from asgiref.testing import ApplicationCommunicator
from django.http import HttpRequest, HttpResponse

from ccg.server.admission import Metered
from ccg.server.asgi import application


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
