"""A visitor who means harm: what four connections from one address can ask for.

    python -m ccg.server.proving.client.abuse URL ADDRESS ATTACK SECONDS

says ``here`` once the visitor has a table, waits for a line, attacks, and prints as JSON how often it was answered
what. The attack has a process of its own, with the lowest priority: the visitor's machine would be another one, and
what it takes there is nobody's harm.
"""

from __future__ import annotations

import asyncio
import contextlib
import itertools
import json
import os
import socket
import sys
import time
import urllib.parse
from collections import Counter
from collections.abc import Awaitable, Callable, Coroutine, Iterator
from typing import Any

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake

from .lines import line
from .visits import guest

CONNECTIONS = 4
PIECE_BYTES = 65_536
ANSWERED_SECONDS = 1.0
"""After which an answer is as far on its way as it can be."""
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


Attack = Callable[[Visitor, float], Coroutine[Any, Any, dict[str, int]]]


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
_REQUESTS = {
    "tags": [_form(text=_TAGS)],
    "unknown names": [_form(text=_UNKNOWN)],
    "signs": [_form(text="#" * 60_000), _form(text="\n".join("#" * 120 for _ in range(490)))],
    "draft": [
        _form(text="4 Stims", do="save", note="x" * 200_000),
        _form(text="#" * 60_000, do="save"),
        _form(text="4 Stims", do="save", other="x" * 1_900_000),
    ],
    "all cards": [_get("/api/v1/cards/?page_size=400")],
    "search": [
        _get("/cards/?q=" + "+".join("abcdefghijklmnopqrst")),
        _get("/sets/BSG1/"),
        _get("/rules/clauses/"),
    ],
    "household": [_form(text=_TAGS), _get("/decks/")],
}
HOUSEHOLD = "household"
"""Each of its requests comes from another address of one /64, with another session, as a proxy tells it."""
_numbers = itertools.count(1)


def _of_a_household(requests: list[bytes]) -> Iterator[bytes]:
    """Return the requests without end, as a proxy passes them on from one address after the other."""
    for request in itertools.cycle(requests):
        number = next(_numbers)
        where = f"@\r\nX-Forwarded-For: 2001:db8:1:2::{number:x}"
        if b"Cookie: " in request:
            yield request.replace(b"Cookie: ", f"Cookie: sessionid={number:032}; ".encode()).replace(
                b"@", where.encode(), 1
            )
        else:
            yield request.replace(b"@", f"{where}\r\nCookie: sessionid={number:032}".encode(), 1)


def _over_http(name: str, requests: list[bytes]) -> Attack:
    async def attack(visitor: Visitor, seconds: float) -> dict[str, int]:
        answers: Counter[str] = Counter()
        end = time.monotonic() + seconds
        endless = _of_a_household(requests) if name == HOUSEHOLD else itertools.cycle(requests)
        await asyncio.gather(*(_ask(visitor, endless, end, answers) for _ in range(CONNECTIONS)))
        return dict(answers)

    return attack


async def _ask(visitor: Visitor, requests: Iterator[bytes], end: float, answers: Counter[str]) -> None:
    """Ask again and again over one connection, and open another when it is closed."""
    host, _, port = visitor.url.rpartition("/")[2].partition(":")
    while time.monotonic() < end:
        with contextlib.suppress(OSError, TimeoutError, asyncio.IncompleteReadError, ValueError):
            async with asyncio.timeout(max(0.1, end - time.monotonic())):
                reader, writer = await asyncio.open_connection(
                    host, int(port), local_addr=(visitor.address, 0), limit=2**20
                )
                try:
                    while True:
                        writer.write(next(requests).replace(b"@", f"Host: {host}:{port}".encode(), 1))
                        answers[await _answer(reader)] += 1
                finally:
                    writer.close()
        await asyncio.sleep(0)


async def _answer(reader: asyncio.StreamReader) -> str:
    """Read an answer; return its status."""
    head = (await reader.readuntil(b"\r\n\r\n")).decode("latin-1")
    length = next(line for line in head.lower().split("\r\n") if line.startswith("content-length:"))
    await reader.readexactly(int(length.partition(":")[2]))
    return head.split()[1]


async def _hang_up(visitor: Visitor, seconds: float) -> dict[str, int]:
    """Ask for much, and be gone before it is there."""
    answers: Counter[str] = Counter()
    end = time.monotonic() + seconds
    host, _, port = visitor.url.rpartition("/")[2].partition(":")
    request = _REQUESTS["tags"][0].replace(b"@", f"Host: {host}:{port}".encode(), 1)

    async def ask() -> None:
        while time.monotonic() < end:
            with contextlib.suppress(OSError):
                _, writer = await asyncio.open_connection(host, int(port), local_addr=(visitor.address, 0))
                writer.write(request)
                await asyncio.sleep(0.05)
                writer.transport.abort()
                answers["hung up"] += 1

    await asyncio.gather(*(ask() for _ in range(CONNECTIONS)))
    return dict(answers)


async def _send_on(visitor: Visitor, seconds: float) -> dict[str, int]:
    """Ask for much, read nothing of it, and send as much as is taken all the same; anew wherever that is ended."""
    answers: Counter[str] = Counter()
    host, _, port = visitor.url.rpartition("/")[2].partition(":")
    request = _REQUESTS["all cards"][0].replace(b"@", f"Host: {host}:{port}".encode())
    end = time.monotonic() + seconds

    async def send_on() -> None:
        while time.monotonic() < end:
            with contextlib.suppress(OSError, TimeoutError):
                async with asyncio.timeout(max(0.1, end - time.monotonic())):
                    reader, writer = await asyncio.open_connection(sock=_narrow(visitor), limit=1024)
                    try:
                        writer.write(request)
                        await asyncio.sleep(ANSWERED_SECONDS)
                        while not reader.at_eof():
                            writer.write(b"x" * PIECE_BYTES)
                            await writer.drain()
                            answers["sent 64 kB"] += 1
                    finally:
                        writer.transport.abort()
            await asyncio.sleep(0.05)

    await asyncio.gather(*(send_on() for _ in range(CONNECTIONS)))
    return dict(answers)


Say = Callable[[ClientConnection], Awaitable[object]]


def _text(frame: str) -> Say:
    return lambda opened: opened.send(frame)


def _pong(opened: ClientConnection) -> Awaitable[object]:
    """Answer what nobody has asked: a frame, and no message."""
    return opened.pong()


def _shouting(say: Say, pause: float) -> Attack:
    async def attack(visitor: Visitor, seconds: float) -> dict[str, int]:
        answers: Counter[str] = Counter()
        end = time.monotonic() + seconds
        await asyncio.gather(*(_shout(visitor, say, pause, end, answers) for _ in range(CONNECTIONS)))
        return dict(answers)

    return attack


async def _shout(visitor: Visitor, say: Say, pause: float, end: float, answers: Counter[str]) -> None:
    """Send the same again and again, and come back when the socket is closed."""
    while time.monotonic() < end:
        try:
            async with asyncio.timeout(max(0.1, end - time.monotonic())), _socket(visitor) as opened:
                listening = asyncio.create_task(_listen(opened, answers))
                try:
                    while True:
                        await say(opened)
                        await asyncio.sleep(ANSWERED_SECONDS)
                finally:
                    listening.cancel()
        except ConnectionClosed as error:
            answers[f"closed {error.rcvd.code if error.rcvd else 1006}"] += 1
        except InvalidHandshake:
            answers["not let in"] += 1
            await asyncio.sleep(0.05)
        except (OSError, TimeoutError):
            answers["cut off"] += 1


async def _listen(opened: ClientConnection, answers: Counter[str]) -> None:
    async for frame in opened:
        message = json.loads(frame)
        answers[message.get("code") or message["type"]] += 1


def _narrow(visitor: Visitor) -> socket.socket:
    """Return a connection for which this system takes in little, so that what is not read stays with the server."""
    host, _, port = visitor.url.rpartition("/")[2].partition(":")
    made = socket.socket()
    made.setsockopt(socket.SOL_SOCKET, socket.SO_RCVBUF, 4096)
    made.setsockopt(socket.IPPROTO_TCP, socket.TCP_MAXSEG, 1000)  # else the server's system takes in megabytes
    made.bind((visitor.address, 0))
    made.connect((host, int(port)))
    return made


def _socket(visitor: Visitor, *, narrow: bool = False) -> connect:
    more: dict[str, Any] = {"sock": _narrow(visitor)} if narrow else {"local_addr": (visitor.address, 0)}
    more["max_queue"] = 1 if narrow else None
    return line(visitor.url, visitor.match, visitor.cookies, close_timeout=1, **more)


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
    **{name: _over_http(name, requests) for name, requests in _REQUESTS.items()},
    "hang up": _hang_up,
    "send on": _send_on,
    "hello": _shouting(_text('{"type": "hello", "since": null}'), 1 / 19),
    "rubbish": _shouting(_text("x" * 16_000), 0.0),
    "pongs": _shouting(_pong, 0.0),
}
"""Attacks by name: each takes a visitor and so many seconds, and returns how often it was answered what."""


def main(url: str, address: str, attack: str, seconds: str) -> None:
    """Come, wait to be told, and attack."""
    os.nice(19)
    visitor = Visitor(url, address)
    print("here", flush=True)
    sys.stdin.readline()
    print(json.dumps(asyncio.run(ATTACKS[attack](visitor, float(seconds)))), flush=True)


if __name__ == "__main__":
    main(*sys.argv[1:])
