"""A visitor who means harm: what four connections from one address can ask for."""

from __future__ import annotations

import asyncio
import contextlib
import json
import socket
import time
import urllib.parse
from collections import Counter
from collections.abc import Awaitable, Callable
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake
from websockets.typing import Origin

from .visits import guest

CONNECTIONS = 4
TOKEN = "a" * 32
NAMES = "Starbuck Apollo Boomer Helo Tyrol Adama Tigh Roslin Baltar Gaeta".split()


class Visitor:
    """Somebody at an address of their own, with a table of their own to shout at."""

    def __init__(self, url: str, address: str) -> None:
        self.url = url
        self.address = address
        person = guest(url, address=address)
        self.match = person.play_computer()
        self.cookies = person.cookie_header
        person.close()


Attack = Callable[[Visitor, float], Awaitable[dict[str, int]]]


def _form(**fields: str) -> bytes:
    body = urllib.parse.urlencode({"csrfmiddlewaretoken": TOKEN, **fields}).encode()
    head = (
        f"POST /decks/new/ HTTP/1.1\r\nContent-Type: application/x-www-form-urlencoded\r\nCookie: csrftoken={TOKEN}\r\n"
    )
    return f"{head}Content-Length: {len(body)}\r\n".encode() + b"@\r\n\r\n" + body


def _get(path: str) -> bytes:
    return f"GET {path} HTTP/1.1\r\n@\r\n\r\n".encode()


_UNKNOWN = "\n".join(f"4 {NAMES[n % 10][::-1]} {NAMES[n // 10 % 10]}x {n}" for n in range(490))
_TAGS = "\n".join("1 Viper 442 " + "#a " * 37 for _ in range(490))[:60_000]
_ASKED = {
    "tags": [_form(text=_TAGS)],
    "unknown names": [_form(text=_UNKNOWN)],
    "signs": [_form(text="#" * 60_000), _form(text="\n".join("#" * 120 for _ in range(490)))],
    "draft": [
        _form(text="4 Stims", do="save", note="x" * 200_000),
        _form(text="#" * 60_000, do="save"),
        _form(text="4 Stims", do="save", other="x" * 1_900_000),
    ],
    "all cards": [_get("/api/cards/?page_size=400")],
    "search": [
        _get("/cards/?q=" + "+".join("abcdefghijklmnopqrstuvwxyz")),
        _get("/sets/BSG1/"),
        _get("/rules/clauses/"),
    ],
}


def _over_http(requests: list[bytes]) -> Attack:
    async def attack(visitor: Visitor, seconds: float) -> dict[str, int]:
        told: Counter[str] = Counter()
        end = time.monotonic() + seconds
        await asyncio.gather(*(_ask(visitor, requests, end, told) for _ in range(CONNECTIONS)))
        return dict(told)

    return attack


async def _ask(visitor: Visitor, requests: list[bytes], end: float, told: Counter[str]) -> None:
    """Ask again and again over one connection, and open another when it is closed."""
    host, _, port = visitor.url.rpartition("/")[2].partition(":")
    asked = 0
    while time.monotonic() < end:
        with contextlib.suppress(OSError, TimeoutError, asyncio.IncompleteReadError, ValueError):
            async with asyncio.timeout(max(0.1, end - time.monotonic())):
                reader, writer = await asyncio.open_connection(
                    host, int(port), local_addr=(visitor.address, 0), limit=2**20
                )
                try:
                    while True:
                        asked += 1
                        named = requests[asked % len(requests)].replace(b"@", f"Host: {host}:{port}".encode(), 1)
                        writer.write(named)
                        told[await _answer(reader)] += 1
                finally:
                    writer.close()
        await asyncio.sleep(0)


async def _answer(reader: asyncio.StreamReader) -> str:
    """Read an answer; return its status."""
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    length = next(line for line in head.lower().split("\r\n") if line.startswith("content-length:"))
    await reader.readexactly(int(length.partition(":")[2]))
    return head.split()[1]


def _shouting(frame: str, pause: float) -> Attack:
    async def attack(visitor: Visitor, seconds: float) -> dict[str, int]:
        told: Counter[str] = Counter()
        end = time.monotonic() + seconds
        await asyncio.gather(*(_shout(visitor, frame, pause, end, told) for _ in range(CONNECTIONS)))
        return dict(told)

    return attack


async def _shout(visitor: Visitor, frame: str, pause: float, end: float, told: Counter[str]) -> None:
    """Send the same again and again, and come back when the socket is closed."""
    while time.monotonic() < end:
        try:
            async with asyncio.timeout(max(0.1, end - time.monotonic())), _socket(visitor) as opened:
                listening = asyncio.create_task(_listen(opened, told))
                try:
                    while True:
                        await opened.send(frame)
                        await asyncio.sleep(pause)
                finally:
                    listening.cancel()
        except ConnectionClosed as error:
            told[f"closed {error.rcvd.code if error.rcvd else 1006}"] += 1
        except InvalidHandshake:
            told["not let in"] += 1
            await asyncio.sleep(0.05)
        except (OSError, TimeoutError):
            told["cut off"] += 1


async def _listen(opened: ClientConnection, told: Counter[str]) -> None:
    async for frame in opened:
        message = json.loads(frame)
        told[message.get("code") or message["type"]] += 1


def _narrow(visitor: Visitor) -> socket.socket:
    """Return a connection for which this system takes in little, so that what is not read stays with the server."""
    host, _, port = visitor.url.rpartition("/")[2].partition(":")
    made = socket.socket()
    made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 8192)
    made.bind((visitor.address, 0))
    made.connect((host, int(port)))
    return made


def _socket(visitor: Visitor, *, narrow: bool = False) -> connect:
    more: dict[str, Any] = {"sock": _narrow(visitor)} if narrow else {"local_addr": (visitor.address, 0)}
    return connect(
        f"ws{visitor.url.removeprefix('http')}/ws/matches/{visitor.match}/",
        origin=Origin(visitor.url),
        additional_headers={"Cookie": visitor.cookies},
        compression=None,
        ping_interval=None,
        max_size=None,
        max_queue=1 if narrow else None,
        close_timeout=1,
        **more,
    )


async def unread(visitor: Visitor, seconds: float) -> int:
    """Ask for the table again and again and read nothing; return 1 if the socket is open after so many seconds."""
    try:
        async with asyncio.timeout(seconds), _socket(visitor, narrow=True) as opened:
            while True:
                await opened.send('{"type": "hello", "since": 0}')
                await asyncio.sleep(0.06)
    except TimeoutError:
        return 1
    except (ConnectionClosed, OSError):
        return 0


ATTACKS: dict[str, Attack] = {
    **{name: _over_http(requests) for name, requests in _ASKED.items()},
    "hello": _shouting('{"type": "hello", "since": null}', 1 / 19),
    "rubbish": _shouting("x" * 16_000, 0.0),
}
"""Attacks by name: each takes a visitor and so many seconds, and returns how often it was answered what."""
