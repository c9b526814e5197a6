"""Daphne, fitted to this site."""

from __future__ import annotations

import asyncio
import contextlib
import logging
import resource
import socket
import sys
import time
from collections import Counter
from contextvars import Context
from io import BytesIO
from typing import Any, ClassVar
from urllib.parse import unquote_to_bytes

# First, for it decides which reactor there is.
from .event_loop import Faults

# isort: split

from django.conf import settings

from ccg.counting import group_of
from ccg.spared import not_installed

# No connection of ours is encrypted by Twisted: a proxy does that.
with not_installed("OpenSSL"):
    from autobahn.twisted import websocket as ws_twisted
    from autobahn.websocket import protocol as ws_library
    from daphne import http_protocol, ws_protocol
    from daphne import server as daphne_server
    from daphne.endpoints import build_endpoint_description_strings
    from daphne.server import Server
    from daphne.ws_protocol import WebSocketFactory, WebSocketProtocol
    from twisted.internet import reactor
    from twisted.internet.defer import Deferred, DeferredList
    from twisted.logger import globalLogPublisher

from .admission import longest_body
from .connections import PunctualRequest, SiteFactory, unsent
from .garbage import Collections
from .guard import MESSAGE_BYTES, TRANSPORT_BYTES
from .limits import Buckets

log = logging.getLogger(__name__)

# The longest body of a request. The largest that is meant, an uploaded card set, has 2 MB; forms say so
# themselves as long as a file is not longer than this.
BODY_BYTES = 16 * 1024 * 1024
# Bodies up to this are kept in memory.
IN_MEMORY = 1024 * 1024
# In what pieces the application is given a body.
PIECE_BYTES = 256 * 1024
TAKEN_IN = 2
"""How many times as long as it may be a body is still taken in, so that the answer is one that browsers show."""
BODIES_AT_ONCE = 32 * 1024 * 1024
"""Bytes of bodies that one visitor may have here at the same time, until they are answered.

Else whoever sends all but the last byte of each has 150 connections hold gigabytes of the disk for a minute. It is not
counted behind a proxy: that is one address, and takes bodies in itself.
"""
REFUSED_SECONDS = 0.5
CLOSING_SECONDS = 1
CHECKED_SECONDS = 2
LOOKED_AFTER_SECONDS = 1
GOING_AWAY_SECONDS = 2
"""How long a server that stops waits for its sockets to be closed: who is silent is dropped after CLOSING_SECONDS."""
LOOKED_SECONDS = 0.02
OPEN_FILES = 65_536
"""Open files that the server asks the system for, a connection being one. Systems give 1,024 unasked, which seven
addresses use up, or the sockets of 500 matches."""
# What may wait in this process to be sent over one socket; a view of a table has 5 to 30 KiB.
UNSENT_BYTES = 256 * 1024
WAITING_MESSAGES = 64
"""Messages of one socket that may wait for the application. A person clicking never has three."""
# What one socket may send in frames of any kind, pings and empty pieces of a message included. The guard counts
# messages, and sees none of those; reading them costs as much.
PIECES_A_SECOND, PIECES_AT_ONCE = 100, 500
KEPT_BYTES = 4 * (MESSAGE_BYTES + 1)
"""What is kept of one message: enough for the guard to see that it has more characters than are passed on."""
CONTROL_BYTES = 125
"""As long as the standard lets a ping, a pong and a close be."""
# What the system may keep besides.
SYSTEM_UNSENT_BYTES = 128 * 1024
SWITCH_SECONDS = 0.0001
TOO_LARGE = "413 Content Too Large", "This is larger than anything that can be sent here. Nothing was changed.\n"
TOO_MUCH = "429 Too Many Requests", "Too much was sent at once. Nothing was changed. Please wait a little.\n"
"""The two ways in which a body is refused before it is here: the status, and what is said."""


class SiteRequest(PunctualRequest, http_protocol.WebRequest):
    """Daphne's request with a bound: a body is taken in whole, to memory or disk, before we see any of it."""

    content: Any
    refused = False
    _most = BODY_BYTES
    _held = 0
    """How much of the body counts among those of its visitor."""
    _bodies: ClassVar[Counter[str]] = Counter()
    """How much of bodies each visitor has here."""

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        # Twisted would read forms as well, on the event loop and for nobody: Django reads them, in a thread.
        super().__init__(*args, parsePOSTFormSubmission=False, **kwargs)

    def gotLength(self, length: int | None) -> None:  # noqa: N802
        """The headers are here: refuse what says that it is far too long for its page."""
        # Twisted would make a file on disk from 100 kB on.
        super().gotLength(0 if length is not None and length <= IN_MEMORY else length)
        path = unquote_to_bytes(self.channel._path.partition(b"?")[0])  # noqa: SLF001 - it is the request's own only later
        self._most = min(BODY_BYTES, TAKEN_IN * longest_body(path.decode("latin-1")))
        if length is not None and length > self._most:
            self._refuse(TOO_LARGE)

    def handleContentChunk(self, data: bytes) -> None:  # noqa: N802
        """More of the body is here: refuse what has become too long without having said so, or too much with others."""
        if not self.refused and self.content.tell() + len(data) > self._most:
            self._refuse(TOO_LARGE)
        if not self.refused and not self._hold(len(data)):
            self._refuse(TOO_MUCH)
        if not self.refused:
            super().handleContentChunk(data)

    def process(self) -> Any:
        """Everything is here: hand it on, unless it was refused meanwhile."""
        # With it whoever asks could say for daphne where the site begins: links in mails to others would lead there.
        self.requestHeaders.removeHeader(b"daphne-root-path")
        # Tables speak none of the protocols that a socket can be asked for; daphne fails on what is not ASCII in it.
        self.requestHeaders.removeHeader(b"sec-websocket-protocol")
        if self._becomes_a_socket:
            # The socket takes the connection over, and nobody says that the request has ended. It has no use for a
            # body, and would keep it.
            self._let_go()
            self.content.close()
            self.content = BytesIO()
        if self.refused:
            return None
        channel = self.channel
        before = getattr(channel.transport, "protocol", None)
        processed = super().process()
        after = getattr(channel.transport, "protocol", None)
        if after is not before:
            channel.taken_over_by = after
        return processed

    def finish(self) -> None:
        """The answer is written."""
        self._let_go()
        super().finish()

    def connectionLost(self, reason: Any) -> None:  # noqa: N802
        """The connection has ended before that."""
        self._let_go()
        super().connectionLost(reason)

    def handle_reply(self, message: dict[str, Any]) -> None:
        """Send what the application answers; to HEAD, nothing but the head.

        Twisted sees to that by replacing ``write`` of the request, and daphne calls that of the class: of an answer in
        several pieces all but the first would be sent, and be taken for the answer to the next request.
        """
        if self.method == b"HEAD" and message.get("type") == "http.response.body":
            message = {**message, "body": b""}
        super().handle_reply(message)

    def handle_exception(self, exception: BaseException) -> None:
        """Say that the application has failed; if its answer has begun already, end the connection."""
        if not self._response_started:
            super().handle_exception(exception)
        else:
            self._abort()

    def check_timeouts(self) -> None:
        """Look at the clock; an answer that has begun and does not end in time ends with its connection."""
        if not self._response_started or self.duration() <= self.server.http_timeout:
            super().check_timeouts()
        elif not self.finished:
            self._abort()

    @property
    def _becomes_a_socket(self) -> bool:
        # As daphne sees it: a request for any other upgrade is answered like all others.
        asked = self.requestHeaders.getRawHeaders(b"upgrade") or [b""]
        return bool(asked[0].lower() == b"websocket")

    @property
    def _visitor(self) -> str:
        return group_of(str(getattr(self.getClientAddress(), "host", "")))

    def _hold(self, size: int) -> bool:
        """Count ``size`` bytes more of the visitor; return whether there is room for them."""
        if not settings.LIMITS or settings.TRUSTED_PROXIES:
            return True
        if self._bodies[self._visitor] + size > BODIES_AT_ONCE * settings.LIMITS:
            return False
        self._bodies[self._visitor] += size
        self._held += size
        return True

    def _let_go(self) -> None:
        """Keep the body no longer, and count it no more: nobody asks for it now.

        A request, its connection and its task hold each other, and so whatever of the body the application has not
        taken, until the collector looks at all objects: tens of megabytes of those who ask and hang up.
        """
        queue = self.application_queue
        while queue is not None and not queue.empty():
            queue.get_nowait()
        if not self._held:
            return
        self._bodies[self._visitor] -= self._held
        self._held = 0
        if self._bodies[self._visitor] <= 0:
            del self._bodies[self._visitor]

    def _abort(self) -> None:
        if self.channel is not None and self.channel.transport is not None:
            self.channel.transport.abortConnection()

    def _refuse(self, why: tuple[str, str]) -> None:
        """Take in nothing more, and say why in a while, for whoever asks again and again."""
        self.refused = True
        self.channel.pauseProducing()
        reactor.callLater(REFUSED_SECONDS if settings.LIMITS else 0, self._say_refused, why)

    def _say_refused(self, why: tuple[str, str]) -> None:
        if self.channel is None or self.channel.transport is None:
            return  # gone by now
        status, words = why
        head = f"HTTP/1.1 {status}\r\nContent-Type: text/plain\r\nContent-Length: {len(words)}\r\n"
        self.channel.transport.write(f"{head}Connection: close\r\n\r\n{words}".encode())
        self.channel.loseConnection()


class SiteSocketFactory(WebSocketFactory):
    """Makes sockets that say why they close."""

    def setProtocolOptions(self, **options: Any) -> None:  # noqa: N802
        """Set Autobahn's options: what daphne gives, and a code instead of silence for frames that are broken."""
        super().setProtocolOptions(failByDrop=False, closeHandshakeTimeout=CLOSING_SECONDS, **options)


class SiteSocket(WebSocketProtocol):
    """Daphne's WebSocket without some of its traps."""

    # Kept by the standard for servers, yet refused by Autobahn.
    SERVER_CODES = frozenset({1001, 1008, 1011, 1013})

    muted: bool = False
    _told_to_close = False

    def connectionMade(self) -> None:  # noqa: N802
        """The connection is a socket's now: the system keeps less for one that does not read."""
        super().connectionMade()
        self._pieces = Buckets(PIECES_A_SECOND, PIECES_AT_ONCE)
        with contextlib.suppress(OSError, AttributeError):
            self.transport.socket.setsockopt(socket.SOL_SOCKET, socket.SO_SNDBUF, SYSTEM_UNSENT_BYTES)

    def dataReceived(self, data: bytes) -> None:  # noqa: N802
        """Read on; of what is sent before the socket has opened, only so much as one message may have.

        Clients wait for that. Autobahn would keep everything, and look through all of it with each piece that comes.
        """
        if not hasattr(self, "handshake_deferred"):
            super().dataReceived(data)
            return
        self.data += data  # it is read once the socket has opened
        if len(self.data) > MESSAGE_BYTES:
            self.dropConnection(abort=True)

    def serverAccept(self, subprotocol: str | None = None) -> None:  # noqa: N802
        """Open, unless the line was dropped meanwhile: Autobahn would open it all the same, and fail as it ends."""
        if self.state == self.STATE_CONNECTING:
            super().serverAccept(subprotocol)

    def connectionLost(self, *reason: Any) -> None:  # noqa: N802
        """The connection has ended: keep nothing of what was not read to its end, as too much holds the socket."""
        super().connectionLost(*reason)
        self.data, self.frame_data, self.message_data = b"", None, None

    def onClose(self, wasClean: bool, code: Any, reason: Any) -> None:  # noqa: N802, N803
        """It has ended: tell the application, unless the library has refused it before there was one."""
        if hasattr(self, "server"):
            super().onClose(wasClean, code, reason)

    def processData(self) -> bool:  # noqa: N802
        """Read the next frame, or what has come of it; nothing more of what a flooding socket sends."""
        if not self.muted:
            return bool(super().processData())
        self.data = b""
        return False

    def onFrameBegin(self) -> None:  # noqa: N802
        """A frame begins, whatever it is: too many of them keep the event loop from everybody else."""
        super().onFrameBegin()
        if not self._pieces.take(""):
            self._close_flooding()

    def onMessageBegin(self, isBinary: bool) -> None:  # noqa: N802, N803
        """A message begins."""
        super().onMessageBegin(isBinary)
        self._kept = 0

    def onMessageFrameData(self, payload: bytes) -> None:  # noqa: N802
        """More of a message is here: keep no more of all of it than :data:`KEPT_BYTES`."""
        payload = payload[: KEPT_BYTES - self._kept]
        self._kept += len(payload)
        super().onMessageFrameData(payload)

    def onFrameData(self, payload: bytes) -> Any:  # noqa: N802
        """More of a frame is here. Of one without a message that is too long, and refused by now, nothing is kept."""
        too_long = self.current_frame.opcode > 7 and self.current_frame.length > CONTROL_BYTES
        return super().onFrameData(b"" if too_long else payload)

    def onCloseFrame(self, code: int | None, reasonRaw: bytes | None) -> Any:  # noqa: N802, N803
        """The other side closes. What is wrong with its frame, if anything is, has just been written to it."""
        self._told_to_close = True
        try:
            return super().onCloseFrame(code, reasonRaw)
        finally:
            self._told_to_close = False

    def dropConnection(self, abort: bool = False) -> None:  # noqa: N802
        """End the connection: at once if ``abort``, else when what was written is sent, or after a while."""
        abort = abort and not self._told_to_close
        super().dropConnection(abort=abort)
        if not abort:
            reactor.callLater(CLOSING_SECONDS, self.transport.abortConnection)

    def onMessage(self, payload: bytes, isBinary: bool) -> None:  # noqa: N802, N803
        """Take a message, unless so many wait already that the application cannot keep up with this client."""
        if self.application_queue.qsize() >= WAITING_MESSAGES:
            self._close_flooding()
        else:
            if len(payload) == KEPT_BYTES and not isBinary:
                payload = payload.decode(errors="ignore").encode()  # it may end within a character now
            super().onMessage(payload, isBinary)

    def _close_flooding(self) -> None:
        """Close this socket, and read nothing more from it: a close in answer would stand behind the flood.

        What the application has not got to yet is dropped.
        """
        if self.muted:
            return
        log.warning("closed a flooding socket: %s from %s", self.path, (self.client_addr or ["?"])[0])
        self.muted = True
        while not self.application_queue.empty():
            self.application_queue.get_nowait()
        self.application_queue.put_nowait({"type": "websocket.disconnect", "code": 1008})
        self.serverClose(1008)
        self.transport.pauseProducing()

    def serverClose(self, code: int | None = None) -> None:  # noqa: N802
        """Close with this code; daphne's own way raises for all but 1000 and 3000 to 4999."""
        if code in self.SERVER_CODES:
            self.sendCloseFrame(code=code)
            # A client that does not answer, or does not read, is not waited for.
            reactor.callLater(CLOSING_SECONDS, self._end)
        else:
            super().serverClose(code)

    def serverSend(self, content: str | bytes, binary: bool = False) -> None:  # noqa: N802
        """Send, unless the other side is gone by now (nobody's fault), or does not read what it was sent before."""
        if self.state not in (self.STATE_CLOSING, self.STATE_CLOSED) and self._is_read():
            super().serverSend(content, binary)

    def onPing(self, payload: bytes) -> None:  # noqa: N802
        """Answer a ping, unless the other side does not read the answers."""
        if self.state == self.STATE_OPEN and self._is_read():
            super().onPing(payload)

    def handle_exception(self, exception: BaseException) -> None:
        """Say that the application has failed, unless the line is in no state to be told."""
        if hasattr(self, "handshake_deferred") or self.state == self.STATE_OPEN:
            super().handle_exception(exception)
        else:
            self._end()

    def onAutoPingTimeout(self) -> None:  # noqa: N802
        """No sign of life, or stuck in the middle of a frame: say so, then end it."""
        self.autoPingTimeoutCall = None
        self.serverClose(1008)

    def go_away(self) -> None:
        """Say that the server stops, if this is open."""
        if self.state == self.STATE_OPEN:
            self.serverClose(1001)

    @property
    def closing(self) -> bool:
        """Whether it was told so, and the other side has not answered yet."""
        return bool(self.state == self.STATE_CLOSING)

    def _is_read(self) -> bool:
        """Return whether the other side reads what it is sent; else close."""
        if unsent(self.transport) <= UNSENT_BYTES:
            return True
        log.info("closed a socket that does not read: %s", (self.client_addr or ["?"])[0])
        self.serverClose(1013)
        return False

    def _end(self) -> None:
        if self.state != self.STATE_CLOSED:
            self.dropConnection(abort=True)


def _closed(sockets: list[SiteSocket]) -> Deferred[None]:
    """Return what is called once none of ``sockets`` is closing any more, or after GOING_AWAY_SECONDS."""
    done: Deferred[None] = Deferred()
    end = reactor.seconds() + GOING_AWAY_SECONDS

    def look() -> None:
        if reactor.seconds() < end and any(one.closing for one in sockets):
            reactor.callLater(LOOKED_SECONDS, look)
        else:
            done.callback(None)

    look()
    return done


class Ticking:
    """The clock by which daphne measures how long something takes, in place of the module ``time``.

    The clock of the machine is set now and then: ahead by a day, all sockets would be closed as too old; back by an
    hour, none would be asked for that long whether anybody is still there.
    """

    @staticmethod
    def time() -> float:
        """Return seconds by a clock that nobody sets."""
        return time.monotonic()


def tell(news: str) -> None:
    """Say this to whoever started us, unless it can be written nowhere: its file may be on a disk that is full."""
    with contextlib.suppress(OSError):
        print(news, flush=True)


def ask_for_open_files() -> None:
    """Raise this process's limit of open files to :data:`OPEN_FILES`, or as far as it may."""
    soft, hard = resource.getrlimit(resource.RLIMIT_NOFILE)
    wanted = OPEN_FILES if hard == resource.RLIM_INFINITY else min(OPEN_FILES, hard)
    if soft != resource.RLIM_INFINITY and soft < wanted:
        with contextlib.suppress(ValueError, OSError):  # macOS has another, lower limit that it does not tell
            resource.setrlimit(resource.RLIMIT_NOFILE, (wanted, hard))


class SiteServer(Server):
    """Daphne on HOST:PORT, saying when it listens and remembering when it could not."""

    failure: str = ""

    def __init__(self, application: Any) -> None:
        self._collections = Collections()
        self._ports: list[Any] = []
        super().__init__(
            application,
            endpoints=build_endpoint_description_strings(host=settings.HOST, port=settings.PORT),
            http_timeout=60,
            request_buffer_size=PIECE_BYTES,
            # Autobahn applies these to what we send as well, so they are not the 16 KiB that a player
            # may send (the guard sees to that): a table seen by eight players is longer.
            websocket_max_message_size=TRANSPORT_BYTES,
            websocket_max_frame_size=TRANSPORT_BYTES,
            server_name="",
        )

    def run(self) -> None:
        """Serve until told to stop."""
        ask_for_open_files()
        # Threads that compute give way to the event loop, and so to the tables, within this time.
        sys.setswitchinterval(SWITCH_SECONDS)
        # The server makes its factories itself and offers no other way to name the classes.
        SiteSocketFactory.protocol = SiteSocket
        daphne_server.WebSocketFactory = SiteSocketFactory
        daphne_server.HTTPFactory = SiteFactory
        http_protocol.WebRequest = SiteRequest
        for module in (http_protocol, ws_protocol, daphne_server):
            module.time = Ticking
        # Colours and lists for lines of a debug log that nobody keeps, worked out for each frame and each socket.
        for library in (ws_library, ws_twisted):
            for name in ("hltype", "hlval", "pformat"):
                setattr(library, name, lambda *args, **kwargs: "")
        globalLogPublisher.addObserver(Faults())
        self._collections.begin()
        try:
            super().run()
        finally:
            self._collections.end()

    def create_application(self, protocol: Any, scope: Any) -> Any:
        """Begin a request or a socket, in a context of its own.

        The next request of a connection is often read from within the answer to the one before: that one's context,
        with the thread in which it was worked on, would go on to somebody else who comes by the same proxy.
        """
        return Context().run(super().create_application, protocol, scope)

    def protocol_disconnected(self, protocol: Any) -> None:
        """Note that a request or a socket has ended; one that was refused may be forgotten before its line ends."""
        if protocol in self.connections:
            super().protocol_disconnected(protocol)

    def application_checker(self) -> None:
        """Look after what has ended or should end; daphne never does again once that fails for one connection."""
        try:
            super().application_checker()
        except Exception:
            log.exception("what runs for a connection could not be looked after")
            reactor.callLater(LOOKED_AFTER_SECONDS, self.application_checker)

    def timeout_checker(self) -> None:
        """Look at the clock for all connections; daphne does so only for those with a request."""
        checks = [self._collections.look, self.http_factory.close_idle]
        for check in [*checks, *(one.check_timeouts for one in list(self.connections))]:
            try:
                check()
            except Exception:
                # One odd connection must not end the watch over all others.
                log.exception("a connection could not be checked")
        reactor.callLater(CHECKED_SECONDS, self.timeout_checker)

    def kill_all_applications(self) -> Deferred[Any]:
        """End what runs, as the server stops: take nobody in any more, and tell who is at a table.

        Daphne's own way fails where an application has just ended of itself, and then nobody is waited for.
        """
        for port in self._ports:
            port.stopListening()
        sockets = [one for one in list(self.connections) if isinstance(one, SiteSocket)]
        for one in sockets:
            try:
                one.go_away()
            except Exception:
                log.exception("a socket could not be told that the server stops")
        running = [details.get("application_instance") for details in self.connections.values()]
        waited = [application for application in running if application is not None and not application.done()]
        for application in waited:
            application.cancel()
        ended = Deferred.fromFuture(asyncio.gather(*waited, return_exceptions=True))
        return DeferredList([ended, _closed(sockets)], consumeErrors=True)

    def listen_success(self, port: Any) -> None:
        """The address is ours; tell the person who started us where to look."""
        super().listen_success(port)
        self._ports.append(port)
        tell(f"Ragtag Fleet is at {settings.SITE_ORIGINS[0]}/  (stop it with Ctrl-C)")

    def listen_error(self, failure: Any) -> None:
        """Somebody else has the address."""
        self.failure = failure.getErrorMessage()
        self.stop()
