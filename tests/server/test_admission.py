"""Which requests are begun, and what they cost who sends them."""

from __future__ import annotations

import asyncio
import json
import threading
import time
from datetime import timedelta
from typing import Any
from urllib.parse import urlencode

import pytest
from asgiref.sync import ThreadSensitiveContext, sync_to_async
from django.contrib.auth import get_user_model
from django.contrib.sessions.models import Session
from django.core.cache.backends.locmem import LocMemCache
from django.db import OperationalError, connection, connections
from django.test import Client
from django.urls import reverse
from django.utils import timezone

from ccg import counting
from ccg.counting import counted
from ccg.server import admission, limits, sessions
from ccg.server.admission import (
    AT_ONCE,
    BODIES,
    BURST,
    FILES_BURST,
    LANES,
    LINE,
    MUCH,
    OVERHEAD,
    SHARE,
    WATCHERS_BURST,
    WATCHERS_LANES,
    Admission,
    longest_body,
)
from ccg.server.limits import Buckets
from ccg.server.sessions import MAX_BYTES, SessionStore, SessionTooLarge
from decks import owning
from decks.lists import textlist


class Clock:
    """A clock that goes when it is told to."""

    now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


def test_so_much_at_once_and_so_much_in_the_long_run(clock: Clock) -> None:
    buckets = Buckets(rate=2, burst=10, clock=clock)
    assert [buckets.take("a") for _ in range(12)] == [True] * 10 + [False] * 2
    assert buckets.take("b"), "others have their own"
    assert buckets.wait("a", 1) == 0.5
    clock.now += 0.5
    assert buckets.take("a")
    assert not buckets.take("a")
    clock.now += 1_000_000
    assert [buckets.take("a") for _ in range(12)].count(True) == 10, "no more is saved up"


def test_what_was_done_is_paid(clock: Clock) -> None:
    buckets = Buckets(rate=2, burst=10, clock=clock)
    buckets.spend("a", 30)
    assert buckets.wait("a") == 10
    clock.now += 10
    assert buckets.wait("a") == 0


def test_limits_are_multiplied_and_switched_off(clock: Clock, settings: Any) -> None:
    buckets = Buckets(rate=2, burst=10, clock=clock)
    settings.LIMITS = 2.0
    assert [buckets.take("a") for _ in range(25)].count(True) == 20
    settings.LIMITS = 0.0
    assert all(buckets.take("a") for _ in range(100))


def test_only_so_many_visitors_are_remembered(clock: Clock, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(limits, "REMEMBERED", 5)
    buckets = Buckets(rate=1, burst=1, clock=clock)
    assert all(buckets.take(str(number)) for number in range(1000))
    assert len(buckets._spent) == 5


class Broken:
    """A cache whose server is away."""

    def add(self, *args: Any, **more: Any) -> None:
        raise ConnectionError("away")


def test_counting_goes_on_without_the_cache(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(counting, "cache", Broken())
    assert [counted("things", "somebody", 3, 3600) for _ in range(5)] == [True] * 3 + [False] * 2
    assert counted("things", "somebody else", 3, 3600)


def test_no_count_is_forgotten_because_others_are_counted(settings: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    """A count that a thousand guests push out lets one guess at passwords, and make guests, without end."""
    monkeypatch.setattr(counting, "cache", LocMemCache("a thousand guests", settings.CACHES["default"]))
    assert counted("passwords", "somebody", 1, 3600)
    for guest in range(1000):
        counted("files", str(guest), 6, 3600)
    assert not counted("passwords", "somebody", 1, 3600)


# -- the gate


class Visit:
    """One request through the gate, as a server would bring it."""

    def __init__(self, path: str = "/cards/", address: str = "1.2.3.4", body: bytes = b"", **headers: str) -> None:
        said = [(name.replace("_", "-").encode(), value.encode()) for name, value in headers.items()]
        if body and "transfer_encoding" not in headers:
            said.append((b"content-length", str(len(body)).encode()))
        self.scope: dict[str, Any] = {"type": "http", "path": path, "client": [address, 1], "headers": said}
        self.sent: list[Any] = []
        self.coming = [
            {"type": "http.request", "body": body[start : start + 8192], "more_body": start + 8192 < len(body)}
            for start in range(0, max(1, len(body)), 8192)
        ]

    async def receive(self) -> Any:
        return self.coming.pop(0) if self.coming else {"type": "http.disconnect"}

    async def send(self, message: Any) -> None:
        self.sent.append(message)

    async def through(self, gate: Admission) -> int:
        await gate(self.scope, self.receive, self.send)
        return int(self.sent[0]["status"])


class Page:
    """Instead of Django: takes in the body, and then so much of the processor."""

    def __init__(self, costs: float = 0.0, person: str = "") -> None:
        self.costs = costs
        self.person = person
        self.bodies: list[bytes] = []
        self.inside = 0
        self.most = 0
        self.open = asyncio.Event()
        self.open.set()

    async def __call__(self, scope: Any, receive: Any, send: Any) -> None:
        self.inside += 1
        self.most = max(self.most, self.inside)
        pieces, more = [], True
        while more:
            message = await receive()
            pieces.append(message["body"])
            more = message["more_body"]
        self.bodies.append(b"".join(pieces))
        await self.open.wait()
        scope["spent"], scope["person"] = self.costs, self.person
        await send({"type": "http.response.start", "status": 200})
        await send({"type": "http.response.body"})
        self.inside -= 1


def gate_of(application: Any) -> Admission:
    """Return the gate before ``application``, with a clock that stands: no budget fills again by itself."""
    return Admission(application, clock=Clock())


@pytest.fixture(autouse=True)
def _limits_at_once(monkeypatch: pytest.MonkeyPatch, settings: Any) -> None:
    settings.LIMITS = 1.0
    monkeypatch.setattr(admission, "SLOWLY", 0.0)
    monkeypatch.setattr(admission, "PATIENCE", 5.0)


async def test_who_has_used_up_their_share_is_told_to_wait() -> None:
    gate = gate_of(Page(costs=BURST / 3))
    answers = [await Visit().through(gate) for _ in range(5)]
    assert answers == [200] * 3 + [429] * 2
    assert await Visit(address="1.2.3.5").through(gate) == 200, "nobody else is"
    refused = Visit()
    await refused.through(gate)
    headers = dict(refused.sent[0]["headers"])
    assert 1 <= int(headers[b"retry-after"]) <= BURST / SHARE
    assert b"A little slower" in refused.sent[1]["body"]
    # The page that a form leads to may be refused after the form was taken.
    assert b"the form may have been taken" in refused.sent[1]["body"]
    api = Visit(path="/api/v1/cards/")
    await api.through(gate)
    assert dict(api.sent[0]["headers"])[b"content-type"] == b"application/json"
    assert await Visit(path="/healthz").through(gate) == 200, "watchers have a budget of their own"


async def test_watchers_are_answered_whatever_others_do_and_ask_for_so_much_only() -> None:
    held, threads = threading.Event(), set()

    async def as_django(scope: Any, receive: Any, send: Any) -> None:
        async with ThreadSensitiveContext():
            if scope["path"] == "/healthz":
                threads.add(await sync_to_async(threading.get_ident)())
            else:
                await sync_to_async(held.wait)()
        scope["spent"] = WATCHERS_BURST / 10
        await send({"type": "http.response.start", "status": 200})
        await send({"type": "http.response.body"})

    gate = gate_of(as_django)
    try:
        others = [asyncio.create_task(Visit(address=f"1.2.4.{n}").through(gate)) for n in range(2 * LANES)]
        await asyncio.sleep(0.1)
        answers = [
            await asyncio.gather(*(Visit(path="/healthz").through(gate) for _ in range(10)))
            for _ in ("served", "refused")
        ]
    finally:
        held.set()
    assert set(await asyncio.gather(*others)) == {200}
    assert answers == [[200] * 10, [429] * 10]
    assert len(threads) <= WATCHERS_LANES


async def test_requests_are_worked_on_in_threads_that_stay() -> None:
    threads: list[int] = []

    async def as_django(scope: Any, receive: Any, send: Any) -> None:
        async with ThreadSensitiveContext():
            threads.append(await sync_to_async(threading.get_ident)())
        await send({"type": "http.response.start", "status": 200})
        await send({"type": "http.response.body"})

    gate = gate_of(as_django)
    for number in range(5):
        await asyncio.gather(*(Visit(address=f"1.2.{number}.{n}").through(gate) for n in range(2 * LANES)))
    assert len(threads) == 10 * LANES
    assert len({*threads}) == LANES


async def test_nobody_waits_for_the_thread_of_a_request_that_was_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    """Daphne ends a request ten seconds after its visitor has left; what it waits for may take longer."""
    held, closed = threading.Event(), threading.Semaphore(0)
    monkeypatch.setattr(connections, "close_all", closed.release, raising=False)

    async def as_django(scope: Any, receive: Any, send: Any) -> None:
        async with ThreadSensitiveContext():
            await sync_to_async(held.wait if scope["path"] == "/held/" else threading.get_ident)()
        await send({"type": "http.response.start", "status": 200})
        await send({"type": "http.response.body"})

    gate = gate_of(as_django)
    try:
        given_up = [asyncio.create_task(Visit("/held/", address=f"1.2.3.{n}").through(gate)) for n in range(LANES)]
        await asyncio.sleep(0.1)
        for task in given_up:
            task.cancel()
        await asyncio.gather(*given_up, return_exceptions=True)
        async with asyncio.timeout(5):
            others = await asyncio.gather(*(Visit(address=f"1.3.3.{n}").through(gate) for n in range(LANES)))
        assert not closed.acquire(blocking=False), "they are still at work"
    finally:
        held.set()
    assert others == [200] * LANES
    for _ in range(LANES):
        assert closed.acquire(timeout=5), "at the end each gives its connection to the database back"


async def test_who_has_to_wait_still_sees_pages_as_they_are_drawn() -> None:
    gate = gate_of(Page(costs=FILES_BURST))
    assert await Visit().through(gate) == 200
    assert await Visit().through(gate) == 429
    files = [await Visit("/static/assets/site.css").through(gate) for _ in range(3)]
    assert files == [200, 429, 429], "files have a budget too, but one of their own"
    assert await Visit(address="1.2.3.5").through(gate) == 200

    gate = gate_of(Page())
    many = int(FILES_BURST / OVERHEAD)
    assert {await Visit("/static/icons.svg").through(gate) for _ in range(many)} == {200}
    assert [await Visit("/static/icons.svg").through(gate) for _ in range(2)][1] == 429
    assert await Visit().through(gate) == 200, "nor do files cost anybody their pages"


@pytest.mark.parametrize("path", [reverse("decks:new"), reverse("decks:edit", args=["x"]), reverse("decks:collection")])
def test_where_lists_are_pasted_the_longest_one_fits(path: str) -> None:
    """A form spells a comma as three bytes; a list that may be read would otherwise be refused unread."""
    longest = owning.LISTED.bytes if path == reverse("decks:collection") else textlist.MAX_BYTES
    form = {"csrfmiddlewaretoken": "x" * 64, "do": "check", "text": "," * longest}
    assert len(urlencode(form)) <= longest_body(path)


async def test_what_is_too_long_is_told_in_our_look_or_as_json() -> None:
    gate = gate_of(Page())
    form, api = Visit("/decks/new/", content_length="9" * 9), Visit("/api/v1/legality/", content_length="9" * 9)
    assert [await form.through(gate), await api.through(gate)] == [413, 413]
    assert dict(form.sent[0]["headers"])[b"content-type"] == b"text/html; charset=utf-8"
    assert b"That is too large to send" in form.sent[1]["body"]
    assert "larger" in json.loads(api.sent[1]["body"])["detail"]


async def test_a_small_debt_is_waited_for(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(admission, "SLOWLY", 0.5)
    gate = Admission(Page(costs=BURST + 0.2 * SHARE))
    began = time.monotonic()
    assert [await Visit().through(gate) for _ in range(2)] == [200, 200]
    assert time.monotonic() - began > 0.15
    began = time.monotonic()
    assert await Visit().through(gate) == 429, "one of five seconds is not"
    assert time.monotonic() - began > 0.45, "and being told takes its time"


async def test_who_has_spent_much_has_one_request_in_work() -> None:
    page = Page(costs=2 * MUCH * BURST)
    gate = gate_of(page)
    assert await Visit().through(gate) == 200
    page.open.clear()
    visits = [asyncio.create_task(Visit().through(gate)) for _ in range(3)]
    other = [asyncio.create_task(Visit(address="1.2.3.5").through(gate)) for _ in range(3)]
    await asyncio.sleep(0.01)
    assert page.inside == 1 + AT_ONCE
    page.costs = 0.0
    page.open.set()
    assert [await visit for visit in visits + other] == [200] * 6


async def test_what_was_taken_in_costs_even_if_it_is_refused() -> None:
    gate = gate_of(Page())
    most = longest_body("/api/v1/legality/")
    refused = [await Visit("/api/v1/legality/", body=b"x" * (most + 1)).through(gate) for _ in range(120)]
    assert refused == [413] * 120
    assert await Visit().through(gate) == 429


async def test_without_limits_refusals_take_no_time(monkeypatch: pytest.MonkeyPatch, settings: Any) -> None:
    settings.LIMITS = 0.0
    monkeypatch.setattr(admission, "SLOWLY", 1000.0)
    async with asyncio.timeout(30):
        assert await Visit(content_length="9" * 9).through(gate_of(Page())) == 413


async def test_a_page_that_takes_too_long_by_itself_is_not_told_to_come_back() -> None:
    async def failing(scope: Any, receive: Any, send: Any) -> None:
        raise TimeoutError

    with pytest.raises(TimeoutError):
        await Visit().through(Admission(failing))


async def test_a_household_shares(settings: Any) -> None:
    gate = gate_of(Page(costs=BURST))
    answers = [await Visit(address=f"2001:db8:1:2::{number}").through(gate) for number in range(1, 4)]
    assert answers == [200, 429, 429]
    settings.LIMITS = 0.0
    assert await Visit(address="2001:db8:1:2::9").through(gate) == 200


async def test_a_person_with_many_addresses_is_one_visitor() -> None:
    gate = gate_of(Page(costs=BURST / 2, person="person 7"))
    cookie = "a=b; sessionid=" + "s" * 32
    answers = [await Visit(address=f"1.2.3.{number}", cookie=cookie).through(gate) for number in range(5)]
    assert answers == [200] * 2 + [429] * 3
    assert await Visit(address="1.2.3.99", cookie="sessionid=" + "t" * 32).through(gate) == 200


async def test_one_visitor_has_so_many_requests_in_work_and_so_many_waiting() -> None:
    page = Page()
    gate = gate_of(page)
    page.open.clear()
    visits = [asyncio.create_task(Visit().through(gate)) for _ in range(LINE + AT_ONCE + 5)]
    refused = [await visit for visit in visits[LINE + AT_ONCE :]]
    assert refused == [429] * 5, "those beyond the line, at once"
    assert page.inside == AT_ONCE
    other = asyncio.create_task(Visit(address="1.2.3.5").through(gate))
    page.open.set()
    assert [await visit for visit in visits[: LINE + AT_ONCE]] == [200] * (LINE + AT_ONCE)
    assert await other == 200
    assert page.most == AT_ONCE + 1
    assert not gate._pages._queues, "nothing is left behind"


async def test_who_could_not_be_begun_in_time_is_told(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(admission, "PATIENCE", 0.01)
    page = Page()
    gate = gate_of(page)
    page.open.clear()
    visits = [asyncio.create_task(Visit().through(gate)) for _ in range(AT_ONCE)]
    await asyncio.sleep(0)
    assert await Visit().through(gate) == 429
    page.open.set()
    assert [await visit for visit in visits] == [200] * AT_ONCE


@pytest.mark.parametrize("path", [path or "/guest/" for path, _ in BODIES])
async def test_a_body_is_as_long_as_its_page_needs(path: str) -> None:
    most = next(limit for start, limit in BODIES if path.startswith(start))
    page = Page()
    for more in ({}, {"transfer_encoding": "chunked"}):
        gate = gate_of(page)
        fits = b"ab" * (most // 2)
        assert await Visit(path, "::1", fits, **more).through(gate) == 200
        assert page.bodies.pop() == fits
        assert await Visit(path, "::1", fits + b"c", **more).through(gate) == 413
        assert not page.bodies
    for said in ("-1", "1e9", "9" * 40, "x"):
        assert await Visit(path, "::2", content_length=said).through(gate) == 413


async def test_sockets_are_not_its_business() -> None:
    seen: list[Any] = []

    async def application(scope: Any, receive: Any, send: Any) -> None:
        seen.append(scope["type"])

    await Admission(application)({"type": "websocket"}, None, None)  # type: ignore[arg-type]
    assert seen == ["websocket"]


@pytest.mark.django_db
async def test_what_a_page_took_is_measured(async_client: Any) -> None:
    answer = await async_client.get("/how-to-play/")
    assert answer.asgi_request.scope["spent"] > 0
    assert answer.asgi_request.scope["person"] == ""


# -- sessions


@pytest.mark.django_db
def test_a_session_holds_only_so_much() -> None:
    session = SessionStore()
    session["draft"] = "x" * 2_000_000
    with pytest.raises(SessionTooLarge):
        session.save()
    assert not Session.objects.exists()


@pytest.mark.django_db
def test_messages_that_nobody_reads_do_not_pile_up() -> None:
    session = SessionStore()
    session["_auth_user_id"] = "7"
    session["_messages"] = "\u2603" * 100_000
    session.save()
    kept = SessionStore(session.session_key)
    assert kept["_auth_user_id"] == "7"
    assert "_messages" not in kept
    assert len(Session.objects.get().session_data) < MAX_BYTES


@pytest.mark.django_db
def test_sessions_that_are_over_are_deleted() -> None:
    running, over = SessionStore(), SessionStore()
    for session in (running, over):
        session["_auth_user_id"] = "7"
        session.save()
    Session.objects.filter(pk=over.session_key).update(expire_date=timezone.now() - timedelta(minutes=1))
    sessions.sweep()
    assert [session.pk for session in Session.objects.all()] == [running.session_key]


@pytest.mark.django_db
def test_who_comes_again_in_the_second_half_of_a_session_keeps_it(client: Client) -> None:
    person = get_user_model().objects.create_user("Caller")
    client.force_login(person)
    row = Session.objects.get()
    early, late = timezone.now() + timedelta(days=190), timezone.now() + timedelta(days=170)
    Session.objects.update(expire_date=early)
    assert client.get(reverse("matches:play")).cookies.get("sessionid") is None
    assert Session.objects.get().expire_date == early
    Session.objects.update(expire_date=late)
    cookie = client.get(reverse("matches:play")).cookies["sessionid"]
    assert (cookie.value, cookie["max-age"]) == (row.pk, 365 * 24 * 3600)
    assert Session.objects.get().expire_date > timezone.now() + timedelta(days=364)


@pytest.mark.django_db
def test_where_a_session_cannot_be_renewed_the_page_is_answered_all_the_same(client: Client) -> None:
    """The disk of the database is full: then pages can be read, also by who comes in the second half of a session."""
    client.force_login(get_user_model().objects.create_user("Caller"))
    late = timezone.now() + timedelta(days=170)
    Session.objects.update(expire_date=late)

    def full(execute: Any, sql: str, *more: Any) -> Any:
        if sql.startswith(("INSERT", "UPDATE")):
            raise OperationalError("database or disk is full")
        return execute(sql, *more)

    for path in (reverse("matches:play"), "/api/v1/decks/"):
        with connection.execute_wrapper(full):
            answer = client.get(path)
        assert (answer.status_code, answer.cookies.get("sessionid")) == (200, None)
        assert "Cookie" in answer["Vary"]
    assert Session.objects.get().expire_date == late
    assert client.get(reverse("matches:play")).cookies["sessionid"]


@pytest.mark.django_db
def test_who_signs_out_in_another_tab_while_a_session_is_renewed_gets_no_session_back(client: Client) -> None:
    client.force_login(get_user_model().objects.create_user("Caller"))
    Session.objects.update(expire_date=timezone.now() + timedelta(days=170))

    def elsewhere(execute: Any, sql: str, *more: Any) -> Any:
        if sql.startswith("UPDATE") and "django_session" in sql:
            Session.objects.all().delete()
        return execute(sql, *more)

    with connection.execute_wrapper(elsewhere):
        answer = client.get(reverse("matches:play"))
    assert (answer.status_code, answer.cookies.get("sessionid")) == (200, None)
