"""Connections before there is a request: how many one address has, and how long one may do nothing useful.

A proxy in front has limits of its own for this, and is a single address to us: then connections are not counted.
"""

from __future__ import annotations

import contextlib
import fcntl
import sys
import termios
import time
from collections import Counter
from typing import Any, NamedTuple

# First, for it decides which reactor there is.
from . import event_loop  # noqa: F401

# isort: split
from daphne import http_protocol
from django.conf import settings
from twisted.web import http

from ccg.counting import group_of

from .limits import Buckets

CONNECTIONS = 150
"""Connections that one address has open at the same time, sockets of tables included."""
CONNECTIONS_A_SECOND, CONNECTIONS_AT_ONCE = 20, 300
"""Connections that one address may open, in the long run and at once."""
HEAD_SECONDS = 10
"""How long the head of a request may take, from its first line to its last."""
BODY_SECONDS = 60
"""How long the whole request may take."""
IDLE_SECONDS = 30
"""How long a connection is kept without a request (or with less than the first line of one)."""
READ_A_SECOND = 4 * 1024
"""Bytes of an answer that have to be read in a second, in the long run: else the connection counts as one without a
request."""

HEAD_BYTES = 16 * 1024
"""How long the first line of a request may be, and how long its whole head."""
LENGTH_DIGITS = 100
"""How many characters there may be in the length of a body; Python fails on numbers of thousands."""
HEAD_LINES = 500
"""How many headers there may be."""
PASSED_OVER_BYTES = 256 * 1024
"""How much more is read, and dropped, of a request whose head was refused."""
PASSED_OVER_SECONDS = 1
"""For how long that is done: a connection closed with something unread takes the answer back."""

LATE = b"HTTP/1.1 408 Request Timeout\r\nConnection: close\r\nContent-Length: 0\r\n\r\n"


class SiteChannel(http.HTTPChannel):
    """Twisted's reader of requests, which says what is wrong with a head that is too long before it closes.

    One answer of a connection waits to be read, and not those to all requests that were sent with the first: Twisted
    would go on with what it has taken in, and a kilobyte of requests is a megabyte of files.
    """

    MAX_LENGTH = HEAD_BYTES
    totalHeadersSize = HEAD_BYTES  # noqa: N815
    maxHeaders = HEAD_LINES  # noqa: N815

    answered = 0
    """How often an answer was written, or read after that."""

    _dataBuffer: list[bytes]  # noqa: N815
    _passed_over: int | None = None
    _unread: Any = None
    """The last request, if the other side has not read the answer to it."""
    taken_over_by: Any = None
    """The socket that has the line now, if one has: what came with the request for it is for it, too."""

    def requestDone(self, request: Any) -> None:  # noqa: N802
        """An answer is written: go on with the next request, once this answer is read if there will be one."""
        self.answered += 1
        if self._waitingForTransport and self.persistent:
            self.requests.remove(request)  # it is no longer in work: who never reads is closed like who never asks
            self._unread = request
        else:
            super().requestDone(request)

    def resumeProducing(self) -> None:  # noqa: N802
        """What was written is read, all but a rest."""
        super().resumeProducing()
        if self._unread is not None:
            request, self._unread = self._unread, None
            self.requests.append(request)
            self.requestDone(request)

    def rawDataReceived(self, data: bytes) -> None:  # noqa: N802
        """Take in a body, or what is sent while an answer is made or waits to be read: of that, not much.

        Twisted stops reading then only where nothing waits to be sent, and never for what came with the end of a body;
        and with each byte it takes in, it counts all that there is piece by piece.
        """
        if self._handlingRequest:
            self._dataBuffer.append(data)
        else:
            super().rawDataReceived(data)
        if not self._handlingRequest:
            return
        rest = b"".join(self._dataBuffer)
        if self.taken_over_by is not None:
            self._dataBuffer = []
            self.taken_over_by.dataReceived(rest)
            return
        self._dataBuffer = [rest]
        if len(rest) > self._optimisticEagerReadSize:
            self._networkProducer.pauseProducing()

    def dataReceived(self, data: bytes) -> None:  # noqa: N802
        """Read on; of what was refused, only so that the answer arrives."""
        if self._passed_over is None:
            super().dataReceived(data)
            return
        self._passed_over += len(data)
        if self._passed_over > PASSED_OVER_BYTES:
            self.transport.abortConnection()

    def lineReceived(self, line: bytes) -> None:  # noqa: N802
        """Take the next line of the head, unless all of it is too long by now."""
        if self._passed_over is not None:
            return
        if self._receivedHeaderSize + len(line) > self.totalHeadersSize:
            self.lineLengthExceeded(line)
        else:
            super().lineReceived(line)

    def lineLengthExceeded(self, line: bytes) -> None:  # noqa: N802
        """Refuse a line that is too long: 414 if it is the first, else 431."""
        if self._receivedHeaderSize:
            self._refuse(b"431 Request Header Fields Too Large")
        else:
            self._refuse(b"414 URI Too Long")

    def headerReceived(self, line: bytes) -> bool:  # noqa: N802
        """Take a header, unless there are too many, or it announces a body in chunks (411), or without end (413).

        No browser sends one. A chunk can be a single byte, and taking it in costs the thread of tables as much as a
        long one: a megabyte in a second would leave it no time for anything else.
        """
        name, _, value = line.partition(b":")
        name = name.strip().lower()
        if name == b"transfer-encoding":
            self._refuse(b"411 Length Required")
        elif name == b"content-length" and len(value) > LENGTH_DIGITS:
            self._refuse(b"413 Content Too Large")
        elif self._receivedHeaderCount >= self.maxHeaders:
            self._refuse(b"431 Request Header Fields Too Large")
        else:
            return bool(super().headerReceived(line))
        return False

    def _refuse(self, status: bytes) -> None:
        if self._passed_over is not None:
            return
        self._passed_over = 0
        self.transport.write(b"HTTP/1.1 " + status + b"\r\nConnection: close\r\nContent-Length: 0\r\n\r\n")
        self.callLater(PASSED_OVER_SECONDS, self.transport.abortConnection)


class _Seen(NamedTuple):
    """How it stood for a connection when something had last gone on: when, and what was answered and not read yet."""

    at: float
    answered: int
    unread: int


class SiteFactory(http_protocol.HTTPFactory):
    """Daphne's factory of connections, which counts them and looks at the clock."""

    @staticmethod
    def protocol() -> Any:
        """Return the reader for one connection, in Twisted's wrapper."""
        return http._GenericHTTPChannelProtocol(SiteChannel())  # noqa: SLF001 - as Twisted's own factory does

    def __init__(self, server: Any) -> None:
        super().__init__(server)
        self._open: Counter[str] = Counter()
        self._opened = Buckets(CONNECTIONS_A_SECOND, CONNECTIONS_AT_ONCE)
        self._waiting: dict[Any, _Seen] = {}

    def buildProtocol(self, addr: Any) -> Any:  # noqa: N802
        """Take a connection in, unless its address has or opens too many; then it is closed at once."""
        visitor = group_of(str(getattr(addr, "host", "")))
        most = CONNECTIONS * settings.LIMITS
        counted = most and not settings.TRUSTED_PROXIES
        if counted and (self._open[visitor] >= most or not self._opened.take(visitor)):
            return None
        protocol = super().buildProtocol(addr)
        make_connection = protocol.makeConnection

        def made(transport: Any) -> None:
            del protocol.makeConnection
            self._open[visitor] += 1
            self._waiting[protocol] = _Seen(time.monotonic(), 0, 0)
            lost = transport.connectionLost

            # Of the transport and not of the protocol: that is another one once a socket has opened.
            def connection_lost(*reason: Any) -> None:
                if vars(transport).pop("connectionLost", None) is None:
                    return  # it had broken by itself as it was to be aborted, and each of them says so
                self._open[visitor] -= 1
                if not self._open[visitor]:
                    del self._open[visitor]
                self._waiting.pop(protocol, None)
                lost(*reason)
                _forget_unsent(transport)

            transport.connectionLost = connection_lost
            make_connection(transport)

        protocol.makeConnection = made
        return protocol

    def close_idle(self) -> None:
        """Close connections on which nothing has gone on for a while. Called every few seconds.

        Not those on which request follows request, whether one is under way just now or not; nor those whose last
        answer is still read, on a slow line.
        """
        now = time.monotonic()
        for protocol, seen in list(self._waiting.items()):
            channel = protocol._channel  # noqa: SLF001 - the wrapper shows nothing of it
            transport = channel.transport
            if transport is None or getattr(transport, "protocol", protocol) is not protocol:
                del self._waiting[protocol]  # a table's socket by now, with rules of its own
                continue
            unread = unsent(transport) + _unsent_by_the_system(transport)
            goes_on = channel.requests or channel.answered != seen.answered
            late = now - seen.at > IDLE_SECONDS
            if goes_on or (late and seen.unread - unread >= IDLE_SECONDS * READ_A_SECOND):
                self._waiting[protocol] = _Seen(now, channel.answered, unread)
            elif late:
                transport.abortConnection()


def unsent(transport: Any) -> int:
    """Return how many bytes wait in this process to be sent: what the other side has asked for and not read."""
    whole: int = len(getattr(transport, "dataBuffer", b"")) - getattr(transport, "offset", 0)
    return whole + int(getattr(transport, "_tempDataLen", 0))


def _unsent_by_the_system(transport: Any) -> int:
    """Return how many bytes the system keeps until the other side has them; 0 where it does not tell (macOS)."""
    waiting = bytearray(4)
    with contextlib.suppress(OSError, AttributeError):
        fcntl.ioctl(transport.socket, termios.TIOCOUTQ, waiting)
    return int.from_bytes(waiting, sys.byteorder)


def _forget_unsent(transport: Any) -> None:
    """Keep nothing of what the other side has not read: transport and reader hold each other.

    Else megabytes of those who ask for much and hang up stay until the collector looks at all objects.
    """
    transport.dataBuffer, transport.offset = b"", 0
    transport._tempDataBuffer, transport._tempDataLen = [], 0  # noqa: SLF001 - Twisted keeps it for good


class PunctualRequest:
    """Part of a request class: the request has to arrive in time, whoever sends it however slowly."""

    _head_here = False

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        self._began = time.monotonic()
        super().__init__(*args, **kwargs)

    def gotLength(self, length: int | None) -> None:  # noqa: N802
        """The head is here."""
        self._head_here = True
        super().gotLength(length)  # type: ignore[misc]

    def check_timeouts(self) -> None:
        """Close the connection if the request is late; else what daphne does. Called every few seconds."""
        if hasattr(self, "request_start"):  # it is whole, and in work
            super().check_timeouts()  # type: ignore[misc]
            return
        late = time.monotonic() - self._began > (BODY_SECONDS if self._head_here else HEAD_SECONDS)
        channel: Any = getattr(self, "channel", None)
        if late and channel is not None and channel.transport is not None:
            channel.transport.write(LATE)
            channel.timeoutConnection()  # in a while by force, should nobody read this
