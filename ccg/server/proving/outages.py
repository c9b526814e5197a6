"""Redis, the database or the room on the disk go away under running matches, and come back.

Sockets stay open, pages say what is the matter or know nothing of it, nothing acknowledged is lost, and once what was
away is back everybody sees the right table within seconds.
"""

from __future__ import annotations

import asyncio
import contextlib
import random
import re
import resource
import subprocess
import time
from collections.abc import AsyncIterator, Callable, Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from itertools import cycle
from pathlib import Path
from typing import Final, TextIO

from .client.crowd import Crowd
from .client.seat import Message
from .client.visits import VisitError, Visitor
from .inside import call
from .ledger import WRONG
from .proof import Figure, Options, Proof, ProofError
from .services import Postgres, Service
from .systems import System, running_system

WITHIN = 6.0
"""Seconds after its return in which everything is as before."""

PAGE_SECONDS = 3.0
"""How long a page may take to say that the database is away."""

QUICK = 1.0
"""Seconds in which the opponent sees a choice when nothing is away, at the latest."""

NO_LIMITS = {"LIMITS": "0"}
"""All players of a proof come from one address."""

PAGES = ("/accounts/login/", "/", "/play/", "/cards/", "/decks/", "/api/v1/cards/?page_size=5", "/healthz")
"""What is looked at all the time; at the first one somebody guesses at a password, and becomes a guest."""

SETTLING = 60.0
NO_ANSWER = 599
CHECK = "ccg.server.proving.ledger:check"


class Watched(Crowd):
    """A crowd that remembers which sockets were lost, and how long it took until an opponent saw a choice."""

    def __init__(self, urls: list[str], log: TextIO, seed: str, pace: float) -> None:
        super().__init__(urls, log, seed, pace)
        self.lost: list[str] = []
        self.away: list[str] = []
        """Codes of refusals without a move, which are about everybody."""
        self.acked = 0
        self._acked: dict[tuple[str, int], tuple[int, float]] = {}
        self._seen: dict[tuple[str, int], dict[int, float]] = {}

    def note(self, match: str, seat: int, kind: str, message: Message) -> None:
        """Take in what happened at a seat."""
        super().note(match, seat, kind, message)
        now = time.monotonic()
        if kind == "lost" and "1013" not in message["why"]:  # who comes while the database is away is sent off again
            self.lost.append(message["why"])
        elif kind == "refused" and message["id"] is None:
            self.away.append(message["code"])
        elif kind == "acked":
            self.acked += 1
            self._acked[(match, message["version"])] = (seat, now)
        elif kind == "seen":
            self._seen.setdefault((match, message["version"]), {}).setdefault(seat, now)

    @staticmethod
    def _begin(people: list[Visitor], tempo: str) -> str:
        """Begin a match, as soon as one can."""
        end = time.monotonic() + SETTLING
        while True:
            try:
                return Crowd._begin(people, tempo)
            except VisitError:
                if time.monotonic() > end:
                    raise
                time.sleep(0.5)

    def late(self, since: float, until: float) -> list[float]:
        """Return how long after the answer each choice acknowledged in this time was seen by the opponent."""
        late = []
        for key, (seat, at) in self._acked.items():
            others = [seen for one, seen in self._seen.get(key, {}).items() if one != seat]
            if since <= at <= until and others:
                late.append(max(0.0, others[0] - at))
        return late


class Looker:
    """Somebody who looks at pages all the time, at every server in turn."""

    def __init__(self, urls: list[str], pages: Sequence[str]) -> None:
        self._urls = urls
        self._pages = pages
        self.statuses: dict[int, int] = {}
        self.slowest = 0.0
        self.told: list[str] = []
        """Pages that were answered with 500 or above, each with its status."""

    async def look(self) -> None:
        """Look until cancelled."""
        for number, url in enumerate(cycle(self._urls)):
            await asyncio.to_thread(self._once, url, number)
            await asyncio.sleep(0.1)

    def _once(self, url: str, number: int) -> None:
        visitor = Visitor(url, 0)
        page = self._pages[number // len(self._urls) % len(self._pages)]
        asks: list[tuple[str, Callable[[], int]]] = [(page, lambda: visitor.get(page).status)]
        if page == PAGES[0]:
            guess = {"login": f"nobody{number}", "password": "raptor"}
            asks.append(("a guess", lambda: visitor.post(page, **guess).status))
            asks.append(("/guest/", lambda: visitor.post("/guest/", next="/").status))
        for name, ask in asks:
            began = time.monotonic()
            try:
                status = ask()
            except OSError:
                status = NO_ANSWER
            self.slowest = max(self.slowest, time.monotonic() - began)
            self.statuses[status] = self.statuses.get(status, 0) + 1
            if status >= 500:
                self.told.append(f"{name}: {status}")


class Regulars:
    """Somebody at each server who signed in before anything was away, and looks at pages once it is back."""

    PAGES: Final = (("/", 200), ("/no/such/page/", 404))
    """Each with its status. What is said where there is no page is made in another way than pages are."""

    AT_ONCE: Final = 8
    """Looks of one person at the same moment, so that more than one thread of a server answers."""

    def __init__(self, urls: list[str]) -> None:
        self._people = [Visitor(url) for url in urls]
        for person in self._people:
            person.become_guest()
        self.look()  # so that what answers them has connections to the database that can die

    def look(self) -> list[str]:
        """Return what was not as it has to be."""
        looks = [(person, *page) for person in self._people for page in self.PAGES] * self.AT_ONCE
        with ThreadPoolExecutor(self.AT_ONCE) as pool:
            return [found for found in pool.map(self._look, looks) if found]

    @staticmethod
    def _look(what: tuple[Visitor, str, int]) -> str:
        person, path, wanted = what
        again = Visitor(person.url)
        again.cookies = {**person.cookies}
        status = again.get(path).status
        return "" if status == wanted else f"{path} is {status} for whoever is signed in at {person.url}"


class Scene:
    """A system on which matches are played and pages looked at, and what is counted of it."""

    def __init__(self, system: System, crowd: Watched, looker: Looker, regulars: Regulars) -> None:
        self.system = system
        self.crowd = crowd
        self.looker = looker
        self.regulars = regulars
        self.ill: list[str] = []
        self.behind: list[str] = []
        self.late: list[float] = []

    async def came_back(self) -> None:
        """What was away is back: whoever plays has to see, in time, what is so now, and be quick after that."""
        returned = time.monotonic()
        there = await asyncio.to_thread(self._versions)
        await asyncio.sleep(max(0.0, returned + WITHIN - time.monotonic()))
        for seat in list(self.crowd.seats):
            if seat.match in there and (seat.version or 0) < there[seat.match]:
                self.behind.append(f"{seat.match} is seen at {seat.version} and was at {there[seat.match]}")
        self.ill += await asyncio.to_thread(self.regulars.look)
        begun = time.monotonic()
        await asyncio.sleep(2)
        self.late += self.crowd.late(begun, begun + 1)

    def _versions(self) -> dict[str, int]:
        """Return where all matches stand, by the pages of a server."""
        visitor = Visitor(self.system.site.url, SETTLING)
        there = {}
        for match in {seat.match for seat in list(self.crowd.seats)}:
            end = time.monotonic() + SETTLING
            while (answer := visitor.get(f"/api/v1/matches/{match}/")).status >= 500 and time.monotonic() < end:
                time.sleep(0.1)
            version = re.search(rb'"version":(\d+)', answer.body)
            there[match] = int(version[1]) if version else 0
        return there


@contextlib.asynccontextmanager
async def played(system: System, options: Options, matches: int, pages: Sequence[str] = PAGES) -> AsyncIterator[Scene]:
    """Matches on ``system``, and somebody who looks at pages, while the block runs."""
    with (system.folder / "crowd.log").open("a", buffering=1, encoding="utf-8") as log:
        crowd = Watched(system.urls, log, str(options.seed), options.number("pace_ms", 500, 100) / 1000)
        looker = Looker(system.urls, pages)
        computers = max(1, matches // 6)
        pairs = [asyncio.create_task(crowd.pair(number, number < computers)) for number in range(matches)]
        try:
            await _all_play(crowd, matches)
            regulars = await asyncio.to_thread(Regulars, system.urls)
            looking = asyncio.create_task(looker.look())
            try:
                yield Scene(system, crowd, looker, regulars)
            finally:
                looking.cancel()
                await asyncio.wait({looking})
        finally:
            crowd.stop()
            _, rest = await asyncio.wait(pairs, timeout=SETTLING)
            crowd.errors += [f"{len(rest)} pairs had no answer to their last choice"] if rest else []
            for pair in rest:
                pair.cancel()


async def _all_play(crowd: Watched, matches: int) -> None:
    """Wait until all matches have begun."""
    end = time.monotonic() + SETTLING + 2 * matches
    while len({seat.match for seat in crowd.seats if seat.version is not None}) < matches:
        if crowd.errors or time.monotonic() > end:
            raise ProofError(f"not all play: {crowd.errors}")
        await asyncio.sleep(0.1)


def summary(scene: Scene, *, tamper: bool) -> dict[str, Figure]:
    """Return what came of it: counts that have to be 0, and others."""
    system, crowd, looker = scene.system, scene.crowd, scene.looker
    checked = call(CHECK, {"log": str(system.folder / "crowd.log"), "tamper": tamper}, system.env)
    late = sorted(scene.late)
    return {
        **{what: checked[what] for what in ("matches", "acked", *WRONG)},
        "planted": checked.get("planted", {}),
        "sockets_lost": len(crowd.lost),
        "views_behind": len(scene.behind),
        "pages_ill": len(scene.ill),
        "errors": [*crowd.errors[:3]],
        "examples": [*crowd.lost[:3], *scene.behind[:3], *scene.ill[:3], *looker.told[:3]],
        "pages": sum(looker.statuses.values()),
        "pages_500": sum(count for status, count in looker.statuses.items() if status >= 500 and status != 503),
        "pages_503": looker.statuses.get(503, 0),
        "slowest_page": round(looker.slowest, 2),
        "seen_after_median": round(late[len(late) // 2], 3) if late else None,
        "seen_after_worst": round(late[-1], 3) if late else None,
        "told_at_tables": len(crowd.away),
        "tracebacks": sum(site.said().count("Traceback") for site in system.sites),
    }


def wrong(figures: dict[str, Figure], *more: str) -> bool:
    """Return whether anything is not as it has to be."""
    zero = (*WRONG, "sockets_lost", "views_behind", "pages_ill", "pages_500", "tracebacks", *more)
    return bool(figures["errors"]) or not figures["acked"] or any(figures[what] for what in zero)


# -- Redis


def redis(options: Options) -> Proof:
    """Kill Redis, let it be away, bring it back empty; and empty it while it runs."""
    kills, flushes = options.number("kills", 50, 2), options.number("flushes", 10, 1)
    figures = asyncio.run(_without_redis(options, "site", kills, flushes))
    planted = dict(_planted(figures))
    guess = asyncio.run(_without_redis(options, "counted", 1, 0, f"{__name__}:count_in_redis", PAGES[:1]))
    planted["limits counted in Redis"] = bool(guess["pages_500"])
    deaf = asyncio.run(_without_redis(options, "deaf", 1, 0, "ccg.server.proving.lossy:deaf"))
    planted["no hints, no heartbeats"] = bool(deaf["views_behind"])
    quick = figures["seen_after_median"]
    return Proof(
        goal=f"{kills} times Redis killed and {flushes} times emptied under running matches: sockets stay, no page"
        f" fails, 0 acknowledged choices lost, and {WITHIN:.0f} s after its return all views are right, and quick",
        passed=not wrong(figures, "pages_503") and isinstance(quick, float) and quick <= QUICK,
        figures=figures,
        planted=planted,
    )


async def _without_redis(
    options: Options, room: str, kills: int, flushes: int, plant: str = "", pages: Sequence[str] = PAGES
) -> dict[str, Figure]:
    rng = random.Random(options.seed)
    longest = options.number("longest", 10, 2)
    matches = options.number("matches", 30, 3)
    with running_system("full", options.room(room), workers=1, env=NO_LIMITS, plant=plant) as system:
        service = system.redis
        assert service is not None
        whats = ["kill"] * kills + ["flush"] * flushes
        rng.shuffle(whats)
        async with played(system, options, matches, pages) as scene:
            for what in whats:
                if what == "flush":
                    await asyncio.to_thread(service.say, "FLUSHALL")
                else:
                    await _away(service, rng.uniform(1, longest))
                await scene.came_back()
        return summary(scene, tamper=not plant)


async def _away(service: Service, seconds: float) -> None:
    """Kill it, wait, and start it."""
    await asyncio.to_thread(service.kill)
    await asyncio.sleep(seconds)
    await asyncio.to_thread(service.start)


def _planted(figures: dict[str, Figure]) -> Iterator[tuple[str, bool]]:
    """Take the faults planted in the data, and whether each was noticed, out of the figures."""
    faults = figures.pop("planted")
    assert isinstance(faults, dict)
    yield from ((name, bool(seen)) for name, seen in faults.items())


def count_in_redis() -> None:
    """Plant: count wrong passwords in Redis, as many a site does."""
    from django.conf import settings
    from django.core.cache import caches

    backend = "django.core.cache.backends.redis.RedisCache"
    settings.CACHES = {"default": {"BACKEND": backend, "LOCATION": settings.REDIS_URL}}
    vars(caches)["settings"] = caches.configure_settings(settings.CACHES)


# -- PostgreSQL


def database(options: Options) -> Proof:
    """Restart PostgreSQL, gently and as a crash would, and let it hang."""
    restarts = options.number("restarts", 10, 3)
    figures = asyncio.run(_without_database(options, "site", restarts))
    planted = dict(_planted(figures))
    broken = asyncio.run(_without_database(options, "broken", 1, plant=f"{__name__}:know_no_outage"))
    planted["outages taken for faults"] = bool(broken["pages_500"])
    dead = asyncio.run(_without_database(options, "dead", 1, plant=f"{__name__}:errors_in_any_thread"))
    planted["dead connections kept"] = bool(dead["pages_ill"])
    slowest = figures["slowest_page"]
    return Proof(
        goal=f"PostgreSQL stopped, crashed or hung in turn, {restarts} times under running matches: sockets stay and"
        f" say so, pages answer 503 within {PAGE_SECONDS:.0f} s, 0 acknowledged choices lost, and {WITHIN:.0f} s after"
        " its return all views are right, and the pages of whoever is signed in",
        passed=not wrong(figures)
        and bool(figures["pages_503"])
        and bool(figures["told_at_tables"])
        and isinstance(slowest, float)
        and (options.short or slowest <= PAGE_SECONDS),
        figures=figures,
        planted=planted,
    )


async def _without_database(options: Options, room: str, restarts: int, plant: str = "") -> dict[str, Figure]:
    rng = random.Random(options.seed)
    longest = options.number("longest", 10, 6)
    with running_system("full", options.room(room), workers=1, env=NO_LIMITS, plant=plant) as system:
        service = system.database
        assert service is not None
        async with played(system, options, options.number("matches", 30, 3)) as scene:
            for number in range(restarts):
                await _take_away(service, HOW_AWAY[number % len(HOW_AWAY)], rng.uniform(5, longest))
                await scene.came_back()
        return summary(scene, tamper=not plant)


HOW_AWAY = ("stopped", "crashed", "frozen")


async def _take_away(service: Postgres, how: str, seconds: float) -> None:
    """Have PostgreSQL away for so long, one way or another."""
    if how == "frozen":
        with service.frozen():
            await asyncio.sleep(seconds)
        return
    await asyncio.to_thread(service.kill if how == "crashed" else service.stop)
    await asyncio.sleep(seconds)
    await asyncio.to_thread(service.start)


def know_no_outage() -> None:
    """Plant: take what happens while the database is away for faults of our own."""
    from ccg.server import outages as pages
    from matches.sockets import consumers

    for module in (pages, consumers):
        vars(module)["outage_of"] = lambda error: None


def errors_in_any_thread() -> None:
    """Plant: make pages for errors as Django does, in threads whose connections to the database nobody looks after."""
    from ccg.server.handling import SiteHandler

    del SiteHandler.load_middleware, SiteHandler.get_response_async


# -- the disk


def disk(options: Options) -> Proof:
    """Let the disk of the database be full for a while, several times."""
    times = options.number("times", 5, 1)
    figures = asyncio.run(_without_room(options, "site", times))
    planted = dict(_planted(figures))
    broken = asyncio.run(_without_room(options, "broken", 1, plant=f"{__name__}:know_no_outage"))
    planted["outages taken for faults"] = bool(broken["pages_500"])
    return Proof(
        goal=f"The disk of the database full {times} times under running matches: sockets stay, the table says that"
        " nothing can be saved, no page fails but with that sentence, 0 acknowledged choices lost, and play goes on"
        " once there is room",
        passed=not wrong(figures) and bool(figures["pages_503"]) and bool(figures["refused_for_room"]),
        figures=figures,
        planted=planted,
    )


async def _without_room(options: Options, room: str, times: int, plant: str = "") -> dict[str, Figure]:
    folder = options.room(room)
    seconds = options.number("seconds", 15, 8)
    with contextlib.ExitStack() as stack:
        disk = stack.enter_context(small_disk(folder / "disk")) if options.profile == "full" else None
        ready = _on_disk(disk) if disk is not None else None
        site = running_system(options.profile, folder, workers=1, env=NO_LIMITS, plant=plant, ready=ready)
        system = stack.enter_context(site)
        async with played(system, options, options.number("matches", 20, 3)) as scene:
            for _ in range(times):
                with _full(system, disk):
                    await asyncio.sleep(seconds)
                await scene.came_back()
        figures = summary(scene, tamper=not plant)
        figures["refused_for_room"] = (folder / "crowd.log").read_text("utf-8").count('"code": "cannot_save"')
        return figures


@contextlib.contextmanager
def _full(system: System, disk: Path | None) -> Iterator[None]:
    """No room while the block runs: on the ``disk`` of PostgreSQL, or for any file that the one server writes."""
    if disk is not None:
        ballast = disk / "ballast"
        with contextlib.suppress(OSError), ballast.open("wb", buffering=0) as file:
            while file.write(b"\0" * 4096):
                pass
        try:
            yield
        finally:
            ballast.unlink()
        return
    pid = system.site.pid
    assert pid is not None
    resource.prlimit(pid, resource.RLIMIT_FSIZE, (4096, resource.RLIM_INFINITY))
    try:
        yield
    finally:
        resource.prlimit(pid, resource.RLIMIT_FSIZE, (resource.RLIM_INFINITY, resource.RLIM_INFINITY))


@contextlib.contextmanager
def small_disk(folder: Path) -> Iterator[Path]:
    """A file system of its own of 64 MB, in memory. Only root can make one."""
    folder.mkdir()
    mounted = subprocess.run(
        ["/bin/mount", "-t", "tmpfs", "-o", "size=64m,mode=777", "tmpfs", str(folder)], capture_output=True, check=False
    )
    if mounted.returncode:
        raise ProofError(f"no small disk can be made here (that takes root): {mounted.stderr.decode()}")
    try:
        yield folder
    finally:
        subprocess.run(["/bin/umount", "--lazy", str(folder)], check=False)


def _on_disk(disk: Path) -> Callable[[Postgres], None]:
    """Return what makes a PostgreSQL put all tables to be made onto ``disk``."""

    def ready(postgres: Postgres) -> None:
        import shutil

        import psycopg

        place = disk / "tables"
        place.mkdir()
        if postgres.user is not None:
            shutil.chown(place, postgres.user)
        with psycopg.connect(postgres.url, autocommit=True) as connection:
            connection.execute(f"CREATE TABLESPACE small LOCATION '{place}'")
            connection.execute("ALTER ROLE fleet SET default_tablespace = 'small'")

    return ready
