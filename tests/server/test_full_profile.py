"""PostgreSQL, Redis, a Celery worker and beat: the same site, several processes."""

from __future__ import annotations

import asyncio
import contextlib
import json
import os
import re
import secrets
import socket
import time
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path
from urllib.parse import urlsplit

import pytest
from websockets.sync.client import connect
from websockets.typing import Origin

from ccg.server.celery import NICENESS
from ccg.server.proving.client import visits
from ccg.server.proving.client.seat import Message, Seat, SeatLog, by_hash
from ccg.server.proving.client.visits import Visitor
from ccg.server.proving.usage import families
from tests.matches.live import Game, at, choose
from tests.running import Process, Site

pytestmark = pytest.mark.full_profile

CELERY = ("-m", "celery", "--app", "ccg.server.celery")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("full")


@pytest.fixture(scope="module")
def sites(prepared_services: dict[str, str], folder: Path) -> Iterator[list[Site]]:
    """Two server processes on one database."""
    sites = [Site(folder, prepared_services), Site(folder, prepared_services)]
    for site in sites:
        site.start()
    yield sites
    for site in sites:
        site.stop()


@pytest.fixture(scope="module")
def worker(services: dict[str, str], folder: Path, sites: list[Site]) -> Iterator[Process]:
    """A worker with the beat inside it."""
    env = {**services, "VAR_DIR": str(folder / "var")}
    more = ("worker", "--beat", "--schedule", str(folder / "beat"), "--concurrency", "1", "--loglevel", "INFO")
    worker = Process(*CELERY, *more, env=env, log=folder / "worker.log")
    worker.start()
    yield worker
    worker.stop()


def health(site: Site) -> dict[str, object]:
    connection = HTTPConnection("127.0.0.1", site.port, timeout=10)
    try:
        connection.request("GET", "/healthz")
        answer: dict[str, object] = json.loads(connection.getresponse().read())
        return answer
    finally:
        connection.close()


def emptied(site: Site, seconds: float) -> bool:
    """Whether all background work is done within this time."""
    end = time.monotonic() + seconds
    while time.monotonic() < end:
        if health(site)["outbox"] == {"waiting": 0, "failed": 0}:
            return True
        time.sleep(0.2)
    return False


def ask_for_work(site: Site, name: str) -> None:
    site.manage("shell", "-v0", "-c", f"from decks import background\nbackground.request({name!r})")


def test_both_processes_serve(sites: list[Site]) -> None:
    for site in sites:
        assert health(site)["ok"]


def test_a_match_between_players_of_two_processes_comes_to_an_end(sites: list[Site]) -> None:
    """Moves made through one process are seen through the other, by a hint or by the next heartbeat."""
    host, guest = (visits.guest(site.url) for site in sites)
    match, link = host.invite()
    guest.accept(link)
    logs = [SeatLog(), SeatLog()]
    seats = [
        Seat([visitor.url], visitor.cookie_header, match, by_hash("5"), log)
        for visitor, log in zip((host, guest), logs, strict=True)
    ]

    async def play() -> list[Message | None]:
        return await asyncio.gather(*(seat.run() for seat in seats))

    tables = asyncio.run(asyncio.wait_for(play(), 120))
    assert [table and table["over"] for table in tables] == [True, True]
    assert seats[0].version == seats[1].version
    assert [log.lost for log in logs] == [0, 0]


def test_players_at_two_server_processes_sit_at_one_table_and_write_to_each_other(sites: list[Site]) -> None:
    one, two = sites
    game = Game(one)
    with at(one, game.id, game.guests[0]) as first, at(two, game.id, game.guests[1]) as second:
        tables = [first.hello(), second.hello()]
        seat = tables[0]["view"]["decision"]["seat"]
        option = tables[seat]["view"]["decision"]["options"][0]["key"]
        (first, second)[seat].ask(choose(0, option, "one"), "accepted")
        assert [tab.receive("table", seconds=3)["version"] for tab in (first, second)] == [1, 1]
        for tab in (first, second):
            tab.ask({"type": "read_chat"}, "chat")
        first.ask({"type": "say", "id": "c", "text": "Well met"}, "done")
        # Before the next heartbeat, which would say so too.
        assert second.receive("chat", seconds=3)["lines"][0]["text"] == "Well met"


def test_statements_that_every_choice_needs_are_prepared(sites: list[Site]) -> None:
    code = """
from django.db import connection
from matches.playing import statements
list(statements.read_news(["nowhere"], 1))
with connection.cursor() as cursor:
    cursor.execute("SELECT count(*) FROM pg_prepared_statements")
    print(*cursor.fetchone())
"""
    assert sites[0].manage("shell", "-v0", "-c", code).strip() == "1"


def test_a_vacation_that_ends_as_a_match_begins_leaves_no_clock_standing(sites: list[Site]) -> None:
    """Whoever begins the match has looked who is away, and the end of the vacation does not find the match yet."""
    code = """
import threading, time
from django.contrib.auth import get_user_model
from django.db import connection
from ccg.outbox.services import drain
from decks.models import Deck
from decks.table_decks import take_to_table
from matches.clocks import standing, vacations
from matches.clocks.tempo import DAY, Tempo
from matches.lobby import services as lobby
from matches.models import Match

alice, bob = (get_user_model().objects.create_user(f"vacation-{name}") for name in ("alice", "bob"))
deck = take_to_table(None, Deck.objects.starters().first().uid)
match = lobby.invite(alice, deck, 2, tempo=Tempo("correspondence", bank=2 * DAY, allowance=DAY))
vacations.begin(alice, 3)
drain()

def come_back():
    vacations.end(alice)
    drain()
    connection.close()

thread = threading.Thread(target=come_back)
away_at = vacations.away_at

def slowly(match):
    away = away_at(match)
    thread.start()
    thread.join(1)
    return away

vacations.away_at = slowly
lobby.join(match, bob, deck)
thread.join()
drain()
row = Match.objects.get(pk=match.pk)
print(row.state, standing.read(bytes(row.standing), 2, row.version).clocks.away, vacations.present(alice))
"""
    assert sites[0].manage("shell", "-v0", "-c", code).split() == ["running", "0", "None"]


def test_one_statement_has_no_transaction_around_it(sites: list[Site]) -> None:
    code = """
from django.db import connection
from matches.storage import database
for one_statement in (True, False):
    print(database.write(lambda: connection.in_atomic_block, one_statement=one_statement))
"""
    assert sites[0].manage("shell", "-v0", "-c", code).split() == ["False", "True"]


def test_an_idle_socket_stays_open(sites: list[Site]) -> None:
    guest = visits.guest(sites[0].url)
    address = f"ws://127.0.0.1:{sites[0].port}/ws/matches/{guest.play_computer()}/"
    headers = {"Cookie": guest.cookie_header}
    with connect(address, origin=Origin(sites[0].url), additional_headers=headers, max_size=None) as socket:
        socket.send('{"type": "hello", "since": null}')
        end = time.monotonic() + 14
        while time.monotonic() < end:
            with contextlib.suppress(TimeoutError):
                socket.recv(timeout=end - time.monotonic())
        socket.send('{"type": "ping"}')
        while json.loads(socket.recv(timeout=10))["type"] != "pong":
            pass


def test_server_processes_leave_the_work_to_workers(sites: list[Site]) -> None:
    ask_for_work(sites[0], "nobody there")
    assert not emptied(sites[0], 6)


def test_the_worker_finds_what_waited_for_it(sites: list[Site], worker: Process) -> None:
    assert emptied(sites[0], 40), worker.said()


def test_the_worker_is_woken_by_new_work(sites: list[Site], worker: Process) -> None:
    assert emptied(sites[0], 40), worker.said()
    ask_for_work(sites[1], "new work")
    assert emptied(sites[1], 10), worker.said()


def test_the_worker_gives_way_to_the_servers(sites: list[Site], worker: Process) -> None:
    assert emptied(sites[0], 40), worker.said()
    assert sites[0].pid is not None
    assert worker.pid is not None
    own = os.getpriority(os.PRIO_PROCESS, sites[0].pid)
    children = families([worker.pid]) - {worker.pid}  # one works, the other is the beat
    assert min(19, own + NICENESS) in {os.getpriority(os.PRIO_PROCESS, pid) for pid in children}


def test_work_survives_a_killed_worker(sites: list[Site], worker: Process) -> None:
    worker.kill()
    ask_for_work(sites[0], "after the kill")
    worker.start()
    assert emptied(sites[0], 40), worker.said()


def say_to_redis(services: dict[str, str], command: str) -> bytes:
    address = urlsplit(services["REDIS_URL"])
    assert address.hostname is not None
    assert address.port is not None
    with socket.create_connection((address.hostname, address.port), 5) as connection:
        connection.sendall(f"{command}\r\n".encode())
        return connection.recv(1000)


def test_the_worker_outlives_a_redis_that_takes_no_writes(
    services: dict[str, str], sites: list[Site], worker: Process
) -> None:
    """It becomes a replica as another one takes its place, and says so to whoever waits for work."""
    assert emptied(sites[0], 40), worker.said()
    try:
        assert say_to_redis(services, "REPLICAOF 127.0.0.1 1").startswith(b"+OK")
        end = time.monotonic() + 10
        while time.monotonic() < end and "read only replica" not in worker.said() and worker.running:
            time.sleep(0.1)
        ask_for_work(sites[0], "while it takes no writes")
        assert emptied(sites[0], 20), worker.said()
    finally:
        say_to_redis(services, "REPLICAOF NO ONE")
    ask_for_work(sites[1], "when it takes them again")
    assert emptied(sites[1], 20), worker.said()
    assert worker.running


SET = """
set: {code: TST, name: The TST Set, year: 2030, digits: 2}
cards:
  - {number: 1, title: Artemis, subtitle: Test Pilot, type: personnel, rarity: rare, cost: {security: 3}, power: 2,
     threat: 1, mystic: 2, produces: security, traits: [Pilot]}
"""


def test_a_card_set_is_tried_by_the_worker_and_published_for_all_processes(sites: list[Site], worker: Process) -> None:
    """It leaves a set and an owner behind, so each run has others: a test that is tried again begins anew."""
    first, second = sites
    own = secrets.token_hex(2).upper()
    code, owner_name = f"T{own}", f"adama-{own.lower()}"
    first.env["DJANGO_SUPERUSER_PASSWORD"] = "raptor in the dark 7"
    first.manage("createsuperuser", "--noinput", "--username", owner_name, "--email", "")
    cards = SET.replace("TST", code).encode()
    upload = f"from cards_data import importing\nprint(importing.upload(None, 'tst.yaml', {cards!r}).pk)"
    draft = first.manage("shell", "-v0", "-c", upload).strip()

    owner = Visitor(first.url)
    admin, changed = "/admin/cards_data", f"/admin/cards_data/importdraft/{draft}"
    page = owner.post("/accounts/login/", login=owner_name, password="raptor in the dark 7", next=f"{changed}/change/")
    assert "Play simulated games" in owner.followed(page).text
    owner.post(f"{changed}/try/", games="2")

    end = time.monotonic() + 240
    while not json.loads(owner.get(f"{changed}/progress/").body)["over"]:
        assert time.monotonic() < end, worker.said()
        time.sleep(0.5)
    after = owner.get(f"{changed}/change/").text
    # A game may be cut off at 500 choices, which is no fault of the set.
    assert "All 2 games ended well" in after or "None of 2 games broke" in after, after
    published = re.search(r"Published as .*?version (\d+)<", owner.followed(owner.post(f"{changed}/publish/")).text)
    assert published is not None
    version = int(published[1])
    assert "Artemis" in Visitor(second.url).get(f"/cards/{code}-01/").text
    roll_back = f"{admin}/dataversion/{version - 1}/roll-back/"
    back = owner.post(roll_back, reason="It was a test.", newest=str(version))
    assert f"Version {version + 1} of the cards" in owner.followed(back).text
    assert "has been withdrawn" in Visitor(second.url).get(f"/cards/{code}-01/").text


UPLOADED = """
from cards_data import importing
draft = importing.upload(None, "slow.yaml", {set!r})
print(importing.begin_trial(draft, None, games=12).pk)
"""
TRIAL = """
from cards_data.models import ImportDraft
from cards_data.trials import Trial
trial = Trial.of(ImportDraft.objects.get(pk={pk!r}))
print(trial.played, trial.passed)
"""


@pytest.mark.ci
def test_simulated_games_survive_a_killed_worker(sites: list[Site], worker: Process) -> None:
    """The slice that it was playing is played by the next one, and counted once."""
    other = SET.replace("TST", "SLOW").replace("Artemis", "Hephaestus")
    pk = sites[0].manage("shell", "-v0", "-c", UPLOADED.format(set=other.encode())).split()[-1]
    time.sleep(5)
    worker.kill()
    worker.start()
    assert emptied(sites[0], 400), worker.said()
    assert sites[1].manage("shell", "-v0", "-c", TRIAL.format(pk=pk)).split() == ["12", "True"]


TASK_IN_A_WORKER = """
from types import SimpleNamespace
from celery.fixups.django import DjangoWorkerFixup
from django.db import connection
from ccg.server import celery

celery._keep_pool()
pool = connection.pool
around_tasks = DjangoWorkerFixup(celery.app)
around_tasks.worker = SimpleNamespace(pool_cls="prefork")
connection.ensure_connection()
around_tasks.close_database()
print("connection", connection.connection, "pool closed:", pool.closed, "another:", connection.pool is not pool)
"""


@pytest.mark.ci
def test_a_task_closes_no_pool_under_the_thread_that_looks_for_work(sites: list[Site]) -> None:
    told = sites[0].manage("shell", "-v0", "-c", TASK_IN_A_WORKER)
    assert "connection None pool closed: False another: False" in told
