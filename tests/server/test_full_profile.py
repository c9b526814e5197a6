"""PostgreSQL, Redis, a Celery worker and beat: the same site, several processes."""

from __future__ import annotations

import json
import time
from collections.abc import Iterator
from http.client import HTTPConnection
from pathlib import Path

import pytest

from tests.running import Process, Site

pytestmark = pytest.mark.full_profile

CELERY = ("-m", "celery", "--app", "ccg.server.celery")


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("full")


@pytest.fixture(scope="module")
def sites(services: dict[str, str], folder: Path) -> Iterator[list[Site]]:
    """Two server processes on one database."""
    sites = [Site(folder, services), Site(folder, services)]
    sites[0].manage("prepare")
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
        if health(site) == {"ok": True, "outbox": {"waiting": 0, "failed": 0}}:
            return True
        time.sleep(0.2)
    return False


def ask_for_work(site: Site, name: str) -> None:
    site.manage("shell", "-v0", "-c", f"from decks import background\nbackground.request({name!r})")


def test_both_processes_serve(sites: list[Site]) -> None:
    for site in sites:
        assert health(site)["ok"]


def test_server_processes_leave_the_work_to_workers(sites: list[Site]) -> None:
    ask_for_work(sites[0], "nobody there")
    assert not emptied(sites[0], 6)


def test_the_worker_finds_what_waited_for_it(sites: list[Site], worker: Process) -> None:
    assert emptied(sites[0], 40), worker.said()


def test_the_worker_is_woken_by_new_work(sites: list[Site], worker: Process) -> None:
    assert emptied(sites[0], 40), worker.said()
    ask_for_work(sites[1], "new work")
    assert emptied(sites[1], 10), worker.said()


def test_work_survives_a_killed_worker(sites: list[Site], worker: Process) -> None:
    worker.kill()
    ask_for_work(sites[0], "after the kill")
    worker.start()
    assert emptied(sites[0], 40), worker.said()
