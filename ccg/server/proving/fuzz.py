"""Odd requests and frames in numbers: no answer above 499, sockets that stay, a quiet log, memory that ends."""

from __future__ import annotations

import asyncio
import contextlib
import http.client
import random
import re
import threading
from collections import Counter
from collections.abc import Sequence
from concurrent.futures import ThreadPoolExecutor
from typing import Any
from urllib.parse import urlsplit

from websockets.exceptions import ConnectionClosed, InvalidHandshake

from . import odd_input
from .client.lines import line_to
from .client.tab import Tab
from .client.visits import VisitError, Visitor, guest
from .inside import call
from .processes import Site
from .proof import Options, Proof
from .systems import running_system
from .usage import memory_bytes

THREADS = 4
FRESH_AFTER = 150
"""Requests of one visitor: signing out and locking oneself out are among them."""
TABLES = 16
"""Sockets at the same time: a server makes each wait that has sent as much as this one does."""
HANDSHAKES = 4
LOBBY = 0.15
"""Which share of the bursts goes to the sockets of pages that wait for others."""
BURST = 30
"""Frames for one socket: a client may send 40 at once."""
GROWTH = 50.0
PASSWORD = "raptor in the dark 7"  # noqa: S105


class Tally:
    """What was sent, what came back, and what must not have."""

    def __init__(self) -> None:
        self.counts: Counter[str] = Counter()
        self.wrong: list[str] = []
        self._lock = threading.Lock()

    def note(self, kind: str, wrong: str = "") -> None:
        """Count one thing; with a reason where it must not have happened."""
        with self._lock:
            self.counts[kind] += 1
            if wrong:
                self.wrong.append(wrong)


def prove(options: Options) -> Proof:
    """Send requests and frames, and look at answers, at the log and at memory."""
    requests = options.number("requests", 100_000, 500)
    frames = options.number("frames", 200_000, 600)
    # Nobody does the background work here, which /readyz would say before long, with 503.
    patient = {"READY_LAG_SECONDS": str(10**6)}
    with running_system(options.profile, options.room("site"), webs=1, workers=0, env=patient) as system:
        _owner(system.site)
        routes = call(f"{__name__}:routes", None, system.env)
        tried(system.site, routes, options.seed, requests // 10, frames // 10)  # everything that is loaded once
        before = memory_bytes(system.pids["web"])
        tally = tried(system.site, routes, options.seed + 1, requests, frames)
        growth = round((memory_bytes(system.pids["web"]) - before) / 2**20, 1)
        crashes = bad_lines(system.said())
    with running_system("embedded", options.room("broken"), plant=f"{__name__}:fragile") as broken:
        seen = tried(broken.site, ["", "cards/", "play/"], options.seed, 300, 200)
        logged = bad_lines(broken.said())
    counts = tally.counts
    return Proof(
        goal=f"{requests} odd requests and {frames} odd frames: no status 5xx, no close 1011, no traceback in the log,"
        f" at most {GROWTH:.0f} MB more memory",
        passed=not tally.wrong and not crashes and growth <= GROWTH and counts["request"] + counts["frame"] > 0,
        figures={**counts, "wrong": len(tally.wrong), "log": len(crashes), "megabytes": growth}
        | {"examples": [*tally.wrong[:5], *crashes[:5]]},
        planted={
            "a page that fails": any("500" in what for what in seen.wrong),
            "a frame that ends the socket": any("1011" in what for what in seen.wrong),
            "a traceback in the log": bool(logged),
        },
    )


def tried(site: Site, routes: Sequence[str], seed: int, requests: int, frames: int) -> Tally:
    """Send so many requests and frames."""
    tally = Tally()
    share = max(1, requests // THREADS)
    with ThreadPoolExecutor(THREADS) as threads:
        visits = [threads.submit(_visit, site.url, routes, f"{seed}:{n}", share, tally) for n in range(THREADS)]
        asyncio.run(_shout(site, seed, frames, tally))
        for visit in visits:
            visit.result()
    if not site.running:
        tally.note("server", "the server has ended")
    return tally


def routes(_: None) -> list[str]:
    """Return all addresses of the site, with a NUL for each blank. Runs with the site's code."""
    from django.urls import URLPattern, URLResolver, get_resolver

    addresses: list[str] = []

    def walk(patterns: list[Any], before: str) -> None:
        for pattern in patterns:
            own = before + _blanks(str(pattern.pattern))
            if isinstance(pattern, URLResolver):
                walk(pattern.url_patterns, own)
            elif isinstance(pattern, URLPattern) and "logout" not in own:
                addresses.append(own)

    walk(get_resolver().url_patterns, "")
    return addresses


def _blanks(route: str) -> str:
    """Return a route or a pattern with a NUL where something is to be filled in."""
    route = re.sub(r"\(\?P<\w+>(?:[^()]|\([^()]*\))*\)|<[^>]+>", "\x00", route)
    return re.sub(r"[\^$?\\]|\\Z", "", route)


def _owner(site: Site) -> None:
    site.env["DJANGO_SUPERUSER_PASSWORD"] = PASSWORD
    site.manage("createsuperuser", "--noinput", "--username", "adama", "--email", "")


def bad_lines(log: str) -> list[str]:
    """Return what a log must not have: tracebacks with their last line, and errors."""
    lines = log.splitlines()
    return [line[:300] for line in lines if "Traceback" in line or " ERROR " in line or " CRITICAL " in line]


# -- requests


def _visit(url: str, routes: Sequence[str], seed: str, requests: int, tally: Tally) -> None:
    rng = random.Random(seed)
    visitor, known = Visitor(url), ["1"]
    for number in range(requests):
        if number % FRESH_AFTER == 0:
            visitor, known = _somebody(url, rng)
        where = odd_input.path(rng, routes, known)
        try:
            status, sent = _request(url, rng, visitor, where)
        except (OSError, http.client.HTTPException, ValueError) as error:
            tally.note(type(error).__name__)  # refused on the way: not even a request
            continue
        tally.note("request", f"{status} for {where[:200]} {sent}" if status >= 500 else "")


def _somebody(url: str, rng: random.Random) -> tuple[Visitor, list[str]]:
    """Return a visitor, a guest with a table, or the owner, and ids that exist."""
    luck, visitor = rng.random(), Visitor(url)
    visitor.get("/play/")
    if luck < 0.3:
        visitor.post("/accounts/login/", login="adama", password=PASSWORD)
    elif luck < 0.8:
        visitor.become_guest()
    try:
        match, link = visitor.invite()
    except VisitError:  # the owner's tables are all taken by those who were the owner before
        visitor = guest(url)
        match, link = visitor.invite()
    return visitor, [match, link.split("/")[-2], "BSG1-001", "1", "2", "starter", "cards_data", "match"]


def _request(url: str, rng: random.Random, visitor: Visitor, where: str) -> tuple[int, str]:
    method = rng.choice(odd_input.METHODS)
    headers = {
        "Host": urlsplit(url).netloc,
        "Cookie": visitor.cookie_header,
        "X-CSRFToken": visitor.cookies["csrftoken"],
    }
    content: bytes | None = None
    if method not in ("GET", "HEAD"):
        headers["Content-Type"], content = odd_input.body(rng, visitor.cookies["csrftoken"])
        headers["Content-Length"] = str(len(content))
    headers |= odd_input.headers(rng)
    connection = http.client.HTTPConnection(urlsplit(url).netloc, timeout=30)
    try:
        connection.putrequest(method, where, skip_host=True, skip_accept_encoding=True)
        for name, value in headers.items():
            connection.putheader(name, value.encode("latin-1", "replace"))
        connection.endheaders(content)
        answer = connection.getresponse()
        answer.read()
        shown_headers = {name: value for name, value in headers.items() if name not in ("Cookie", "X-CSRFToken")}
        return answer.status, f"{method} {shown_headers} {content!r:.200}"
    finally:
        connection.close()


# -- frames


async def _shout(site: Site, seed: int, frames: int, tally: Tally) -> None:
    """Send so many frames, at several tables at once."""
    tables = min(TABLES, max(1, frames // BURST))
    share, more = divmod(frames, tables)
    await asyncio.gather(
        *(_play(site, random.Random(f"{seed}:table {n}"), share + (n < more), tally) for n in range(tables))
    )


async def _play(site: Site, rng: random.Random, frames: int, tally: Tally) -> None:
    """Be somebody at a table of their own, with odd frames."""
    visitor = await asyncio.to_thread(guest, site.url)
    match = await asyncio.to_thread(visitor.play_computer)
    sent = 0
    while sent < frames:
        tab = Tab(site.url, visitor.cookie_header if rng.random() < 0.9 else "", match)
        burst = [odd_input.frame(rng) for _ in range(min(BURST, frames - sent))]
        sent += len(burst)
        if rng.random() < LOBBY:
            await _shout_in_lobby(tab, rng.choice(("", f"{match}/")), burst, tally)
            continue
        try:
            await _opened(tab)
            for frame in burst:
                await tab.say(frame)
            await tab.until_pong()
        except (OSError, TimeoutError, tab.Closed) as error:
            tally.note(
                "closed", f"{tab.close_code}: {error!r} after {burst[-3:]!r}" if tab.close_code in (1011, None) else ""
            )
        finally:
            await tab.close()
        for _ in burst:
            tally.note("frame")


async def _shout_in_lobby(visitor: Tab, place: str, frames: Sequence[str | bytes], tally: Tally) -> None:
    """Send the frames to a socket on which nothing can be asked: it stays, or is closed for a flood."""
    code: int | None = None
    try:
        async with line_to(visitor.url, f"lobby/{place}", visitor.cookies, open_timeout=30, close_timeout=2) as socket:
            for frame in frames:
                await socket.send(frame)
            await asyncio.wait_for(await socket.ping(), 30)
        code = socket.close_code
    except ConnectionClosed as error:
        code = error.rcvd.code if error.rcvd else None
    except (OSError, TimeoutError, InvalidHandshake) as error:
        tally.note("closed", f"lobby: {error!r}")
    if code == 1011:
        tally.note("closed", f"lobby: 1011 after {frames[-3:]!r}")
    for _ in frames:
        tally.note("frame")
    tally.note("lobby")


async def _opened(tab: Tab) -> None:
    """Open the tab; a server that is busy with the requests may leave it at the door once or twice."""
    for _ in range(HANDSHAKES - 1):
        with contextlib.suppress(InvalidHandshake):
            return await tab.open()
        await asyncio.sleep(1)
    await tab.open()
    return None


# -- the planted fault


def fragile() -> None:
    """Fail at a page with an apostrophe in its query, and close a socket that says what is no JSON."""
    import json

    from ccg.server import asgi

    site: Any = asgi.application

    async def application(scope: Any, receive: Any, send: Any) -> None:
        if scope["type"] == "http" and b"%27" in scope["query_string"]:
            raise RuntimeError("an apostrophe")

        async def careless() -> Any:
            message = await receive()
            if message["type"] == "websocket.receive":
                try:
                    json.loads(message.get("text") or "")
                except ValueError:
                    await send({"type": "websocket.close", "code": 1011})
            return message

        await site(scope, careless if scope["type"] == "websocket" else receive, send)

    vars(asgi)["application"] = application
