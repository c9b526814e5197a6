"""Pages that wait for others hear when something is new: the list of open tables, and a table that has not begun."""

from __future__ import annotations

import asyncio
import json
import re
from collections.abc import Iterator
from contextlib import ExitStack
from typing import Any

import pytest
from django.db import transaction
from websockets.sync.client import ClientConnection, connect

from ccg.server.proving.client import visits
from ccg.server.proving.client.visits import Visitor
from decks.table_decks import TableDeck
from matches.hints import notifications
from matches.hints.listeners import ALL_TABLES, Listeners, listeners
from matches.hints.wire import Listening, TableChanged
from matches.lobby import services as lobby
from matches.sockets import lobby as lobby_sockets
from matches.sockets.consumers import FLOODED, LONG_FRAME
from matches.sockets.lobby import SOONEST, LobbyConsumer
from tests.matches.live import Socket
from tests.running import Site


@pytest.fixture
def sockets(site: Site) -> Iterator[Any]:
    """A function that opens the socket of a page."""
    with ExitStack() as stack:

        def opened(path: str) -> Socket:
            address = f"ws{site.url.removeprefix('http')}/ws/lobby/{path}"
            connection: ClientConnection = stack.enter_context(connect(address, origin=site.url))
            return Socket(connection)

        yield opened


def open_table(host: Visitor, players: int = 2) -> str:
    """Open a table that stands in the list; return the id of its match."""
    answer = host.post("/play/tables/", players=str(players), tempo="untimed")
    found = re.search(r"/table/([a-z0-9]{16})/$", answer.location)
    assert found, answer.text[:300]
    return found[1]


def told(socket: Socket) -> None:
    assert socket.receive("changed") == {"type": "changed"}


def test_who_looks_at_the_list_hears_of_each_table_and_who_waits_at_one_of_theirs(site: Site, sockets: Any) -> None:
    host, guest = visits.guest(site.url), visits.guest(site.url)
    everybody = sockets("")
    table = open_table(host, 3)
    told(everybody)
    waiting = sockets(f"{table}/")
    assert guest.post(f"/play/tables/{table}/").status == 302
    told(waiting)
    told(everybody)
    assert guest.post(f"/table/{table}/withdraw/").status == 302
    told(waiting)
    assert guest.post(f"/play/tables/{table}/").status == 302
    told(waiting)
    assert host.post(f"/table/{table}/begin/", who="here").status == 302
    told(waiting)
    told(everybody)


def test_a_table_between_friends_is_nobody_elses_matter(
    monkeypatch: pytest.MonkeyPatch, alice: Any, bob: Any, charlie: Any, deck: TableDeck
) -> None:
    said: list[Any] = []
    monkeypatch.setattr(notifications, "_send", said.append)
    private = lobby.invite(alice, deck, 3)
    lobby.join(private, bob, deck)
    lobby.withdraw(private, bob)
    assert said == [TableChanged(private.public_id, listed=False)] * 3
    public = lobby.invite(alice, deck, 2, listed=True)
    lobby.join(public, charlie, deck)
    assert said[3:] == [TableChanged(public.public_id, listed=True)] * 2


def test_what_is_not_done_is_not_said(monkeypatch: pytest.MonkeyPatch, alice: Any, deck: TableDeck) -> None:
    said: list[Any] = []
    monkeypatch.setattr(notifications, "_send", said.append)
    with transaction.atomic():
        lobby.invite(alice, deck, 2, listed=True)
        transaction.set_rollback(True)
    assert said == []


@pytest.mark.parametrize("frame", ["{}", '{"type":"hello"}', "\x00" * 9, b"\xff\xfe", json.dumps({"type": "ping"})])
def test_there_is_nothing_to_ask(site: Site, sockets: Any, frame: str | bytes) -> None:
    socket = sockets("")
    socket.send(frame)
    open_table(visits.guest(site.url))
    told(socket)


def test_who_asks_without_end_is_closed() -> None:
    """The guard of all sockets says what a visitor may still send."""
    sent: list[Any] = []
    costs: list[float] = []

    async def send(message: Any) -> None:
        sent.append(message)

    def spend(cost: float) -> bool:
        costs.append(cost)
        return len(costs) < 3

    socket = LobbyConsumer()
    socket.scope, socket.base_send = {"spend": spend}, send
    for frame in ("x", "x" * LONG_FRAME):
        asyncio.run(socket.receive(frame))
    assert sent == [] and costs[1] - costs[0] > 0.9, "what is long costs more"
    asyncio.run(socket.receive(None, b"x"))
    assert sent == [{"type": "websocket.close", "code": FLOODED}]


def test_a_socket_that_is_given_up_is_forgotten() -> None:
    """The server cancels what has not ended some seconds after its client has gone, as while the database hangs."""

    async def given_up() -> int:
        arrived: asyncio.Queue[Any] = asyncio.Queue()
        arrived.put_nowait({"type": "websocket.connect"})
        accepted: asyncio.Queue[Any] = asyncio.Queue()
        scope = {"type": "websocket", "url_route": {"kwargs": {"match_id": "givenup"}}}
        running = asyncio.create_task(LobbyConsumer()(scope, arrived.get, accepted.put))
        await accepted.get()
        await asyncio.sleep(0.05)
        assert listeners.waiting("givenup") == 1
        listeners.tell(TableChanged("givenup", listed=False))
        running.cancel()
        await asyncio.gather(running, return_exceptions=True)
        await asyncio.sleep(2 * SOONEST)
        assert accepted.empty(), "it is told nothing more"
        return listeners.waiting("givenup")

    assert asyncio.run(given_up()) == 0


def test_a_crowd_does_not_keep_news_from_who_waits(monkeypatch: pytest.MonkeyPatch) -> None:
    slept: list[float] = []

    async def sleep(seconds: float) -> None:
        slept.append(seconds)

    async def send(message: Any) -> None:
        """Take it."""

    monkeypatch.setattr(lobby_sockets.asyncio, "sleep", sleep)
    monkeypatch.setattr(lobby_sockets.random, "uniform", lambda least, most: most)
    monkeypatch.setattr(lobby_sockets.listeners, "waiting", lambda place: 3_000)
    socket = LobbyConsumer()
    socket.base_send, socket._changed = send, True
    asyncio.run(socket._tell())
    assert slept == [SOONEST + lobby_sockets.LATEST]


def test_pages_that_are_gone_are_forgotten() -> None:
    class Page:
        def __init__(self, place: str) -> None:
            self.place, self.heard = place, 0

        def hear_of_tables(self) -> None:
            self.heard += 1

    listeners, one, all_tables = Listeners(), Page("m"), Page(ALL_TABLES)
    for page in (one, all_tables):
        listeners.wait(page)
    assert (listeners.waiting("m"), listeners.waiting("n")) == (1, 0)
    listeners.tell(TableChanged("m", listed=False))
    listeners.tell(TableChanged("n", listed=True))
    assert (one.heard, all_tables.heard) == (1, 1)
    listeners.tell(Listening())
    assert (one.heard, all_tables.heard) == (2, 2), "who may have missed something looks"
    for page in (one, all_tables, all_tables):
        listeners.wait_no_more(page)
    listeners.tell(TableChanged("m", listed=True))
    assert (one.heard, all_tables.heard) == (2, 2)
    assert not listeners._waiting
