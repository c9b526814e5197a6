"""Clocks: kill -9 and the time until the servers are back cost nobody a game, and hardly any time.

Matches with clocks are played at sockets. Before each kill every seat's time is read, after the start it is read again:
it has to be what it was when the servers died. In every second round everybody who must decide has a second left as the
servers die (written into the database while they are down); all of them come back and choose in time. Forged times in
messages and headers change nothing.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import statistics
import time
from typing import Any
from urllib.request import Request, urlopen

from msgspec import Struct, field

from .client.tab import Message, Tab
from .client.visits import guest
from .inside import call
from .proof import Figure, Options, Proof
from .systems import System, running_system

TEMPO = "live 600+10"
MOST_WRONG_MS = 250
"""How far a clock may be off after a kill."""
LEFT_MS = 1_000
"""What is left to those who have hardly any time as the servers die."""
PLENTY_MS = 600_000


class Table(Struct):
    """A match of two guests: their cookies, by seat, and where it is played."""

    match: str
    cookies: list[str]
    over: str = ""


class Found(Struct):
    """What came of it: how far clocks were off at each kill, what was refused or lost, how long nobody was there."""

    errors: list[float] = field(default_factory=list)
    lost: list[str] = field(default_factory=list)
    refused: list[str] = field(default_factory=list)
    outages: list[float] = field(default_factory=list)
    chosen: int = 0
    in_time: int = 0
    """Choices of those who had a second left."""


def prove(options: Options) -> Proof:
    """Kill and start again; forge; then once with clocks that do not stop, and with nobody waited for."""
    kills, matches = options.number("kills", 50, 2), options.number("matches", 12, 2)
    with running_system(options.profile, options.room("site"), workers=1) as system:
        found = asyncio.run(killed(system, matches, kills, random.Random(options.seed)))
        forged = asyncio.run(forge(system))
    planted = {}
    for plant in ("time_goes_on", "nobody_is_waited_for"):
        whole = f"{__name__}:{plant}"
        with running_system(options.profile, options.room(plant), workers=0, plant=whole) as broken:
            seen = asyncio.run(killed(broken, 2, 2, random.Random(options.seed)))
        planted[plant.replace("_", " ")] = bool(misses(seen))
    missed = misses(found)
    missed += [f"forged: {what}" for what in forged["moved"]]
    most = max(map(abs, found.errors), default=0.0)
    figures: dict[str, Figure] = {
        "kills": kills,
        "matches": matches,
        "lost_on_time": len(found.lost),
        "chosen_in_time_with_a_second_left": found.in_time,
        "error_ms_median": round(statistics.median(map(abs, found.errors)), 1) if found.errors else None,
        "error_ms_most": round(most, 1),
        "clocks_read": len(found.errors),
        "outage_s_mean": round(statistics.fmean(found.outages), 1),
        "forged": forged["tried"],
        "forged_moved_ms": 0 if not forged["moved"] else None,
        "missed": [*missed[:5]],
    }
    return Proof(
        goal=f"{kills} times kill -9 of all servers under {matches} matches: nobody loses on time by it, with"
        f" {LEFT_MS} ms left neither; clocks are off by {MOST_WRONG_MS} ms at most; forged times move nothing",
        passed=not missed,
        figures=figures,
        planted=planted,
    )


def misses(found: Found) -> list[str]:
    """Return what of the promise was not kept."""
    wrong = [f"a clock was off by {error:.0f} ms" for error in found.errors if abs(error) > MOST_WRONG_MS]
    wrong += [f"{match} was lost on time" for match in found.lost]
    wrong += [f"a choice was refused: {why}" for why in found.refused]
    wrong += [] if found.errors and found.in_time else ["nothing was seen"]
    return wrong


async def killed(system: System, matches: int, kills: int, rng: random.Random) -> Found:
    """Kill all servers so often; return what became of the clocks."""
    tables = [_table(system.urls) for _ in range(matches)]
    found = Found()
    for number in range(kills):
        hardly_any = number % 2 == 1
        before = await _read(system, tables, found)
        died = time.monotonic()
        for site in system.sites:
            site.kill()
        if hardly_any:
            call(f"{__name__}:leave_a_second", [one.match for one in tables], system.env)
        await asyncio.sleep(rng.uniform(1.5, 4.0))
        for site in system.sites:
            site.start()
        found.outages.append(time.monotonic() - died)
        after = await _choose(system, tables, found, hardly_any=hardly_any)
        for key, (left, running, at) in before.items():
            if key in after and not hardly_any:
                expected = left - (died - at) * 1_000 if running else left
                found.errors.append(after[key] - expected)
    return found


def _table(urls: list[str]) -> Table:
    first, second = guest(urls[0]), guest(urls[0])
    match, link = first.invite(2, TEMPO)
    second.accept(link)
    return Table(match, [one.cookie_header for one in (first, second)])


async def _read(system: System, tables: list[Table], found: Found) -> dict[tuple[str, int], tuple[int, bool, float]]:
    """Return what each seat has left, whether it runs, and when that was asked."""
    read = {}
    for table in tables:
        if table.over:
            continue
        tab = Tab(system.urls[0], table.cookies[0], table.match)
        asked = time.monotonic()
        await tab.open()
        at = (asked + time.monotonic()) / 2
        _note_end(table, tab.table, found)
        for seat in tab.table["clocks"]["seats"]:
            read[table.match, seat["seat"]] = (seat["left"], seat["running"], at)
        await tab.close()
    return read


async def _choose(system: System, tables: list[Table], found: Found, *, hardly_any: bool) -> dict[tuple[str, int], int]:
    """Come back at all tables at once and choose; return what each seat had left as it came back."""
    left: dict[tuple[str, int], int] = {}

    async def come_back(table: Table, number: int) -> None:
        if table.over:
            return
        tabs = [Tab(system.urls[number % len(system.urls)], cookies, table.match) for cookies in table.cookies]
        for tab in tabs:
            await tab.open()
        clocks = {seat["seat"]: seat["left"] for seat in tabs[0].table.get("clocks", {}).get("seats", ())}
        left.update({(table.match, seat): value for seat, value in clocks.items()})
        _note_end(table, tabs[0].table, found)
        for seat, tab in enumerate(tabs):
            decision = (tab.table.get("view") or {}).get("decision")
            if table.over or not decision or decision["seat"] != seat:
                continue
            answer = await tab.ask(_choice(tab.table))
            if answer["type"] == "accepted":
                found.chosen += 1
                found.in_time += hardly_any
            else:
                found.refused.append(f"{answer.get('code')} at {table.match}")
            break
        for tab in tabs:
            await tab.close()

    await asyncio.gather(*(come_back(table, number) for number, table in enumerate(tables)))
    return left


def _choice(table: Message) -> Message:
    option = table["view"]["decision"]["options"][-1]["key"]
    return {"type": "choose", "id": f"c{table['version']}", "version": table["version"], "option": option}


def _note_end(table: Table, shown: Message, found: Found) -> None:
    if shown.get("over"):
        table.over = shown["view"]["result"]["reason"]
        if table.over == "time":
            found.lost.append(table.match)


FORGED: tuple[Message, ...] = (
    {"type": "hello", "now": 0},
    {"type": "hello", "since": 0, "clocks": {"seats": []}},
    {"type": "ping", "time": 4_102_444_800_000},
    {"type": "choose", "id": "f1", "version": 0, "option": "keep", "at": 0},
    {"type": "choose", "id": "f2", "version": 0, "option": "keep", "left": 10**9},
    {"type": "resume", "id": "f3", "now": 10**15},
)
"""Messages with times of a client's own in them."""


async def forge(system: System) -> dict[str, Any]:
    """Send times of a client's own in messages and headers; return what was tried, and what has changed a clock."""
    table = _table(system.urls)
    before = call(f"{__name__}:clocks_of", table.match, system.env)
    moved = []
    for message in FORGED:
        tab = Tab(system.urls[0], table.cookies[0], table.match)
        await tab.open()
        await tab.say(message)
        with contextlib.suppress(TimeoutError, Tab.Closed):  # being closed for that is fine
            await tab.until_pong()
        await tab.close()
        if call(f"{__name__}:clocks_of", table.match, system.env) != before:
            moved.append(str(message))
    for header in ("Date", "X-Client-Time", "X-Request-Start"):
        headers = {header: "Fri, 01 Jan 2100 00:00:00 GMT", "Cookie": table.cookies[0]}
        asked = Request(f"{system.urls[0]}/api/v1/matches/{table.match}/", headers=headers)
        (await asyncio.to_thread(urlopen, asked, timeout=30)).close()
        if call(f"{__name__}:clocks_of", table.match, system.env) != before:
            moved.append(header)
    return {"tried": len(FORGED) + 3, "moved": moved}


# -- with the site's code


def leave_a_second(matches: list[str]) -> None:
    """Leave a second to whoever must decide, from the last moment of the site's time on at which a server was up.

    The others have plenty: they come back after that, and have to live until the next kill.
    """
    from msgspec import structs

    from matches.clocks import site_time
    from matches.clocks import standing as standings
    from matches.clocks.arithmetic import SeatTime
    from matches.models import Match
    from matches.storage.seat_sets import has

    now = site_time.last_up()
    for match in Match.objects.filter(public_id__in=matches, state=Match.State.RUNNING):
        standing = standings.read(bytes(match.standing), match.players, match.version)
        assert standing.clocks is not None
        running = standing.clocks.running
        seats = tuple(SeatTime(LEFT_MS if has(running, n) else PLENTY_MS) for n in range(match.players))
        standing = structs.replace(standing, clocks=structs.replace(standing.clocks, seats=seats, since=now))
        match.standing, match.deadline = standings.written(standing), standings.deadline(standing)
        match.save(update_fields=["standing", "deadline"])


def clocks_of(match_id: str) -> list[Any]:
    """Return what is stored of the clocks of a match."""
    from matches.models import Match

    match = Match.objects.get(public_id=match_id)
    return [bytes(match.standing).decode(), match.deadline, match.version]


# -- planted faults


def time_goes_on() -> None:
    """Take no silence of the servers for a gap: time goes on while they are down."""
    from datetime import timedelta

    from matches.clocks import site_time

    setattr(site_time, "GRACE", timedelta(days=1))  # noqa: B010


def nobody_is_waited_for() -> None:
    """Let time go on at once after a start, and a start take a while until anybody is let in."""
    from datetime import timedelta

    from matches.clocks import site_time
    from matches.runners import clock_sweep

    setattr(site_time, "RETURN", timedelta(0))  # noqa: B010
    start = clock_sweep.Ticker.start

    def slowly(self: clock_sweep.Ticker, *args: Any) -> None:
        start(self)
        time.sleep(2)

    setattr(clock_sweep.Ticker, "start", slowly)  # noqa: B010
