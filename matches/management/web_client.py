"""Somebody with a browser, as a program: pages over HTTP, the table over a WebSocket.

Used to play whole matches against a running server from outside (``manage.py play_through``, tests). It goes the way of
a browser: through pages, with the forms that are on them. (``ccg.server.proving.client`` goes that of a program, by the
documents alone, to several servers and at a pace.)
"""

from __future__ import annotations

import asyncio
import html
import http.client
import json
import random
import re
import time
import urllib.error
import urllib.parse
import urllib.request
from collections.abc import Callable
from http.cookiejar import CookieJar
from typing import Any
from uuid import uuid4

from websockets.asyncio.client import ClientConnection, connect
from websockets.exceptions import ConnectionClosed, InvalidHandshake
from websockets.typing import Origin

Message = dict[str, Any]
Chooser = Callable[[Message], str]
"""Picks the key of an option, given a view that has a decision of its own."""

SECONDS_FOR_A_PAGE = 30.0
SECONDS_OF_SILENCE = 20.0
TABLES_BETWEEN_PINGS = 40
FINAL_CODES = (4401, 4404, 4409)
FIRST_PAUSE, LONGEST_PAUSE = 0.1, 2.0


class VisitError(Exception):
    """The site did something that it must not do."""


class Browser:
    """Cookies, and pages with their forms."""

    def __init__(self, url: str) -> None:
        if not url.startswith(("http://", "https://")):
            raise VisitError(f"{url} is no address of a site")
        self.url = url.rstrip("/")
        self._cookies = CookieJar()
        self._opener = urllib.request.build_opener(urllib.request.HTTPCookieProcessor(self._cookies))
        self.address = self.url
        self.page = ""

    def get(self, path: str) -> str:
        """Open a page of the site and return its text. Raises ``OSError`` when nobody answers for long."""
        return self._open(path, None, {})

    def post(self, path: str, **fields: str) -> str:
        """Send a form of the page that is open, with its token, and go where that leads. Raises VisitError."""
        token = re.search(r'name="csrfmiddlewaretoken" value="([^"]+)"', self.page)
        if token is None:
            raise VisitError(f"{self.address} has no form to send")
        data = urllib.parse.urlencode({"csrfmiddlewaretoken": token[1], **fields}).encode()
        return self._open(path, data, {"Origin": self.url, "Referer": self.address})

    def choices(self, name: str) -> list[str]:
        """Return the values between which the radio buttons ``name`` of the page let one choose."""
        return [html.unescape(value) for value in re.findall(rf'type="radio" name="{name}" value="([^"]+)"', self.page)]

    @property
    def cookies(self) -> str:
        """The cookies as a header has them."""
        return "; ".join(f"{cookie.name}={cookie.value}" for cookie in self._cookies)

    def _open(self, path: str, data: bytes | None, headers: dict[str, str]) -> str:
        # The scheme was checked when the browser was made, and a path keeps it.
        request = urllib.request.Request(self.url + path, data, headers)  # noqa: S310
        end = time.monotonic() + SECONDS_FOR_A_PAGE
        while True:
            try:
                with self._opener.open(request, timeout=SECONDS_FOR_A_PAGE) as response:
                    self.address, self.page = response.geturl(), response.read().decode()
                return self.page
            except urllib.error.HTTPError:
                raise
            except (OSError, http.client.HTTPException):
                # Nobody there at the moment. All our forms can be sent again: at worst a table stays empty.
                if time.monotonic() > end:
                    raise
                time.sleep(FIRST_PAUSE)


class Guest:
    """A visitor who became a guest."""

    def __init__(self, url: str, rng: random.Random) -> None:
        self.browser = Browser(url)
        self._rng = rng
        self.browser.get("/play/")
        self.browser.post("/guest/", next="/play/")

    def invite(self, players: int, tempo: str = "untimed") -> tuple[str, str]:
        """Open a table of this tempo; return the id of its match and the path of its link. Raises VisitError."""
        self.browser.get("/play/")
        chosen = {"players": str(players), "watchable": "on", "tempo": tempo}
        page = self.browser.post("/play/invite/", deck=self._any_deck(), **chosen)
        link = re.search(r"/play/invite/[A-Za-z0-9_-]{22}/", page)
        match = re.search(r"/table/(\w+)/", self.browser.address)
        if link is None or match is None:
            raise VisitError(f"no invite link at {self.browser.address}")
        return match[1], link[0]

    def accept(self, link: str) -> None:
        """Follow an invite link and sit down."""
        self.browser.get(link)
        self.browser.post(link, deck=self._any_deck())

    def play_computer(self) -> str:
        """Begin a match against the computer and return its id. Raises VisitError if there is none."""
        self.browser.get("/play/")
        self.browser.post("/play/computer/", deck=self._any_deck())
        match = re.search(r"/table/(\w+)/", self.browser.address)
        if match is None:
            raise VisitError(f"no table at {self.browser.address}")
        return match[1]

    def _any_deck(self) -> str:
        decks = self.browser.choices("deck")
        if not decks:
            raise VisitError(f"no deck to choose at {self.browser.address}")
        return self._rng.choice(decks)


class SocketPlayer:
    """Plays one seat over the socket to the end, through any number of lost connections.

    What it is told is checked on the way: versions must not go backwards, no version's events may be
    missing or told twice, and what was accepted must stay accepted.
    """

    def __init__(self, browser: Browser, match_id: str, choose: Chooser, patience: float = 60.0) -> None:
        self.match_id = match_id
        self.table: Message | None = None
        self.choices = 0
        self.reconnects = 0
        self.accepted: list[tuple[str, int]] = []
        self.refused: list[Message] = []
        self.log: dict[int, list[Message]] = {}
        self._browser = browser
        self._choose = choose
        self._patience = patience
        self._pending: Message | None = None
        self._unsaid = 0

    async def play(self) -> Message:
        """Play until the match is over; return the last table. Raises VisitError."""
        lost_at, pause = None, FIRST_PAUSE
        while True:
            try:
                async with self._connect() as socket:
                    lost_at, pause = None, FIRST_PAUSE
                    return await self._sit(socket)
            except (OSError, InvalidHandshake, ConnectionClosed, TimeoutError) as error:
                _raise_if_final(error)
                now = time.monotonic()
                lost_at = lost_at or now
                if now - lost_at > self._patience:
                    raise VisitError(f"the server has been away for {self._patience} s: {error!r}") from error
                self.reconnects += 1
                await asyncio.sleep(pause * random.uniform(0.5, 1.0))
                pause = min(LONGEST_PAUSE, pause * 2)

    def _connect(self) -> connect:
        address = f"ws{self._browser.url.removeprefix('http')}/ws/matches/{self.match_id}/"
        return connect(
            address,
            origin=Origin(self._browser.url),
            additional_headers={"Cookie": self._browser.cookies},
            max_size=None,
        )

    async def _sit(self, socket: ClientConnection) -> Message:
        await self._say(socket, {"type": "hello", "since": self._known})
        if self._pending is not None:
            await self._say(socket, self._pending)
        while True:
            message = json.loads(await asyncio.wait_for(socket.recv(), SECONDS_OF_SILENCE))
            match message["type"]:
                case "table":
                    self._look(message)
                    await self._say_what_was_seen(socket)
                case "accepted":
                    self._note_accepted(message)
                case "refused":
                    await self._note_refused(socket, message)
                case "heartbeat" if message["version"] > (self._known or 0):
                    await self._say(socket, {"type": "hello", "since": self._known})
            if self.table is not None and self.table["over"] and self._pending is None:
                return self.table  # not before the last choice is answered: a server may have died in between
            await self._go_on(socket)

    async def _go_on(self, socket: ClientConnection) -> None:
        """Choose, if this seat has to and has not done so."""
        table = self.table
        if table is None or self._pending is not None or table["over"]:
            return
        decision = table["view"]["decision"]
        if decision is None or decision["seat"] != table["you"] or self._answered(table["version"]):
            return
        option = self._choose(table["view"])
        self._pending = {"type": "choose", "id": str(uuid4()), "version": table["version"], "option": option}
        await self._say(socket, self._pending)

    async def _say_what_was_seen(self, socket: ClientConnection) -> None:
        """Say now and then how far we have come: who only listens while much happens is taken for deaf."""
        self._unsaid += 1
        if self._unsaid >= TABLES_BETWEEN_PINGS:
            self._unsaid = 0
            await self._say(socket, {"type": "ping", "seen": self._known})

    def _answered(self, version: int) -> bool:
        return bool(self.accepted) and self.accepted[-1][1] > version

    @property
    def _known(self) -> int | None:
        return None if self.table is None else int(self.table["version"])

    def _look(self, table: Message) -> None:
        known = self._known
        if known is not None and table["version"] < known:
            raise VisitError(f"the table went back from version {known} to {table['version']}")
        if known is not None and table["since"] > known:
            raise VisitError(f"events between {known} and {table['since']} are missing")
        versions = [one["version"] for one in table["events"]]
        if versions != list(range(table["since"] + 1, table["version"] + 1)):
            raise VisitError(f"events of versions {versions} since {table['since']} up to {table['version']}")
        for one in table["events"]:
            if self.log.setdefault(one["version"], one["events"]) != one["events"]:
                raise VisitError(f"the events of version {one['version']} have changed")
        self.table = table

    def _note_accepted(self, message: Message) -> None:
        if self.accepted and self.accepted[-1] == (message["id"], message["version"]):
            return  # said twice, since "too fast" does not tell which message it was; the same answer twice is right
        if self._pending is None or message["id"] != self._pending["id"]:
            raise VisitError(f"accepted what was not asked: {message}")
        if message["version"] <= self._pending["version"]:  # others may have chosen at the same time
            raise VisitError(f"a move on {self._pending['version']} made {message['version']}")
        self.accepted.append((message["id"], message["version"]))
        self.choices += 1
        self._pending = None

    async def _note_refused(self, socket: ClientConnection, message: Message) -> None:
        self.refused.append(message)
        if message["code"] in ("busy", "too_fast"):
            await asyncio.sleep(0.5)
            if self._pending is not None:
                await self._say(socket, self._pending)
        elif message["code"] in ("late", "over"):
            # Somebody conceded, or a half-made move of ours fell to that; look and choose again.
            self._pending = None
            await self._say(socket, {"type": "hello", "since": self._known})
        else:
            raise VisitError(f"refused: {message['code']}: {message['message']}")

    @staticmethod
    async def _say(socket: ClientConnection, message: Message) -> None:
        await socket.send(json.dumps(message))


def by_chance(rng: random.Random) -> Chooser:
    """Return a chooser that takes any option with the same probability."""
    return lambda view: str(rng.choice(view["decision"]["options"])["key"])


def _raise_if_final(error: Exception) -> None:
    """Raise VisitError if the socket was closed for a reason that connecting again cannot mend."""
    if isinstance(error, ConnectionClosed) and error.rcvd is not None and error.rcvd.code in FINAL_CODES:
        raise VisitError(f"closed with {error.rcvd.code}") from error
