"""``manage.py cluster``: two servers, two workers, beat and nginx, with the test run's PostgreSQL and Redis."""

from __future__ import annotations

import asyncio
import http.client
import os
import re
import shutil
import signal
import socket
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest

from ccg.server.cluster.programs import Missing, program
from ccg.server.proving.client import visits
from ccg.server.proving.client.seat import Seat, SeatLog, by_hash
from tests.conftest import cannot_run
from tests.running import Process, free_port
from tests.server.cluster.test_supervisor import runs, soon

pytestmark = [pytest.mark.full_profile, pytest.mark.proof]


@pytest.fixture
def folder() -> Iterator[Path]:
    """A folder to which nginx can come; pytest's own are closed to others."""
    made = Path(tempfile.mkdtemp(prefix="cluster-"))
    made.chmod(0o711)
    yield made
    shutil.rmtree(made)


def ports_in_a_row(count: int) -> int:
    """The first of so many ports that nobody uses."""
    while True:
        first = free_port()
        probes = [socket.socket() for _ in range(count)]
        try:
            for number, probe in enumerate(probes):
                probe.bind(("127.0.0.1", first + number))
        except OSError:
            continue
        else:
            return first
        finally:
            for probe in probes:
                probe.close()


def started(said: str, name: str) -> list[int]:
    """The numbers of the processes that were started under this name."""
    return [int(number) for number in re.findall(rf"{name} started, process (\d+)", said)]


def head_of(url: str, path: str) -> http.client.HTTPResponse:
    connection = http.client.HTTPConnection(url.removeprefix("http://"), timeout=20)
    connection.request("GET", path, headers={"Connection": "close"})
    return connection.getresponse()


def test_a_match_goes_on_when_a_server_is_killed_and_nothing_is_left_running(
    services: dict[str, str], folder: Path
) -> None:
    try:
        program("nginx")
    except Missing as missing:
        cannot_run(str(missing))
    port = ports_in_a_row(3)
    url = f"http://127.0.0.1:{port}"
    env = {**services, "VAR_DIR": str(folder / "var"), "PORT": str(port), "GUESTS_PER_HOUR": "1000000"}
    cluster = Process("manage.py", "cluster", env=env, log=folder / "cluster.log")
    cluster.start()
    try:
        assert soon(lambda: f"Ragtag Fleet is at {url}/" in cluster.said() or not cluster.running, seconds=90)
        assert cluster.running, cluster.said()
        assert head_of(url, "/").status == 200
        assert head_of(url, "/metrics").status == 404
        choices = asyncio.run(played_with_a_kill(url, started(cluster.said(), "web 1")[-1]))
        assert choices > 20
        assert soon(lambda: len(started(cluster.said(), "web 1")) == 2)
        pids = [int(pid) for pid in re.findall(r"started, process (\d+)", cluster.said())]
        assert cluster.stop()
        assert "everything has stopped" in cluster.said()
        assert "did not stop in time" not in cluster.said()
        assert not [pid for pid in pids if runs(pid)]
        assert not left_of(folder)
    finally:
        cluster.stop()


async def played_with_a_kill(url: str, pid: int) -> int:
    """Play a match through nginx and kill the server ``pid`` in the middle of it; return how many choices there were.

    Both players check that no version is missing or told in another way (see :class:`SeatLog`).
    """
    guests = [await asyncio.to_thread(visits.guest, url) for _ in range(2)]
    match_id, link = await asyncio.to_thread(guests[0].invite)
    await asyncio.to_thread(guests[1].accept, link)
    logs = [SeatLog() for _ in guests]
    seats = [
        Seat([url], guest.cookie_header, match_id, by_hash("4"), log) for guest, log in zip(guests, logs, strict=True)
    ]
    playing = asyncio.gather(*(seat.run() for seat in seats))
    while sum(len(log.accepted) for log in logs) < 10 and not playing.done():  # noqa: ASYNC110 - the seats tell nobody
        await asyncio.sleep(0.01)
    os.kill(pid, signal.SIGKILL)
    first, second = await playing
    assert first is not None and second is not None and first["view"]["result"] == second["view"]["result"]
    return sum(len(log.accepted) for log in logs)


def left_of(folder: Path) -> list[str]:
    """The processes of this machine that have our folder in their environment."""
    found = []
    for environment in Path("/proc").glob("[0-9]*/environ"):
        try:
            if f"VAR_DIR={folder}/var".encode() in environment.read_bytes():
                found.append((environment.parent / "cmdline").read_text().replace("\0", " "))
        except OSError:
            continue  # gone, or somebody else's
    return found
