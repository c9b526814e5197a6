"""The server process, from outside."""

from __future__ import annotations

import asyncio
import contextlib
import json
import resource
import subprocess
import sys
import time
from collections import Counter
from collections.abc import Iterator
from contextvars import ContextVar
from dataclasses import dataclass
from http.client import HTTPConnection
from io import BytesIO
from pathlib import Path
from select import select
from socket import create_connection
from types import SimpleNamespace
from typing import Any

import pytest
from daphne import http_protocol
from django.core.management import CommandError
from twisted.internet.error import ConnectionLost
from twisted.internet.testing import StringTransport
from twisted.python.failure import Failure
from websockets.exceptions import ConnectionClosed, InvalidStatus
from websockets.sync.client import ClientConnection, connect

from ccg import native
from ccg.server import serving
from ccg.server.admission import LANES, longest_body
from ccg.server.connections import SiteFactory
from ccg.server.guard import MESSAGE_BYTES
from ccg.server.management.commands.serve import only_server_of
from ccg.server.proving.client import visits
from ccg.server.serving import (
    BODY_BYTES,
    OPEN_FILES,
    UNSENT_BYTES,
    WAITING_MESSAGES,
    SiteRequest,
    SiteServer,
    SiteSocket,
    SiteSocketFactory,
    ask_for_open_files,
)
from tests.running import ROOT, Process, Site, running_site

BODIES_ELSEWHERE = longest_body("/")


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    with running_site(tmp_path_factory.mktemp("site")) as site:
        yield site


def answer(site: Site, path: str) -> tuple[int, dict[str, str], bytes]:
    """Status, headers and body of one page."""
    connection = HTTPConnection("127.0.0.1", site.port, timeout=20)
    try:
        connection.request("GET", path)
        response = connection.getresponse()
        return response.status, {name.lower(): value for name, value in response.getheaders()}, response.read()
    finally:
        connection.close()


@pytest.mark.parametrize("root", ["http://elsewhere.example", "/accounts", "/accounts/login", "%ff", "\xff"])
def test_nobody_but_we_say_where_the_site_begins(site: Site, root: str) -> None:
    connection = HTTPConnection("127.0.0.1", site.port, timeout=20)
    with contextlib.closing(connection):
        connection.request("GET", "/accounts/login/", headers={"Daphne-Root-Path": root})
        response = connection.getresponse()
        page = response.read().decode()
    assert response.status == 200
    assert 'href="/how-to-play/"' in page


@pytest.mark.parametrize("wanted", ["\xe9", "a, a", "%ff", ","])
def test_a_socket_that_asks_for_a_protocol_is_answered_as_any(site: Site, wanted: str) -> None:
    connection = HTTPConnection("127.0.0.1", site.port, timeout=20)
    head = {
        "Upgrade": "websocket", "Connection": "Upgrade", "Sec-WebSocket-Version": "13", "Origin": site.url,
        "Sec-WebSocket-Key": "dGhlIHNhbXBsZSBub25jZQ==", "Sec-WebSocket-Protocol": wanted,
    }  # fmt: skip
    with contextlib.closing(connection):
        connection.request("GET", "/ws/nowhere/", headers=head)
        assert connection.getresponse().status == 403
    assert "Traceback" not in site.said()


@pytest.mark.skipif(sys.platform != "linux", reason="asks for the limits of another process")
def test_the_server_takes_as_many_connections_as_the_system_lets_it(site: Site) -> None:
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = OPEN_FILES if hard == resource.RLIM_INFINITY else min(OPEN_FILES, hard)
    resource.setrlimit(resource.RLIMIT_NOFILE, (256, hard))
    try:
        ask_for_open_files()
        assert resource.getrlimit(resource.RLIMIT_NOFILE) == (wanted, hard)
        ask_for_open_files()
        assert resource.getrlimit(resource.RLIMIT_NOFILE) == (wanted, hard), "it stays so"
    finally:
        resource.setrlimit(resource.RLIMIT_NOFILE, (soft, hard))
    assert site.pid is not None
    assert resource.prlimit(site.pid, resource.RLIMIT_NOFILE)[0] >= wanted


@dataclass(frozen=True)
class Seat:
    """A guest's place at a table: the address of the socket and the cookies that open it."""

    path: str
    cookies: str


@pytest.fixture(scope="module")
def seat(site: Site) -> Seat:
    guest = visits.guest(site.url)
    return Seat(f"/ws/matches/{guest.play_computer()}/", guest.cookie_header)


def socket(site: Site, path: str, origin: str | None, cookies: str = "") -> ClientConnection:
    """Open a socket; raises InvalidStatus when the server refuses."""
    more = {"Cookie": cookies} if cookies else {}
    return connect(
        f"ws://127.0.0.1:{site.port}{path}",
        origin=origin,  # type: ignore[arg-type]
        additional_headers=more,
        open_timeout=10,
        max_size=None,
        max_queue=None,  # otherwise it stops reading, and misses why it was closed, while it only sends
    )


def test_a_folder_in_which_nothing_can_be_written_is_named(tmp_path: Path) -> None:
    (tmp_path / "serve.lock").mkdir()  # whoever runs the tests may write anywhere
    with pytest.raises(CommandError, match=f"Nothing can be written in {tmp_path}"), only_server_of(tmp_path):
        raise AssertionError("it is served")


def test_it_says_where_it_is(site: Site) -> None:
    assert f"Ragtag Fleet is at {site.url}/" in site.said()
    assert answer(site, "/")[0] == 200


def test_it_tells_nobody_what_it_is_made_of(site: Site) -> None:
    assert "server" not in answer(site, "/")[1]


def test_the_answer_to_head_has_no_body_however_long_the_page_is(site: Site) -> None:
    path = "/docs/ability-language/"
    assert len(answer(site, path)[2]) > 2**16, "Django sends it in several pieces"
    connection = HTTPConnection("127.0.0.1", site.port, timeout=20)
    with contextlib.closing(connection):
        connection.request("HEAD", path)
        first = connection.getresponse()
        assert (first.status, first.read()) == (200, b"")
        connection.request("GET", "/healthz")
        second = connection.getresponse()
        assert second.status == 200
        assert json.loads(second.read())["ok"], "and not what is left of the page before"


def sent(site: Site, head: str, body: bytes = b"", *, most: int = 5 * BODY_BYTES, path: str = "/") -> tuple[str, int]:
    """POST with this ``head``, and ``body`` again and again: the first line of the answer, and how much was taken."""
    taken = 0
    with create_connection(("127.0.0.1", site.port), timeout=20) as connection:
        connection.sendall(f"POST {path} HTTP/1.1\r\nHost: 127.0.0.1:{site.port}\r\n{head}\r\n\r\n".encode())
        with contextlib.suppress(ConnectionError):
            while body and taken < most and not select([connection], [], [], 0)[0]:
                taken += connection.send(body)
        try:
            return connection.recv(4000).split(b"\r\n")[0].decode(), taken
        except ConnectionError:
            return "", taken


def test_a_body_that_is_too_long_is_refused_before_it_is_taken(site: Site) -> None:
    said, taken = sent(site, "Content-Length: 900000000000")
    assert said.startswith("HTTP/1.1 413")
    assert taken == 0
    said, taken = sent(site, "Transfer-Encoding: chunked", b"1\r\nx\r\n", path="/admin/")
    assert said in ("", "HTTP/1.1 411 Length Required"), "its length is not known before it is taken"
    assert taken < BODY_BYTES
    said, taken = sent(site, f"Content-Length: {2 * BODIES_ELSEWHERE + 1}")
    assert said.startswith("HTTP/1.1 413"), "a page that needs no long ones takes in no long ones"
    said, taken = sent(site, f"Content-Length: {BODIES_ELSEWHERE + 1}", b"x" * (BODIES_ELSEWHERE + 1), most=1)
    assert said.startswith("HTTP/1.1 413"), "and says so to those that are a little too long"
    assert answer(site, "/healthz")[0] == 200


ASKED_BY: ContextVar[str] = ContextVar("asked_by", default="nobody")


def test_a_request_knows_nothing_of_the_one_before_it_on_its_connection() -> None:
    """Twisted goes on from within the answer to the request before, so what that has set for itself is still set.

    Among it would be in which thread it was worked on: a socket would wait there behind pages of others.
    """
    seen: list[str] = []

    async def application(**parts: Any) -> None:
        seen.append(ASKED_BY.get())

    async def asked() -> None:
        ASKED_BY.set("somebody else")
        server.create_application(connection, {"type": "http"})
        await server.connections[connection]["application_instance"]

    server, connection = SiteServer.__new__(SiteServer), object()
    server.connections, server.application = {connection: {}}, application
    asyncio.run(asked())
    assert seen == ["nobody"]


def test_an_application_that_fails_in_the_middle_of_its_answer_ends_the_connection_and_nothing_else(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """Daphne would begin another answer, fail, and never look again after what runs, for anybody."""
    monkeypatch.setattr(http_protocol, "WebRequest", SiteRequest)
    later: list[str] = []
    monkeypatch.setattr(serving.reactor, "callLater", lambda seconds, call, *rest: later.append(call.__name__))
    server = SiteServer.__new__(SiteServer)
    server.connections, server.root_path, server.server_name = {}, "", ""
    server.application_close_timeout, server.proxy_forwarded_address_header = 10, None
    server.request_buffer_size, server.action_logger = 1024, None

    async def application(send: Any, **parts: Any) -> None:
        await send({"type": "http.response.start", "status": 200})
        await send({"type": "http.response.body", "body": b"half an", "more_body": True})
        raise RuntimeError

    async def asked() -> list[StringTransport]:
        transports = []
        for _ in range(2):
            connection = http_protocol.HTTPFactory(server).buildProtocol(None)
            transports.append(StringTransport())
            connection.makeConnection(transports[-1])
            connection.dataReceived(b"GET / HTTP/1.1\r\nHost: here\r\n\r\n")
        running = [one["application_instance"] for one in server.connections.values()]
        await asyncio.gather(*running, return_exceptions=True)
        server.application_checker()
        return transports

    server.application = application
    transports = asyncio.run(asked())
    assert [transport.value().count(b"half an") for transport in transports] == [1, 1]
    assert [transport.disconnected for transport in transports] == [True, True]
    assert "application_checker" in later, "it looks again"


def test_an_answer_that_stops_in_its_middle_ends_its_connection_in_time(monkeypatch: pytest.MonkeyPatch) -> None:
    """Daphne would say that it is whole, and what it lacks would be taken from the answer to the next request."""
    monkeypatch.setattr(http_protocol, "WebRequest", SiteRequest)
    server = SimpleNamespace(
        protocol_connected=lambda one: None, protocol_disconnected=lambda one: None, server_name="", root_path="",
        proxy_forwarded_address_header=None, request_buffer_size=1024, http_timeout=60, action_logger=None,
        create_application=lambda one, scope: asyncio.Queue(), log_action=lambda *action: None,
    )  # fmt: skip
    for begun in (False, True):
        connection, line = http_protocol.HTTPFactory(server).buildProtocol(None), StringTransport()
        connection.makeConnection(line)
        connection.dataReceived(b"GET / HTTP/1.1\r\nHost: here\r\n\r\n")
        request = connection._channel.requests[0]
        if begun:
            head = [(b"content-length", b"100")]
            request.handle_reply({"type": "http.response.start", "status": 200, "headers": head})
            request.handle_reply({"type": "http.response.body", "body": b"half an", "more_body": True})
        request.check_timeouts()
        assert not line.disconnected
        request.request_start -= 61
        request.check_timeouts()
        assert line.disconnected is begun
        assert (b" 503 " in line.value()) is not begun
        if not begun:
            request.check_timeouts()
            assert line.value().count(b" 503 ") == 1, "it is over, though its application may still run"


def test_what_runs_is_looked_after_however_often_that_fails(monkeypatch: pytest.MonkeyPatch) -> None:
    later: list[str] = []
    monkeypatch.setattr(serving.reactor, "callLater", lambda seconds, call, *rest: later.append(call.__name__))
    server = SiteServer.__new__(SiteServer)
    server.connections, server.application_close_timeout = {object(): {"disconnected": "nonsense"}}, 10
    server.application_checker()
    assert later == ["application_checker"]


def test_forms_are_left_to_django(monkeypatch: pytest.MonkeyPatch) -> None:
    """What reads forms for nobody does so on the event loop, while all tables wait."""
    taken: list[SiteRequest] = []
    monkeypatch.setattr(http_protocol, "WebRequest", SiteRequest)

    def process(self: SiteRequest) -> None:
        taken.append(self)

    monkeypatch.setattr(SiteRequest, "process", process)
    server = SimpleNamespace(protocol_connected=lambda one: None, protocol_disconnected=lambda one: None)
    connection = http_protocol.HTTPFactory(server).buildProtocol(None)
    connection.makeConnection(StringTransport())
    body = b"text=" + b"%23" * 60_000
    head = "POST /decks/new/ HTTP/1.1\r\nHost: here\r\nContent-Type: application/x-www-form-urlencoded\r\n"
    connection.dataReceived(f"{head}Content-Length: {len(body)}\r\n\r\n".encode() + body)
    assert taken[0].args == {}
    assert taken[0].content.read() == body
    assert isinstance(taken[0].content, BytesIO), "and in memory: a file for each costs more than taking it in"


def test_of_who_hangs_up_nothing_is_kept_that_was_not_taken(monkeypatch: pytest.MonkeyPatch) -> None:
    """Else their bodies stay until the collector has looked at all objects, and the next ones come on top."""
    monkeypatch.setattr(http_protocol, "WebRequest", SiteRequest)
    waiting: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
    server = SimpleNamespace(
        protocol_connected=lambda one: None, protocol_disconnected=lambda one: None,
        proxy_forwarded_address_header=None, request_buffer_size=1024, root_path="",
        create_application=lambda one, scope: waiting,
    )  # fmt: skip
    connection = http_protocol.HTTPFactory(server).buildProtocol(None)
    connection.makeConnection(StringTransport())
    connection.dataReceived(b"POST /decks/new/ HTTP/1.1\r\nHost: here\r\nContent-Length: 5000\r\n\r\n" + b"x" * 5000)
    assert waiting.qsize() == 5
    connection.connectionLost(Failure(ConnectionLost()))
    assert [waiting.get_nowait()["type"] for _ in range(waiting.qsize())] == ["http.disconnect"]


def test_the_body_of_a_request_for_another_upgrade_counts_until_it_is_answered(
    monkeypatch: pytest.MonkeyPatch, settings: Any
) -> None:
    """Only a socket takes the connection over; what asks for anything else is a request like all others."""
    settings.LIMITS, settings.TRUSTED_PROXIES = 1.0, 0
    monkeypatch.setattr(http_protocol, "WebRequest", SiteRequest)
    monkeypatch.setattr(SiteRequest, "_bodies", Counter())
    server = SimpleNamespace(
        protocol_connected=lambda one: None, protocol_disconnected=lambda one: None,
        proxy_forwarded_address_header=None, request_buffer_size=1024, root_path="",
        create_application=lambda one, scope: asyncio.Queue(),
    )  # fmt: skip
    connection = http_protocol.HTTPFactory(server).buildProtocol(None)
    connection.makeConnection(StringTransport())
    connection.dataReceived(b"POST / HTTP/1.1\r\nHost: here\r\nUpgrade: h2c\r\nContent-Length: 9\r\n\r\n" + b"x" * 9)
    assert list(SiteRequest._bodies.values()) == [9]
    connection.connectionLost(Failure(ConnectionLost()))
    assert not SiteRequest._bodies


def test_a_socket_is_given_no_body(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(http_protocol, "WebRequest", SiteRequest)
    given: list[bytes] = []
    socket = SimpleNamespace(makeConnection=lambda transport: None, dataReceived=given.append)
    server = SimpleNamespace(
        protocol_connected=lambda one: None, protocol_disconnected=lambda one: None,
        proxy_forwarded_address_header=None, ws_factory=SimpleNamespace(buildProtocol=lambda peer: socket),
    )  # fmt: skip
    connection = http_protocol.HTTPFactory(server).buildProtocol(None)
    connection.makeConnection(StringTransport())
    head = b"GET /ws/ HTTP/1.1\r\nHost: here\r\nUpgrade: WebSocket\r\nContent-Length: 9\r\n\r\n"
    connection.dataReceived(head + b"x" * 9)
    assert given[0].endswith(b"\r\n\r\n")


class Line(StringTransport):
    """A line that, like a real one, may be told twice that nobody writes to it any more."""

    def unregisterProducer(self) -> None:  # noqa: N802
        self.producer = None

    def connectionLost(self, *reason: Any) -> None:  # noqa: N802
        pass


OPENING = (
    b"GET /ws/ HTTP/1.1\r\nHost: here\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
    b"Sec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n\r\n"
)


def sockets() -> tuple[SiteSocketFactory, asyncio.Queue[dict[str, Any]]]:
    """What makes sockets, and what their application is told."""
    told: asyncio.Queue[dict[str, Any]] = asyncio.Queue()
    server = SimpleNamespace(
        protocol_connected=lambda one: None, protocol_disconnected=lambda one: None, log_action=lambda *action: None,
        proxy_forwarded_address_header=None, root_path="", create_application=lambda one, scope: told,
    )  # fmt: skip
    factory = SiteSocketFactory(server)
    factory.protocol = SiteSocket
    factory.setProtocolOptions(openHandshakeTimeout=0)
    server.ws_factory = factory
    return factory, told


def opening_socket() -> tuple[SiteSocket, asyncio.Queue[dict[str, Any]], StringTransport]:
    """A socket that has asked to be opened, what its application is told, and its line."""
    factory, told = sockets()
    socket, line = factory.buildProtocol(None), Line()
    socket._raw_query_string = b""
    socket.makeConnection(line)
    socket.dataReceived(OPENING)
    assert told.get_nowait() == {"type": "websocket.connect"}
    return socket, told, line


@pytest.mark.parametrize("much", [False, True])
@pytest.mark.parametrize("body", [b"", b"Content-Length: 4\r\n"])
def test_what_comes_with_the_request_for_a_socket_is_for_the_socket(
    monkeypatch: pytest.MonkeyPatch, much: bool, body: bytes
) -> None:
    """Twisted would keep it for the next request, which never comes; and if it is much, read nothing more."""
    monkeypatch.setattr(http_protocol, "WebRequest", SiteRequest)
    factory, told = sockets()
    connections = SiteFactory(factory.server_class)
    connection, line = connections.buildProtocol(SimpleNamespace(host="1.2.3.4")), Line()
    line.protocol = connection
    connection.makeConnection(line)
    channel = connection._channel
    frame = bytes([0x81, 0x82, 0, 0, 0, 0]) + b"ok"
    asked = OPENING.replace(b"Upgrade: ", body + b"Upgrade: ") + (b"body" if body else b"")
    connection.dataReceived(asked + (frame * 3_000 if much else frame))
    assert not any(channel._dataBuffer)
    assert line.producerState == "producing"
    assert told.get_nowait() == {"type": "websocket.connect"}
    assert line.disconnected is much, "of a socket that has not opened only so much is taken in"
    if not much:
        line.protocol.handle_reply({"type": "websocket.accept"})
        assert told.get_nowait() == {"type": "websocket.receive", "text": "ok"}


def test_what_a_client_sends_before_its_socket_has_opened_is_read_then() -> None:
    socket, told, line = opening_socket()
    socket.dataReceived(bytes([0x81, 0x84, 0, 0, 0, 0]) + b"\r\n\r\n")
    assert told.empty()
    socket.handle_reply({"type": "websocket.accept"})
    assert b" 101 " in line.value()
    assert told.get_nowait() == {"type": "websocket.receive", "text": "\r\n\r\n"}


def test_of_a_socket_that_has_not_opened_only_so_much_is_taken_in() -> None:
    """Who is refused waits for two seconds: as much as the line brings in them would be kept, and looked through."""
    socket, told, line = opening_socket()
    for _ in range(10):
        socket.dataReceived(b"x" * (MESSAGE_BYTES // 10))
    assert not line.disconnecting
    socket.dataReceived(b"x" * 100)
    assert line.disconnected
    socket.handle_reply({"type": "websocket.accept"})
    assert not line.value(), "its application had not heard of that yet"
    socket.connectionLost(Failure(ConnectionLost()))
    assert told.get_nowait()["type"] == "websocket.disconnect"


def test_who_sends_faster_than_can_be_answered_is_closed_and_what_has_piled_up_is_dropped() -> None:
    socket, told, line = opening_socket()
    socket.handle_reply({"type": "websocket.accept"})
    frame = bytes([0x81, 0x82, 0, 0, 0, 0]) + b"ok"
    socket.dataReceived(frame * WAITING_MESSAGES)
    assert told.qsize() == WAITING_MESSAGES
    socket.dataReceived(frame * 3)
    assert told.get_nowait() == {"type": "websocket.disconnect", "code": 1008}
    assert line.value().endswith(b"\x88\x02" + (1008).to_bytes(2, "big"))
    socket.dataReceived(frame)
    assert told.empty()


def test_a_socket_that_has_ended_keeps_nothing_of_a_message_that_was_under_way() -> None:
    socket, _, _ = opening_socket()
    socket.handle_reply({"type": "websocket.accept"})
    socket.dataReceived(bytes([0x82, 0xFE, 0x10, 0, 0, 0, 0, 0]) + b"message " * 100)
    socket.connectionLost(Failure(ConnectionLost()))
    assert not any("message " in str(kept) for name, kept in vars(socket).items() if name.endswith("data"))


def test_the_end_of_a_socket_that_was_refused_is_no_fault() -> None:
    """Twisted would end there with what it does at the end of a connection, and nobody would hear of it."""
    server = SiteServer.__new__(SiteServer)
    server.connections = {}
    factory = SiteSocketFactory(server)
    factory.protocol = SiteSocket
    factory.setProtocolOptions(openHandshakeTimeout=0)
    socket, line = factory.buildProtocol(None), Line()
    socket.makeConnection(line)
    socket.dataReceived(b"GET /ws/ HTTP/1.1\r\nHost: here\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n\r\n")
    assert b" 400 " in line.value()
    socket.connectionLost(Failure(ConnectionLost()))
    assert not socket.data
    server.protocol_disconnected(socket)  # as for one that was forgotten before its line has ended


def test_who_reads_no_answers_to_pings_is_closed(monkeypatch: pytest.MonkeyPatch) -> None:
    """They are answered by the library; at a page that waits for others, nothing else is sent for hours."""
    monkeypatch.setattr(serving.reactor, "callLater", lambda *call: None)
    socket, _, line = opening_socket()
    socket.handle_reply({"type": "websocket.accept"})
    ping, pong = bytes([0x89, 0x81, 0, 0, 0, 0]) + b"?", bytes([0x8A, 1]) + b"?"
    line.dataBuffer = bytes(UNSENT_BYTES)
    socket.dataReceived(ping)
    assert line.value().endswith(pong)
    line.dataBuffer = bytes(UNSENT_BYTES + 1)
    socket.dataReceived(ping * 2)
    assert line.value().count(pong) == 1
    assert line.value().endswith(bytes([0x88, 2]) + (1013).to_bytes(2, "big"))


@pytest.mark.parametrize("reading", ["told", "broken", "refused"])
def test_who_does_not_read_the_end_is_dropped_all_the_same(monkeypatch: pytest.MonkeyPatch, reading: str) -> None:
    """A line that has something to send still is not closed by being told to, and nobody looks at it any more."""
    later: list[Any] = []
    monkeypatch.setattr(serving.reactor, "callLater", lambda seconds, call, *rest: later.append(call))
    socket, _, line = opening_socket()
    if reading == "refused":
        socket.handle_reply({"type": "websocket.close"})
    else:
        socket.handle_reply({"type": "websocket.accept"})
        broken, told = bytes([0xF1, 0x80, 0, 0, 0, 0]), bytes([0x88, 0x80, 0, 0, 0, 0])
        socket.dataReceived(broken * 2 if reading == "broken" else told)
    assert line.disconnecting
    assert line.abortConnection in later


@pytest.mark.parametrize(("kind", "sign"), [(1, "x"), (1, "é"), (1, "漢"), (1, "😀"), (2, "x")])
@pytest.mark.parametrize("pieces", [1, 7])
def test_of_a_message_that_is_too_long_no_more_is_kept_than_shows_that(kind: int, sign: str, pieces: int) -> None:
    """The library takes a megabyte, from each of the sockets that one address may have."""
    socket, told, _ = opening_socket()
    socket.handle_reply({"type": "websocket.accept"})
    piece = (sign * (140_000 // pieces)).encode()
    length = b"\xfe" + len(piece).to_bytes(2, "big") if len(piece) < 65536 else b"\xff" + len(piece).to_bytes(8, "big")
    for number in range(pieces):
        first = (kind if number == 0 else 0) | (0x80 if number == pieces - 1 else 0)
        socket.dataReceived(bytes([first]) + length + bytes(4))
        for at in range(0, len(piece), 10_001):
            socket.dataReceived(piece[at : at + 10_001])
            kept: list[bytes] = [*(socket.message_data or []), *(socket.frame_data or [])]
            assert sum(map(len, kept)) <= 4 * (MESSAGE_BYTES + 1)
    message = told.get_nowait()
    content = message["text"] if kind == 1 else message["bytes"].decode()
    assert MESSAGE_BYTES < len(content) < 5 * MESSAGE_BYTES, "the guard sees that it is too long"
    assert set(content) == {sign}
    socket.dataReceived(bytes([0x81, 0x82, 0, 0, 0, 0]) + b"ok")
    assert told.get_nowait() == {"type": "websocket.receive", "text": "ok"}


def test_of_a_ping_that_is_refused_for_its_length_nothing_is_kept() -> None:
    """The library goes on reading for a second, until the other side has closed too, and would keep all of it."""
    socket, told, line = opening_socket()
    socket.handle_reply({"type": "websocket.accept"})
    socket.dataReceived(bytes([0x89, 0xFF]) + (1 << 30).to_bytes(8, "big") + bytes(4))
    assert (1002).to_bytes(2, "big") in line.value()
    for _ in range(100):
        socket.dataReceived(b"x" * 65536)
    assert not socket.data
    assert not any(socket.control_frame_data)
    assert told.empty()


def test_a_body_that_is_just_not_too_long_reaches_the_site(site: Site) -> None:
    said, taken = sent(site, f"Content-Length: {BODY_BYTES}", b"x" * 0x10000, most=BODY_BYTES, path="/admin/")
    assert taken == BODY_BYTES
    assert said.startswith(("HTTP/1.1 403", "HTTP/1.1 405"))


def test_an_unknown_socket_is_refused_without_noise(site: Site) -> None:
    before = site.said()
    with pytest.raises(InvalidStatus) as refused:
        socket(site, "/ws/nothing/", site.url)
    assert refused.value.response.status_code == 403
    assert "Traceback" not in site.said().removeprefix(before)


@pytest.mark.parametrize(
    "origin",
    [
        None,
        "null",
        "http://evil.example",
        "https://127.0.0.1:{port}",
        "http://127.0.0.1",
        "http://127.0.0.1:{other}",
        "http://127.0.0.1.evil.example:{port}",
        "http://evil.example:{port}",
        "http://127.0.0.1:{port}.evil.example",
        "http://[",
        "http://evil.example/http://127.0.0.1:{port}",
        "ws://127.0.0.1:{port}",
        "file://",
    ],
)
def test_sockets_of_other_origins_are_refused(site: Site, seat: Seat, origin: str | None) -> None:
    said = origin and origin.format(port=site.port, other=site.port + 1)
    with pytest.raises(InvalidStatus) as refused:
        socket(site, seat.path, said, seat.cookies)
    assert refused.value.response.status_code in {400, 403}


@pytest.mark.parametrize("host", ["127.0.0.1", "localhost"])
def test_sockets_of_the_site_itself_open(site: Site, seat: Seat, host: str) -> None:
    with socket(site, seat.path, f"http://{host}:{site.port}", seat.cookies) as opened:
        opened.send('{"type": "hello", "since": null}')
        assert json.loads(opened.recv(timeout=20))["type"] == "table"


def test_a_socket_stays_open_when_the_clock_of_the_machine_is_set(tmp_path: Path) -> None:
    with running_site(tmp_path, plant="tests.server.planted:the_clock_is_set") as site:
        guest = visits.guest(site.url)
        path = f"/ws/matches/{guest.play_computer()}/"
        with socket(site, path, site.url, guest.cookie_header) as opened:
            end = time.monotonic() + 2 * serving.CHECKED_SECONDS + 1
            while time.monotonic() < end:
                opened.send('{"type": "ping"}')
                assert opened.recv(timeout=20)
                time.sleep(0.5)


def test_a_second_server_on_the_same_port_says_why_it_cannot(site: Site, tmp_path: Path) -> None:
    env = {"VAR_DIR": str(tmp_path / "var"), "PORT": str(site.port)}
    second = Process("manage.py", "serve", env=env, log=tmp_path / "second.log")
    second.start()
    end = time.monotonic() + 30
    while second.running and time.monotonic() < end:
        time.sleep(0.1)
    assert not second.running
    assert f"listen on 127.0.0.1:{site.port}" in second.said()


def test_a_second_server_on_the_same_data_is_stopped(site: Site) -> None:
    with pytest.raises(RuntimeError, match="Another server already serves the data"):
        site.manage("serve")


def told(opened: ClientConnection, kind: str) -> bool:
    """Read until a message of this ``kind``; False if the server refuses something before that."""
    for _ in range(20):
        reply = json.loads(opened.recv(timeout=20))["type"]
        if reply in {kind, "refused"}:
            return bool(reply == kind)
    raise AssertionError(f"Twenty messages, and none is {kind}")


def test_a_message_that_is_too_long_is_refused_on_a_socket_that_stays_open(site: Site, seat: Seat) -> None:
    with socket(site, seat.path, site.url, seat.cookies) as opened:
        for length in (20_000, 900_000):
            opened.send("x" * length)
            assert told(opened, "refused")
        for _ in range(100):  # what is long counts as many messages, so the next ones come too fast
            opened.send('{"type": "ping"}')
            if told(opened, "pong"):
                return
            time.sleep(0.1)
        raise AssertionError("No ping was answered after 10 seconds")


def test_a_message_that_no_one_needs_ends_the_socket_before_it_fills_the_memory(site: Site, seat: Seat) -> None:
    assert closed_after(site, seat, ["x" * 2_000_000]) in {1006, 1009}, "dropped, with or without a word"


def test_a_flood_ends_the_socket_with_a_word(site: Site, seat: Seat) -> None:
    assert closed_after(site, seat, ['{"type": "ping"}'] * 1_000) == 1008
    assert "flooding" in site.said()


def test_a_flood_that_does_not_stop_is_cut_off(site: Site, seat: Seat) -> None:
    # Whoever goes on sending after the word may lose it: the system discards it with what was not read.
    assert closed_after(site, seat, ['{"type": "ping"}'] * 20_000) in {1006, 1008}
    assert answer(site, "/healthz")[0] == 200


def closed_after(site: Site, seat: Seat, messages: list[str]) -> int | None:
    """The code with which the server closes a socket that sends all this; None if it never does."""
    with socket(site, seat.path, site.url, seat.cookies) as opened:
        with contextlib.suppress(ConnectionClosed):
            for message in messages:
                opened.send(message)
            while True:
                opened.recv(timeout=20)
        return opened.close_code


def shell(site: Site, *lines: str) -> str:
    """What these lines print in the site's own shell."""
    return site.manage("shell", "-v0", "-c", "\n".join(lines)).strip()


def test_kill_9_and_a_new_start_keep_everything(site: Site, seat: Seat) -> None:
    site.kill()
    site.start()
    with socket(site, seat.path, site.url, seat.cookies) as opened:
        opened.send('{"type": "hello", "since": null}')
        assert json.loads(opened.recv(timeout=20))["type"] == "table"


def test_a_crash_says_in_the_log_where_it_was(site: Site) -> None:
    site.crash()
    assert "Segmentation fault" in site.said()
    assert "most recent call first" in site.said()
    site.start()


def when_idle(site: Site) -> dict[str, object]:
    """What the server says of itself once no background work waits any more, or after a minute."""
    end = time.monotonic() + 60
    while (health := json.loads(answer(site, "/healthz")[2]))["outbox"]["waiting"] and time.monotonic() < end:
        time.sleep(0.2)
    told: dict[str, object] = health
    return told


def test_what_waited_while_it_was_down_is_done_at_its_start(site: Site) -> None:
    site.kill()
    asked = ("from decks import background", "background.request('test of the server')")
    waiting = ("from ccg.outbox.models import Job", "waiting = Job.objects.filter(state='waiting')")
    # What a server has in hand when it is killed would be done once its lease has ended.
    due = ("from django.utils.timezone import now", "waiting.update(due=now())", "print(waiting.count())")
    assert int(shell(site, *asked, *waiting, *due)) > 0
    site.start()
    assert when_idle(site) == {"ok": True, "outbox": {"waiting": 0, "failed": 0}, "engine": native.running()}


@pytest.mark.skipif(not Path("/dev/full").exists(), reason="there is no disk that is always full")
def test_it_serves_where_its_news_can_be_written_nowhere(tmp_path: Path) -> None:
    """Logs often lie on the disk of the data: once that is full, pages can still be read."""
    site = Site(tmp_path)
    site.prepare()
    with Path("/dev/full").open("wb") as full:
        server = subprocess.Popen(
            [sys.executable, *site.command], cwd=ROOT, env=site.env, stdout=full, stderr=subprocess.DEVNULL
        )
    try:
        end = time.monotonic() + 60
        while not site._answers() and server.poll() is None and time.monotonic() < end:
            time.sleep(0.1)
        assert site._answers()
    finally:
        server.kill()
        server.wait()


def test_a_database_that_was_put_away_is_not_made_anew_and_comes_back_whole(tmp_path: Path) -> None:
    """An empty one in its place would fold up the log of the real one, and threads that have opened it would stay."""
    with running_site(tmp_path) as site:
        guest = visits.guest(site.url)
        match = guest.play_computer()
        version = guest.table(match)["version"]
        real = Path(site.env["VAR_DIR"]) / "db.sqlite3"
        away = real.rename(real.with_suffix(".away"))
        assert {answer(site, "/healthz")[0] for _ in range(3)} == {503}
        assert {answer(site, "/play/")[0] for _ in range(2 * LANES)} <= {200, 503}
        assert not real.exists()
        away.rename(real)
        assert {answer(site, path)[0] for path in ("/healthz", "/play/") for _ in range(2 * LANES)} == {200}
        site.kill()
        site.start()
        assert guest.table(match)["version"] >= version


def test_it_stops_when_asked_and_says_so_to_who_is_at_a_table(site: Site, seat: Seat) -> None:
    before = site.said()
    with socket(site, seat.path, site.url, seat.cookies) as opened:
        opened.send('{"type": "hello", "since": null}')
        while json.loads(opened.recv(timeout=20))["type"] != "table":
            pass
        assert site.stop(), "it needed no kill"
        for _ in opened:
            pass  # what was sent before
        assert opened.close_code == 1001, "it is going away"
    assert "Traceback" not in site.said().removeprefix(before)
    site.start()


def test_who_does_not_answer_is_not_waited_for_long(site: Site, seat: Seat) -> None:
    with contextlib.closing(create_connection(("127.0.0.1", site.port))) as silent:
        silent.sendall(
            f"GET {seat.path} HTTP/1.1\r\nHost: 127.0.0.1:{site.port}\r\nUpgrade: websocket\r\n"
            f"Connection: Upgrade\r\nSec-WebSocket-Version: 13\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\n"
            f"Origin: {site.url}\r\nCookie: {seat.cookies}\r\n\r\n".encode()
        )
        assert silent.recv(12) == b"HTTP/1.1 101"
        assert site.stop(), "it needed no kill"
    assert "Traceback" not in site.said()
    site.start()
