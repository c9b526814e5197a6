"""Services that notices go through, of our own: a mail server that takes all, a push service that decrypts."""

from __future__ import annotations

import base64
import json
import os
import socketserver
from http.server import BaseHTTPRequestHandler
from typing import Any, ClassVar

import http_ece
from cryptography.hazmat.primitives.asymmetric import ec
from cryptography.hazmat.primitives.asymmetric.utils import encode_dss_signature
from cryptography.hazmat.primitives.hashes import SHA256
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat

from matches.notices.models import PushKey


def b64(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def unb64(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


class Sink(socketserver.StreamRequestHandler):
    """A mail server that takes everything and keeps it."""

    kept: ClassVar[list[str]] = []

    def handle(self) -> None:
        """Speak as much SMTP as a client needs."""
        self.wfile.write(b"220 sink\r\n")
        while line := self.rfile.readline():
            verb = line[:4].upper()
            if verb == b"DATA":
                self.wfile.write(b"354 go on\r\n")
                lines = iter(self.rfile.readline, b".\r\n")
                self.kept.append(b"".join(lines).decode())
            self.wfile.write(b"221 bye\r\n" if verb == b"QUIT" else b"250 ok\r\n")
            if verb == b"QUIT":
                return


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

    private: ClassVar[Any] = ec.generate_private_key(ec.SECP256R1())
    auth: ClassVar[bytes] = os.urandom(16)
    answers: ClassVar[int] = 201
    got: ClassVar[list[dict[str, Any]]] = []

    def do_POST(self) -> None:
        """Take a message."""
        body = self.rfile.read(int(self.headers["Content-Length"]))
        scheme, _, rest = self.headers["Authorization"].partition(" ")
        token, _, key = rest.removeprefix("t=").partition(",k=")
        assert scheme == "vapid" and key == PushKey.objects.get().public
        assert claims_of(token, key)["aud"] == f"http://{self.headers['Host']}"
        plain = http_ece.decrypt(body, private_key=self.private, auth_secret=self.auth, version="aes128gcm")
        self.got.append(json.loads(plain))
        self.send_response(self.answers)
        self.send_header("Location", "http://127.0.0.1:1/elsewhere")
        self.send_header("Content-Length", "0")
        self.end_headers()

    def log_message(self, *args: Any) -> None:
        """Say nothing."""


def subscription(endpoint: str) -> dict[str, Any]:
    public = Service.private.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
    return {"endpoint": endpoint, "expirationTime": None, "keys": {"p256dh": b64(public), "auth": b64(Service.auth)}}
