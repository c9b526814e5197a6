"""Services that notices go through, of our own: a mail server that takes all, a push service that decrypts."""

from __future__ import annotations

import base64
import json
import os
import socketserver
import threading
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from email import message_from_bytes, policy
from email.message import EmailMessage
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, ClassVar, TypeVar

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

Thing = TypeVar("Thing")

PATIENCE = 60
"""Seconds; a site looks every half a minute for who is to be told."""


class Came(list[Thing]):
    """What has come to a service, for which another thread may wait."""

    def __init__(self) -> None:
        super().__init__()
        self._more = threading.Condition()

    def append(self, one: Thing) -> None:
        with self._more:
            super().append(one)
            self._more.notify_all()

    def wait_for(self, wanted: Callable[[Thing], bool]) -> Thing:
        """Return the last that is wanted, once there is one."""
        with self._more:
            found = self._more.wait_for(lambda: [one for one in self if wanted(one)], PATIENCE)
        assert found, f"it has not come, but only {[str(one) for one in self]}"
        return found[-1]


@contextmanager
def _running(server: socketserver.TCPServer) -> Iterator[int]:
    """Have the server do its work during the block; its port."""
    with server:
        threading.Thread(target=server.serve_forever, daemon=True).start()
        try:
            yield server.server_address[1]
        finally:
            server.shutdown()


def b64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def unb64(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


class Sink(socketserver.StreamRequestHandler):
    """A mail server that takes everything and keeps it."""

    kept: ClassVar[Came[EmailMessage]] = Came()

    def handle(self) -> None:
        """Speak as much SMTP as a client needs."""
        self.wfile.write(b"220 sink\r\n")
        while line := self.rfile.readline():
            verb = line[:4].upper()
            if verb == b"DATA":
                self.wfile.write(b"354 go on\r\n")
                lines = iter(self.rfile.readline, b".\r\n")
                self.kept.append(message_from_bytes(b"".join(lines), policy=policy.default))
            self.wfile.write(b"221 bye\r\n" if verb == b"QUIT" else b"250 ok\r\n")
            if verb == b"QUIT":
                return


@contextmanager
def mail_server() -> Iterator[int]:
    """A mail server on a port of this machine, which has got nothing yet; its port."""
    Sink.kept.clear()
    with _running(socketserver.ThreadingTCPServer(("127.0.0.1", 0), Sink)) as port:
        yield port


def claims_of(token: str, key: str) -> dict[str, Any]:
    """Return what a signed token (RFC 8292) claims; raises InvalidSignature if ``key`` has not signed it."""
    head, body, signature = token.split(".")
    raw = unb64(signature)
    signed = encode_dss_signature(int.from_bytes(raw[:32], "big"), int.from_bytes(raw[32:], "big"))
    public = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), unb64(key))
    public.verify(signed, f"{head}.{body}".encode(), ec.ECDSA(SHA256()))
    claims: dict[str, Any] = json.loads(unb64(body))
    return claims


class Service(BaseHTTPRequestHandler):
    """A push service with one browser: it checks who sends and decrypts what comes, as the browser would."""

    sender: ClassVar[str] = ""
    """The key of the site that the browser was subscribed with."""
    private: ClassVar[Any] = ec.generate_private_key(ec.SECP256R1())
    auth: ClassVar[bytes] = os.urandom(16)
    answers: ClassVar[int] = 201
    got: ClassVar[Came[dict[str, Any]]] = Came()

    def do_POST(self) -> None:
        """Take a message."""
        body = self.rfile.read(int(self.headers["Content-Length"]))
        scheme, _, rest = self.headers["Authorization"].partition(" ")
        token, _, key = rest.removeprefix("t=").partition(",k=")
        assert scheme == "vapid" and key == self.sender
        assert claims_of(token, key)["aud"] == f"http://{self.headers['Host']}"
        plain = http_ece.decrypt(body, private_key=self.private, auth_secret=self.auth, version="aes128gcm")
        self.got.append(json.loads(plain))
        self.send_response(self.answers)
        self.send_header("Location", "http://127.0.0.1:1/elsewhere")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *args: Any) -> None:
        """Say nothing."""


@contextmanager
def push_service() -> Iterator[str]:
    """A push service that takes messages and has got none yet; its origin."""
    Service.got.clear()
    Service.answers = 201
    with _running(ThreadingHTTPServer(("127.0.0.1", 0), Service)) as port:
        yield f"http://127.0.0.1:{port}"


def subscription(endpoint: str) -> dict[str, Any]:
    public = Service.private.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return {"endpoint": endpoint, "expirationTime": None, "keys": {"p256dh": b64(public), "auth": b64(Service.auth)}}
