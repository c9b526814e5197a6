"""The database away or full, Redis away or empty: tables stay open and say so, and go on by themselves."""

from __future__ import annotations

import contextlib
import json
import random
import resource
import time
from collections.abc import Iterator
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path
from typing import Any, TypeVar
from urllib.error import HTTPError
from urllib.request import Request, urlopen

import psycopg
import pytest

from ccg.server.admission import LANES
from ccg.server.proving.client import visits
from ccg.server.proving.client.visits import Visitor
from ccg.server.proving.services import Missing, Postgres, Redis, running
from tests.at_length import in_ci
from tests.conftest import cannot_run
from tests.matches.live import Game, Socket, at, choose
from tests.running import Site, Worker, running_site

Message = dict[str, Any]
S = TypeVar("S", Postgres, Redis)


def answer(site: Site, path: str, visitor: Visitor | None = None, seconds: float = 30) -> tuple[int, str, float]:
    """Get a page; return its status, its text, and how long it took."""
    began = time.monotonic()
    request = Request(site.url + path, headers={"Cookie": visitor.cookie_header} if visitor else {})
    try:
        with urlopen(request, timeout=seconds) as response:
            return response.status, response.read().decode(), time.monotonic() - began
    except HTTPError as error:
        return error.code, error.read().decode(), time.monotonic() - began


def decides(tabs: list[Socket]) -> tuple[Socket, int, list[str]]:
    """Return the tab of who has to choose, the version, and the options."""
    # All say hello first: a socket that is open may not be at the table yet, and an outage would send it off.
    for tab, table in [(tab, tab.hello()) for tab in tabs]:
        decision = table["view"]["decision"]
        if decision["seat"] == table["you"]:
            return tab, table["version"], [option["key"] for option in decision["options"]]
    raise AssertionError("nobody has to choose")


def answer_to(tab: Socket, move: Message) -> Message:
    """Send a move and return the answer to it; that the database is away is said in place of heartbeats as well."""
    tab.send(move)
    while (said := tab.receive("accepted", "refused"))["id"] != move["id"]:
        assert said["id"] is None
    return said


def until_accepted(tab: Socket, move: Message, seconds: float) -> Message:
    """Send the same move until it is taken, as the client does."""
    end = time.monotonic() + seconds
    while True:
        tab.send(move)
        said = tab.receive("accepted", "refused")
        if said["type"] == "accepted" or time.monotonic() > end:
            return said
        time.sleep(0.3)


def beat_with(tab: Socket, version: int, seconds: float = 30) -> None:
    """Wait for a heartbeat with this version."""
    end = time.monotonic() + seconds
    while tab.receive("heartbeat", seconds=end - time.monotonic())["version"] < version:
        pass


def quiet(site: Site) -> bool:
    """Whether nothing was logged as a crash."""
    return "Traceback" not in site.said()


# -- a fault of ours


def test_a_fault_carries_the_id_of_the_move(tmp_path: Path) -> None:
    with running_site(tmp_path) as site:
        game = Game(site)
        version, seat, options = game.decision()
        site.kill()
        site.manage("shell", "-v0", "-c", "from matches.models import Match\nMatch.objects.update(saved=b'damaged')")
        site.start()
        with game.tab(seat) as tab:
            said = tab.ask(choose(version, options[0], "my-move"), "refused")
            assert (said["code"], said["id"]) == ("fault", "my-move")
            assert tab.is_open()


@pytest.mark.ci
def test_where_nothing_can_be_chosen_the_table_stays_and_can_be_ended_as_a_draw(tmp_path: Path) -> None:
    with running_site(tmp_path, plant="tests.server.planted:nothing_can_be_chosen") as site:
        games = [Game(site), Game(site)]
        for game in games:
            version, seat, options = game.decision()
            with game.tab(seat) as tab, game.tab(1 - seat) as other:
                for tried, option in enumerate(options):
                    said = tab.ask(choose(version, option, f"try-{tried}"), "refused")
                    assert (said["code"], said["id"], said["version"]) == ("fault", f"try-{tried}", version)
                    assert said["message"].startswith("What Echo does would never end; it was stopped and nothing has")
                    assert "end the match as a draw" in said["message"]
                assert game.decision() == (version, seat, options), "nothing is lost"
                if game is games[0]:
                    tab.ask({"type": "concede", "id": "enough"}, "accepted")
                    assert other.hello()["view"]["result"] == {
                        "winners": [1 - seat],
                        "losers": [seat],
                        "reason": "last",
                    }
                    continue
                site.manage("end_match", game.id)
                beat_with(tab, version + 1)
                beat_with(other, version + 1)
                for one in (tab, other):
                    assert one.hello()["view"]["result"] == {"winners": [], "losers": [], "reason": "draw"}
                assert tab.ask(choose(version + 1, options[0], "late"), "refused")["code"] == "over"
            site.manage("replay", game.id)


# -- a full disk


def leave_room(site: Site, size: int) -> None:
    """Let no file of the server grow beyond ``size`` bytes from now on (-1: as large as they like)."""
    assert site.pid is not None
    resource.prlimit(site.pid, resource.RLIMIT_FSIZE, (size, resource.RLIM_INFINITY))


def play_until_refused(tabs: list[Socket], most: int = 400) -> tuple[Message, Message, Socket]:
    """Choose on until a move is refused; return the move, what was said, and who was told."""
    rng = random.Random(3)
    for number in range(most):
        tab, version, options = decides(tabs)
        move = choose(version, rng.choice(options), f"move-{number}")
        said = answer_to(tab, move)
        if said["type"] == "refused":
            return move, said, tab
    raise AssertionError("the disk was never full")


def test_a_full_disk_is_said_at_the_table_and_changes_nothing(tmp_path: Path) -> None:
    with running_site(tmp_path) as site:
        game = Game(site)
        with contextlib.ExitStack() as stack:
            tabs = [stack.enter_context(game.tab(seat)) for seat in (0, 1)]
            before = decides(tabs)[1]
            newcomer = Visitor(site.url)
            assert newcomer.get("/play/").status == 200
            leave_room(site, 4096)
            move, said, tab = play_until_refused(tabs)
            assert (said["code"], said["id"], said["version"]) == ("cannot_save", move["id"], before)
            assert "nothing was changed" in said["message"]
            assert tab.receive("heartbeat", seconds=30)["version"] == before
            assert answer(site, "/")[0] == 200
            assert answer(site, f"/table/{game.id}/", game.guests[0])[0] == 200
            refused = newcomer.post("/guest/", next="/play/")
            assert refused.status == 503
            assert "Nothing can be saved" in refused.text
            leave_room(site, -1)
            assert until_accepted(tab, move, 30)["type"] == "accepted"
        assert quiet(site), site.said()


# -- PostgreSQL away


def running_service(kind: type[S], folder: Path) -> Iterator[S]:
    """Yield a service of this kind while it runs; where it is not installed, the test cannot run."""
    try:
        service = kind(folder)
    except Missing as missing:
        cannot_run(str(missing))
    with running(service):
        yield service


@pytest.fixture(scope="module")
def postgres(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Postgres]:
    """A PostgreSQL that tests end and start again, with all that a site needs in its database."""
    for postgres in running_service(Postgres, tmp_path_factory.mktemp("postgres")):
        Site(tmp_path_factory.mktemp("prepared"), {"DATABASE_URL": postgres.url}).prepare()
        yield postgres


@pytest.mark.ci
@pytest.mark.full_profile
def test_a_database_starts_again_in_a_folder_that_was_shut_meanwhile(postgres: Postgres) -> None:
    """Each pytest that begins shuts the folder of all of them, and PostgreSQL does not run as root."""
    postgres.stop()
    postgres.folder.parent.chmod(0o700)
    postgres.start()
    assert postgres.answers()


@pytest.mark.full_profile
def test_pages_and_tables_say_that_the_database_is_away_and_go_on_after_it(postgres: Postgres, tmp_path: Path) -> None:
    with running_site(tmp_path, {"DATABASE_URL": postgres.url}, prepared=True) as site:
        game = Game(site)
        with contextlib.ExitStack() as stack:
            tabs = [stack.enter_context(game.tab(seat)) for seat in (0, 1)]
            tab, version, options = decides(tabs)
            for number, end in enumerate((postgres.kill, postgres.stop)):
                move = choose(version, options[0], f"move-{number}")
                end()
                for path in ("/", "/api/v1/cards/", "/healthz", "/api/v1/cards/"):
                    status, text, seconds = answer(site, path, game.guests[0])
                    assert status == 503, (path, text)
                    assert seconds < 10, path  # 3 on a quiet machine, which `manage.py prove database` measures
                    if path == "/":
                        assert "The database cannot be reached" in text
                    else:
                        assert "unavailable" in json.loads(text).values()
                said = answer_to(tab, move)
                assert (said["type"], said["code"]) == ("refused", "unavailable")
                assert [one.receive("refused", seconds=30)["code"] for one in tabs] == ["unavailable"] * 2
                with game.tab(0) as late:
                    assert late.receive("refused")["code"] == "unavailable"
                    assert late.closed_with() == 1013
                postgres.start()
                assert until_accepted(tab, move, 30)["type"] == "accepted"
                for one in tabs:
                    beat_with(one, version + 1)
                assert answer(site, "/")[0] == 200
                tab, version, options = decides(tabs)
        assert quiet(site), site.said()


@pytest.mark.full_profile
@pytest.mark.parametrize("table", [in_ci("django_session"), "matches_match"])
def test_a_lock_that_somebody_holds_makes_the_site_busy_and_not_deaf(
    postgres: Postgres, tmp_path: Path, table: str
) -> None:
    with running_site(tmp_path, {"DATABASE_URL": postgres.url}, prepared=True) as site:
        game = Game(site)
        with game.tab(0) as one, game.tab(1) as other, psycopg.connect(postgres.url) as operator:
            tab, version, options = decides([one, other])
            operator.execute(f"LOCK TABLE {table} IN ACCESS EXCLUSIVE MODE")
            player = game.guests[0]
            with ThreadPoolExecutor() as pool:
                # As many as may be in work at once, for all visitors together: none of them waits for the lock itself.
                asked = list(pool.map(lambda _: answer(site, "/play/mine/", player)[0], range(LANES)))
            assert asked == [503] * LANES
            assert answer(site, "/rules/")[0] == 200
            if table == "matches_match":
                assert tab.ask(choose(version, options[0], "a-move"), "refused")["code"] == "busy"
            operator.rollback()
            assert until_accepted(tab, choose(version, options[0], "a-move"), 30)["type"] == "accepted"
        assert quiet(site), site.said()


# -- Redis away


@pytest.fixture(scope="module")
def running_redis(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Redis]:
    yield from running_service(Redis, tmp_path_factory.mktemp("redis"))


@pytest.fixture
def redis(running_redis: Redis) -> Iterator[Redis]:
    """A Redis that runs; a test may kill it."""
    yield running_redis
    running_redis.start()


@pytest.fixture(scope="module")
def two_sites(
    postgres: Postgres, running_redis: Redis, tmp_path_factory: pytest.TempPathFactory
) -> Iterator[list[Site]]:
    """Two server processes and a worker."""
    folder = tmp_path_factory.mktemp("sites")
    env = {"DATABASE_URL": postgres.url, "REDIS_URL": running_redis.url}
    with running_site(folder, env, prepared=True) as first:
        second, worker = Site(folder, env), Worker(folder, env, beat=False)
        try:
            second.start()
            worker.start()
            yield [first, second]
        finally:
            second.stop()
            worker.stop()


def moves_on(tabs: list[Socket], action: str) -> int:
    """Let who has to choose do so, and wait until the other has heard of it; return the version."""
    tab, version, options = decides(tabs)
    assert tab.ask(choose(version, options[0], action), "accepted", "refused")["type"] == "accepted"
    other = next(one for one in tabs if one is not tab)
    end = time.monotonic() + 30
    while other.receive("heartbeat", "table", seconds=end - time.monotonic())["version"] <= version:
        pass
    return version + 1


@pytest.mark.full_profile
def test_without_redis_everything_goes_on(two_sites: list[Site], redis: Redis) -> None:
    first, second = two_sites
    game = Game(first)
    with at(first, game.id, game.guests[0]) as one, at(second, game.id, game.guests[1]) as other:
        tabs = [one, other]
        moves_on(tabs, "before")
        redis.kill()
        for number in range(3):
            moves_on(tabs, f"away-{number}")
        guest = visits.guest(second.url)  # a new guest: a page, a limit, a session
        against_the_computer = guest.play_computer()
        with at(second, against_the_computer, guest) as tab:
            table = tab.hello()
            while table["view"]["decision"]["seat"] != table["you"]:
                table = tab.receive("table", "heartbeat", seconds=30)
                if table["type"] == "heartbeat":
                    table = tab.hello()
        with at(first, game.id, game.guests[0]) as late:
            assert late.hello()["version"] == 4
        redis.start()
        for number in range(3):
            moves_on(tabs, f"back-{number}")
        assert redis.say("FLUSHALL").startswith(b"+OK")
        for number in range(3):
            moves_on(tabs, f"empty-{number}")
        assert all(tab.is_open() for tab in tabs)
    assert quiet(first), first.said()
    assert quiet(second), second.said()


@pytest.mark.ci
@pytest.mark.full_profile
def test_signing_in_needs_no_redis_and_all_processes_count_together(two_sites: list[Site], redis: Redis) -> None:
    first = two_sites[0]
    made = "m().objects.create_user('boomer', password='raptor 7 lands')"
    first.manage("shell", "-v0", "-c", f"from django.contrib.auth import get_user_model as m\n{made}")
    redis.kill()
    boomer = Visitor(first.url)
    page = boomer.post("/accounts/login/", login="boomer", password="raptor 7 lands")
    assert "boomer" in boomer.followed(page).text
    counted = "from ccg import counting\nprint([counting.counted('tries', 'somebody', 3, 60) for _ in range(2)])"
    assert [site.manage("shell", "-v0", "-c", counted).strip() for site in two_sites] == [
        "[True, True]",
        "[True, False]",
    ]
