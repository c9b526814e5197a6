"""Connections that do nothing useful: slow heads, broken frames, sockets that do not read, too many at once."""

from __future__ import annotations

import contextlib
import json
import socket
import time
from collections.abc import Iterator
from types import SimpleNamespace
from typing import Any

import pytest
from twisted.internet import tcp
from twisted.internet.error import ConnectionLost
from twisted.internet.testing import StringTransport
from twisted.python.failure import Failure
from twisted.web import http
from websockets.exceptions import ConnectionClosed
from websockets.sync.client import ClientConnection, connect

from ccg.server import connections
from ccg.server.connections import (
    CONNECTIONS,
    CONNECTIONS_A_SECOND,
    CONNECTIONS_AT_ONCE,
    IDLE_SECONDS,
    READ_A_SECOND,
    SiteChannel,
    SiteFactory,
    unsent,
)
from ccg.server.proving.client import visits
from ccg.server.proving.client.visits import Visitor
from ccg.server.serving import UNSENT_BYTES, SiteSocket, reactor
from tests.running import Site, running_site


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    env = {"LIMITS": "1", "GUESTS_PER_HOUR": "1000"}
    with running_site(tmp_path_factory.mktemp("site"), env, plant="tests.server.planted:impatient") as site:
        yield site


@pytest.fixture(scope="module")
def guest(site: Site) -> Visitor:
    return visits.guest(site.url)


@pytest.fixture(scope="module")
def path(guest: Visitor) -> str:
    return f"/ws/matches/{guest.play_computer()}/"


def table(site: Site, guest: Visitor, path: str, source: str = "127.0.0.1") -> ClientConnection:
    return connect(
        f"ws://127.0.0.1:{site.port}{path}",
        origin=site.url,  # type: ignore[arg-type]
        additional_headers={"Cookie": guest.cookie_header},
        open_timeout=10,
        max_size=None,
        max_queue=None,
        source_address=(source, 0),
    )


def raw_socket(site: Site, guest: Visitor, path: str, source: str = "127.0.0.1") -> socket.socket:
    """A table's socket as plain bytes, opened."""
    plain = socket.socket()
    plain.settimeout(20)
    plain.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 8192)  # the system takes in less for who does not read
    plain.bind((source, 0))
    plain.connect(("127.0.0.1", site.port))
    plain.sendall(
        f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{site.port}\r\nUpgrade: websocket\r\nConnection: Upgrade\r\n"
        f"Origin: {site.url}\r\nSec-WebSocket-Key: dGhlIHNhbXBsZSBub25jZQ==\r\nSec-WebSocket-Version: 13\r\n"
        f"Cookie: {guest.cookie_header}\r\n\r\n".encode()
    )
    said = b""
    while b"\r\n\r\n" not in said:
        said += plain.recv(1)
    assert b" 101 " in said
    return plain


def rest(plain: socket.socket) -> bytes:
    """All that still comes until the other side closes."""
    said = b""
    with contextlib.suppress(ConnectionError):
        while piece := plain.recv(65536):
            said += piece
    return said


def masked(text: str) -> bytes:
    """A text frame as clients send it, short, with a mask of zeros."""
    assert len(text) < 126
    return bytes([0x81, 0x80 | len(text), 0, 0, 0, 0]) + text.encode()


@pytest.mark.parametrize(
    ("frame", "code"),
    [
        (bytes([0x83, 0x80, 0, 0, 0, 0]), 1002),  # an opcode that is none
        (bytes([0x81, 0x05]) + b"hello", 1002),  # not masked
        (bytes([0xF1, 0x80, 0, 0, 0, 0]), 1002),  # reserved bits
        (bytes([0x81, 0x82, 0, 0, 0, 0, 0xFF, 0xFE]), 1007),  # text that is no UTF-8
        (bytes([0x81, 0xFF, 0, 0, 0, 0, 0, 0x40, 0, 0, 0, 0, 0, 0]), 1009),  # far too long
        (bytes([0x89, 0xFE, 0x01, 0x00, 0, 0, 0, 0]), 1002),  # a ping that is too long
        (bytes([0x88, 0x81, 0, 0, 0, 0, 3]), 1002),  # a close with half a code
        (bytes([0x88, 0x82, 0, 0, 0, 0, 3, 0xE7]), 1002),  # a close with a code that is none
        (bytes([0x88, 0x83, 0, 0, 0, 0, 3, 0xE8, 0xFF]), 1007),  # a close with a reason that is no UTF-8
    ],
)
def test_a_broken_frame_is_answered_with_a_code_and_the_end(
    site: Site, guest: Visitor, path: str, frame: bytes, code: int
) -> None:
    with raw_socket(site, guest, path) as plain:
        began = time.monotonic()
        plain.sendall(frame)
        said = rest(plain)
        assert code.to_bytes(2, "big") in said
        assert b"\x88" in said
        assert time.monotonic() - began < 10


def test_a_head_that_does_not_end_is_told_and_closed(site: Site) -> None:
    with socket.create_connection(("127.0.0.1", site.port), timeout=40) as plain:
        plain.sendall(b"GET / HTTP/1.1\r\nX-Slow: 1\r\n")
        assert rest(plain).startswith(b"HTTP/1.1 408")


@pytest.mark.parametrize(
    ("start", "piece"),
    [
        pytest.param(b"GET / HTTP/1.1\r\n", b"X-Slow: 1\r\n", marks=pytest.mark.ci),
        (b"GET / HTTP/1.1\r\n", b"x"),
        pytest.param(b"", b"G", marks=pytest.mark.ci),
    ],
)
def test_a_head_that_comes_slowly_is_closed_all_the_same(site: Site, start: bytes, piece: bytes) -> None:
    with socket.create_connection(("127.0.0.1", site.port), timeout=0.5) as plain:
        plain.sendall(start)
        with contextlib.suppress(ConnectionError):
            for _ in range(100):
                plain.sendall(piece)
                with contextlib.suppress(TimeoutError):
                    if not plain.recv(1000):
                        return
            pytest.fail("it is still open")


UPGRADE = "Upgrade: websocket\r\nConnection: Upgrade\r\nSec-WebSocket-Version: 13\r\n"


@pytest.mark.parametrize(
    ("path", "headers", "status"),
    [
        ("/" + "x" * 20_000, "", 414),
        ("/" + "x" * 100_000, "", 414),
        ("/ws/matches/" + "x" * 20_000, UPGRADE, 414),
        ("/ws/matches/" + "x" * 100_000, UPGRADE, 414),
        ("/", "X-Long: " + "x" * 20_000 + "\r\n", 431),
        ("/", "X-Long: " + "x" * 100_000 + "\r\n", 431),
        ("/ws/matches/", UPGRADE + "X-Long: " + "x" * 20_000 + "\r\n", 431),
        ("/", f"X-Long: {'x' * 1000}\r\n" * 17, 431),
        ("/", "X: 1\r\n" * 501, 431),
        ("/", "Transfer-Encoding: chunked\r\n", 411),
        ("/", f"Content-Length: {'9' * 5000}\r\n", 413),
        ("/", "TRANSFER-encoding : identity\r\nTransfer-Encoding: chunked\r\n", 411),
        ("/" + "x" * 15_000, "X: 1\r\n" * 100, 404),
        ("/", "X: 1\r\n" * 400, 200),
    ],
)
def test_a_head_that_is_not_taken_is_told_so(site: Site, path: str, headers: str, status: int) -> None:
    with socket.create_connection(("127.0.0.1", site.port), timeout=10, source_address=("127.0.0.60", 0)) as plain:
        began = time.monotonic()
        plain.sendall(f"GET {path} HTTP/1.1\r\nHost: 127.0.0.1:{site.port}\r\n{headers}\r\n".encode())
        said = plain.recv(100)
        assert said.startswith(f"HTTP/1.1 {status} ".encode())
        if status in (411, 413, 414, 431):
            assert rest(plain).count(b"HTTP/1.1") == 0, "it is told once"
            assert time.monotonic() - began < 5


def test_a_head_without_end_is_not_read_for_ever(site: Site) -> None:
    with socket.create_connection(("127.0.0.1", site.port), timeout=10, source_address=("127.0.0.61", 0)) as plain:
        sent = 0
        with contextlib.suppress(ConnectionError):
            while sent < 100_000_000:
                sent += plain.send(b"x" * 65536)
        assert sent < 20_000_000


class Transport:
    """A connection on which so much waits to be sent."""

    def __init__(self, waiting: int) -> None:
        self.dataBuffer = b"x" * (waiting + 5)
        self.offset = 10
        self._tempDataLen = 5


@pytest.mark.parametrize(("waiting", "done"), [(UNSENT_BYTES, ["sent"]), (UNSENT_BYTES + 1, [1013])])
def test_a_socket_that_does_not_read_is_closed(monkeypatch: pytest.MonkeyPatch, waiting: int, done: list[Any]) -> None:
    opened = SiteSocket()
    opened.transport, opened.state, opened.client_addr = Transport(waiting), SiteSocket.STATE_OPEN, ["1.2.3.4", 5]
    happened: list[Any] = []
    monkeypatch.setattr(opened, "sendMessage", lambda *args: happened.append("sent"))
    monkeypatch.setattr(opened, "serverClose", happened.append)
    opened.serverSend("text")
    assert happened == done


def test_what_the_server_counts_is_what_waits() -> None:
    """Twisted's own buffers, by their own names: another release may change them."""
    here, there = socket.socketpair()
    connection = tcp.Connection(here, None, reactor)
    connection.connected = True
    with here, there:
        connection.write(b"x" * 1000)
        connection.write(b"y" * 500)
        assert unsent(connection) == 1500
        connection.doWrite()
        assert unsent(connection) == 0
        connection.write(b"z" * 10_000_000)
        connection.doWrite()
        assert 0 < unsent(connection) < 10_000_000
        connection.stopWriting()  # uvloop ends the process where a socket that it looks at is closed


def test_the_next_request_waits_until_the_answer_before_is_read() -> None:
    answered = []

    class Page(http.Request):
        def process(self) -> None:
            answered.append(self.path)
            self.write(b"a long page")
            self.channel.pauseProducing()  # as the transport does where too much waits to be sent
            self.finish()

    channel = SiteChannel()
    channel.requestFactory = Page
    channel.makeConnection(StringTransport())
    channel.dataReceived(b"".join(b"GET /%d HTTP/1.1\r\nHost: a\r\n\r\n" % number for number in range(4)))
    assert answered == [b"/0"]
    assert not channel.requests, "who never reads is not at work"
    channel.resumeProducing()
    assert answered == [b"/0", b"/1"]
    channel.dataReceived(b"GET /last HTTP/1.1\r\nHost: a\r\nConnection: close\r\n\r\n")
    assert answered == [b"/0", b"/1"]
    for _ in range(3):
        channel.resumeProducing()
    assert answered == [b"/0", b"/1", b"/2", b"/3", b"/last"]
    assert channel.transport.disconnecting


def test_tables_cost_all_sockets_of_a_visitor_and_nobody_else(site: Site, guest: Visitor, path: str) -> None:
    def asked(source: str, times: int) -> list[str]:
        said = []
        with table(site, guest, path, source) as opened:
            for _ in range(times):
                opened.send('{"type": "hello", "since": 0}')
                message = json.loads(opened.recv(timeout=20))
                while message["type"] not in {"table", "refused"}:
                    message = json.loads(opened.recv(timeout=20))
                said.append(message.get("code", message["type"]))
        return said

    said: list[str] = []
    while "too_fast" not in said and len(said) < 500:  # on a busy machine some of it comes back meanwhile
        said += asked("127.0.0.50", 20)
    assert said[:20] == ["table"] * 20
    assert "too_fast" in said
    assert asked("127.0.0.51", 3) == ["table"] * 3


def test_rubbish_is_refused_and_then_not_listened_to(site: Site, guest: Visitor, path: str) -> None:
    with table(site, guest, path) as opened, contextlib.suppress(ConnectionClosed):
        for _ in range(100):
            opened.send("x" * 16_000)
        while True:
            opened.recv(timeout=20)
    assert opened.close_code == 1008


@pytest.mark.parametrize(
    ("first", "then"),
    [(b"", b"\x89\x80"), (b"", b"\x8a\x80"), (b"\x01\x80", b"\x00\x80")],
    ids=["ping", "pong", "piece"],
)
def test_a_flood_of_frames_that_are_no_messages_ends_the_socket(
    site: Site, guest: Visitor, path: str, first: bytes, then: bytes
) -> None:
    """The library answers or passes over these by itself: the application never counts them."""
    mask = bytes(4)
    with table(site, guest, path) as opened:
        with contextlib.suppress(ConnectionError):
            opened.socket.sendall((first + mask if first else b"") + (then + mask) * 5_000)
        with contextlib.suppress(ConnectionClosed):
            for _ in range(2):  # a heartbeat perhaps, and that it is closed
                opened.recv(timeout=10)
        assert opened.close_code == 1008


def test_one_address_has_only_so_many_connections(site: Site) -> None:
    with contextlib.ExitStack() as stack:
        held = [
            stack.enter_context(socket.create_connection(("127.0.0.1", site.port), timeout=10))
            for _ in range(CONNECTIONS + 20)
        ]
        assert held[-1].recv(1) == b"", "closed at once"
        other = stack.enter_context(
            socket.create_connection(("127.0.0.1", site.port), timeout=10, source_address=("127.0.0.77", 0))
        )
        other.sendall(f"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:{site.port}\r\n\r\n".encode())
        assert other.recv(1000).startswith(b"HTTP/1.1 200")
    end = time.monotonic() + 20
    while time.monotonic() < end:
        with socket.create_connection(("127.0.0.1", site.port), timeout=10) as plain:
            plain.sendall(f"GET /healthz HTTP/1.1\r\nHost: 127.0.0.1:{site.port}\r\n\r\n".encode())
            with contextlib.suppress(ConnectionError):
                if plain.recv(1000).startswith(b"HTTP/1.1 200"):
                    return
        time.sleep(0.1)
    pytest.fail("connections that have ended are still counted")


def body_under_way(site: Site, stack: contextlib.ExitStack, source: str, size: int = 15 * 1024 * 1024) -> socket.socket:
    """A long body from this address, all but its last byte, as far as it is taken in."""
    plain = stack.enter_context(
        socket.create_connection(("127.0.0.1", site.port), timeout=20, source_address=(source, 0))
    )
    plain.sendall(
        f"POST /admin/ HTTP/1.1\r\nHost: 127.0.0.1:{site.port}\r\nContent-Type: text/plain\r\n"
        f"Content-Length: {size}\r\n\r\n".encode()
    )
    with contextlib.suppress(ConnectionError):
        plain.sendall(b"x" * (size - 1))
    return plain


def test_one_address_sends_only_so_much_at_the_same_time(site: Site) -> None:
    with contextlib.ExitStack() as stack:
        held = [body_under_way(site, stack, "127.0.0.88") for _ in range(2)]
        time.sleep(1)  # until what the system still has of them is with the server
        assert body_under_way(site, stack, "127.0.0.88").recv(100).startswith(b"HTTP/1.1 429")
        other = body_under_way(site, stack, "127.0.0.89")
        other.sendall(b"x")
        assert b" 429 " not in other.recv(100), "nobody else is refused"
        for plain in held:
            plain.sendall(b"x")
            assert b" 429 " not in plain.recv(100), "and what was begun before goes on"
        more = body_under_way(site, stack, "127.0.0.88")
        more.sendall(b"x")
        assert b" 429 " not in more.recv(100), "what is answered is not counted any more"


def test_one_address_opens_only_so_many_connections(settings: Any) -> None:
    settings.LIMITS, settings.TRUSTED_PROXIES = 1.0, 0
    factory = SiteFactory(SimpleNamespace())
    here, there = SimpleNamespace(host="1.2.3.4"), SimpleNamespace(host="1.2.3.5")
    began = time.monotonic()
    opened = [factory.buildProtocol(here) is not None for _ in range(3 * CONNECTIONS_AT_ONCE)]
    most = CONNECTIONS_AT_ONCE + CONNECTIONS_A_SECOND * (time.monotonic() - began) + 1
    assert CONNECTIONS_AT_ONCE <= opened.count(True) <= most
    assert factory.buildProtocol(there) is not None, "nobody else is refused"
    settings.TRUSTED_PROXIES = 1
    assert factory.buildProtocol(here) is not None, "a proxy is everybody"


def test_who_does_not_read_an_answer_is_not_read_from() -> None:
    """Twisted takes in whatever comes while an answer waits: one connection could fill the memory."""

    class Long(http.Request):
        def process(self) -> None:
            self.write(b"x")
            self.channel.pauseProducing()  # as the line does that takes nothing more
            self.finish()

    channel, line = SiteChannel(), StringTransport()
    channel.requestFactory = Long
    channel.makeConnection(line)
    asked = b"GET / HTTP/1.1\r\nHost: here\r\n\r\n"
    channel.dataReceived(asked)
    channel.dataReceived(asked)
    assert line.producerState == "producing", "the next request is taken in"
    channel.dataReceived(b"x" * 0x4000)
    assert line.producerState == "paused"
    assert line.value().count(b"HTTP/1.1 200") == 1
    channel.resumeProducing()
    assert line.producerState == "producing"
    assert line.value().count(b"HTTP/1.1 200") == 2


def test_who_sends_one_body_behind_the_other_is_read_from_only_as_they_are_answered() -> None:
    """What comes with the end of a body is taken in as well: with each answer, as much again could come on top."""
    under_way = []

    class Page(http.Request):
        def process(self) -> None:
            under_way.append(self)

    channel, line = SiteChannel(), StringTransport()
    channel.requestFactory = Page
    channel.makeConnection(line)
    asked = b"POST / HTTP/1.1\r\nHost: here\r\nContent-Length: 1\r\n\r\nx" * 1500
    for _ in range(20):
        if line.producerState == "producing":
            channel.dataReceived(asked[:65536])
        under_way.pop().finish()
        assert sum(map(len, channel._dataBuffer)) < 2 * len(asked)


def test_nothing_is_kept_of_what_was_not_read_of_an_answer(settings: Any) -> None:
    """Line and reader hold each other until the collector looks at all objects."""

    class Line(tcp.Connection):
        def setTcpNoDelay(self, enabled: bool) -> None:  # noqa: N802 - it is none of TCP
            pass

    settings.LIMITS, settings.TRUSTED_PROXIES = 1.0, 0
    factory, (here, there) = SiteFactory(SimpleNamespace()), socket.socketpair()
    with here, there:
        line = Line(here, factory.buildProtocol(SimpleNamespace(host="1.2.3.4")), reactor)
        line.connected = True
        line.protocol.makeConnection(line)
        line.write(b"x" * 10_000_000)
        line.doWrite()
        line.write(b"y" * 10_000_000)
        lost = line.connectionLost
        for _ in range(2):  # as it breaks, and as it was to be aborted
            lost(Failure(ConnectionLost()))
        assert unsent(line) == 0
        assert not line._tempDataBuffer
        assert not factory._open, "and it is counted no more, once"


class Clock:
    """The clock of connections, which stands still unless it is set."""

    def __init__(self) -> None:
        self.now = 1000.0

    def monotonic(self) -> float:
        return self.now


class SlowLine(StringTransport):
    """A line on which ``waiting`` bytes of an answer are not read yet."""

    waiting, aborted = 0, False

    @property
    def dataBuffer(self) -> bytes:  # noqa: N802
        return bytes(self.waiting)

    def connectionLost(self, *reason: Any) -> None:  # noqa: N802
        pass

    def abortConnection(self) -> None:  # noqa: N802
        self.aborted = True


@pytest.fixture
def clock(monkeypatch: pytest.MonkeyPatch, settings: Any) -> Clock:
    settings.LIMITS, settings.TRUSTED_PROXIES = 1.0, 0
    clock = Clock()
    monkeypatch.setattr(connections, "time", clock)
    return clock


def kept_connection() -> tuple[SiteFactory, Any, SlowLine]:
    """A connection whose requests are answered at once, how it is read, and its line."""

    class Page(http.Request):
        def process(self) -> None:
            self.finish()

    factory, line = SiteFactory(SimpleNamespace()), SlowLine()
    protocol = factory.buildProtocol(SimpleNamespace(host="1.2.3.4"))
    protocol.requestFactory, protocol.timeOut = Page, None
    line.protocol = protocol
    protocol.makeConnection(line)
    return factory, protocol, line


def test_a_connection_that_is_used_again_and_again_is_kept(clock: Clock) -> None:
    """Pages are ready so soon that whoever looks now and then sees no request under way."""
    factory, protocol, line = kept_connection()
    for second in range(3 * IDLE_SECONDS):
        protocol.dataReceived(b"GET / HTTP/1.1\r\nHost: here\r\n\r\n")
        clock.now += 1
        factory.close_idle()
        assert not line.aborted, f"after {second} seconds"
    clock.now += IDLE_SECONDS
    factory.close_idle()
    assert not line.aborted
    clock.now += 1
    factory.close_idle()
    assert line.aborted, "nothing was asked for that long"


@pytest.mark.parametrize(("read_a_second", "kept"), [(READ_A_SECOND, True), (READ_A_SECOND // 2, False), (0, False)])
def test_an_answer_that_is_read_slowly_is_read_to_its_end(clock: Clock, read_a_second: int, kept: bool) -> None:
    factory, protocol, line = kept_connection()
    protocol.dataReceived(b"GET / HTTP/1.1\r\nHost: here\r\n\r\n")
    line.waiting = 4 * IDLE_SECONDS * READ_A_SECOND
    factory.close_idle()
    while line.waiting and not line.aborted:
        clock.now += 1
        line.waiting -= read_a_second
        factory.close_idle()
    assert (line.waiting == 0) is kept


def test_what_the_system_has_not_sent_yet_is_not_read_yet(clock: Clock) -> None:
    """Else the last megabytes of an answer would be lost, which the system has taken from us at once."""
    here, there = socket.socketpair()
    with here, there:
        factory, protocol, line = kept_connection()
        line.socket = here
        protocol.dataReceived(b"GET / HTTP/1.1\r\nHost: here\r\n\r\n")
        here.setblocking(False)
        sent = here.send(bytes(2 * IDLE_SECONDS * READ_A_SECOND))
        assert sent > IDLE_SECONDS * READ_A_SECOND
        factory.close_idle()
        clock.now += IDLE_SECONDS + 1
        while sent:
            sent -= len(there.recv(sent))
        factory.close_idle()
        assert not line.aborted, "it was read meanwhile"
        clock.now += IDLE_SECONDS + 1
        factory.close_idle()
        assert line.aborted
