"""manage.py backup and manage.py restore: of a site that runs, into an empty one that goes on with its matches."""

from __future__ import annotations

import asyncio
import io
import json
import os
import subprocess
import sys
import tarfile
from collections.abc import Callable
from pathlib import Path
from urllib.request import urlopen

import psycopg
import pytest

from ccg.server.proving.client import visits
from ccg.server.proving.client.seat import Message, Seat, SeatLog, by_hash
from ccg.server.proving.processes import clean_environment
from tests.running import ROOT, Site, running_site


class Enough(Exception):
    """The match is to stand where it is."""


def up_to(count: int) -> Callable[[Message], str]:
    """A policy that makes so many choices, however many seats it chooses for, and then raises Enough."""
    left, choose = iter(range(count)), by_hash("5")

    def chosen(table: Message) -> str:
        if next(left, None) is None:
            raise Enough
        return choose(table)

    return chosen


async def until_enough(seats: list[Seat]) -> None:
    """Let these play until one of them has had enough."""
    playing = [asyncio.ensure_future(seat.run()) for seat in seats]
    done, waiting = await asyncio.wait(playing, return_when=asyncio.FIRST_EXCEPTION)
    assert [type(task.exception()) for task in done] == [Enough]
    while not all(task.done() for task in waiting):
        for task in waiting:
            task.cancel()  # once may not do: wait_for forgets it where something arrives at the same time
        await asyncio.sleep(0.01)


def table_of(site: Site, match: str) -> Message:
    """Return the table as a visitor is shown it."""
    with urlopen(f"{site.url}/api/v1/matches/{match}/", timeout=20) as answer:
        table: Message = json.load(answer)
    return table


@pytest.mark.ci
def test_a_backup_of_a_running_site_goes_on_elsewhere_with_its_matches(tmp_path: Path) -> None:
    """Signed in as before, as the secret key comes along; and the site that was copied goes on too."""
    old, new = tmp_path / "old", tmp_path / "new"
    for folder in (old, new):
        folder.mkdir()
    kept = tmp_path / "kept.tar.gz"
    with running_site(old) as site:
        guests = [visits.guest(site.url) for _ in range(2)]
        match, link = guests[0].invite()
        guests[1].accept(link)
        policy = up_to(12)
        asyncio.run(until_enough([Seat([site.url], guest.cookie_header, match, policy) for guest in guests]))
        site.manage("backup", str(kept))
        assert kept.stat().st_mode & 0o077 == 0
    with pytest.raises(RuntimeError, match="exists already and was left as it is"):
        site.manage("backup", str(kept))
    with pytest.raises(RuntimeError, match=r"There is data in .*old.* already"):
        site.manage("restore", str(kept))
    other = Site(new)
    assert "Run manage.py prepare now" in other.manage("restore", str(kept))
    other.start()
    try:
        policy, logs = up_to(20), [SeatLog() for _ in guests]
        again = [
            Seat([other.url], guest.cookie_header, match, policy, log) for guest, log in zip(guests, logs, strict=True)
        ]
        asyncio.run(until_enough(again))
        # The last choice may be made and its answer not read yet, as its player was stopped.
        version, answered = table_of(other, match)["version"], sum(len(log.accepted) for log in logs)
        assert answered >= 18 and 12 + answered <= version <= 12 + 20
    finally:
        other.stop()


def manage(*command: str, **env: str) -> subprocess.CompletedProcess[str]:
    own = {**clean_environment(), "DJANGO_SETTINGS_MODULE": "ccg.server.settings", **env}
    return subprocess.run(
        [sys.executable, "manage.py", *command], cwd=ROOT, env=own, capture_output=True, text=True, check=False
    )


@pytest.mark.ci
@pytest.mark.full_profile
def test_postgresql_goes_into_a_backup_and_out_of_it(services: dict[str, str], tmp_path: Path) -> None:
    url = services["DATABASE_URL"]
    here, there = (url.rpartition("/")[0] + f"/backup_{name}_{os.getpid()}" for name in ("here", "there"))
    with psycopg.connect(url, autocommit=True) as admin:
        for database in (here, there):
            admin.execute(f"CREATE DATABASE {database.rpartition('/')[2]}")
    with psycopg.connect(here, autocommit=True) as site:
        site.execute("CREATE TABLE ship (id bigserial PRIMARY KEY, name text UNIQUE, saved bytea)")
        site.execute("INSERT INTO ship (name, saved) VALUES ('Galactica', '\\x0001ff'), ('Colonial One', NULL)")
    kept, redis = str(tmp_path / "kept.tar.gz"), services["REDIS_URL"]
    for command, database in (("backup", here), ("restore", there)):
        done = manage(command, kept, DATABASE_URL=database, REDIS_URL=redis, VAR_DIR=str(tmp_path / command))
        assert done.returncode == 0, done.stderr
    with psycopg.connect(there, autocommit=True) as site:
        site.execute("INSERT INTO ship (name) VALUES ('Pegasus')")
        found = site.execute("SELECT * FROM ship ORDER BY id").fetchall()
    assert found == [(1, "Galactica", b"\x00\x01\xff"), (2, "Colonial One", None), (3, "Pegasus", None)]
    assert (tmp_path / "backup" / "secret_key").read_text() == (tmp_path / "restore" / "secret_key").read_text()
    done = manage("restore", kept, DATABASE_URL=there, REDIS_URL=redis, VAR_DIR=str(tmp_path / "again"))
    assert "The database has tables already" in done.stderr
    done = manage("restore", kept, VAR_DIR=str(tmp_path / "embedded"))
    assert "one of postgresql, and this site is configured for sqlite" in done.stderr
    assert not (tmp_path / "embedded" / "db.sqlite3").exists()


def packed(**members: bytes) -> bytes:
    file = io.BytesIO()
    with tarfile.open(fileobj=file, mode="w:gz") as archive:
        for name, content in members.items():
            member = tarfile.TarInfo(name.replace("_json", ".json"))
            member.size = len(content)
            archive.addfile(member, io.BytesIO(content))
    return file.getvalue()


@pytest.mark.parametrize(
    "content",
    [b"", b"not an archive", packed(other=b"x"), packed(backup_json=b"[]"), packed(backup_json=b'{"form": 1}')],
    ids=["empty", "no archive", "another file", "a list", "parts missing"],  # an archive has the time in it
)
def test_what_is_no_backup_changes_nothing(tmp_path: Path, settings: object, content: bytes) -> None:
    from ccg.server.backups import BackupError, restore

    settings.VAR_DIR = tmp_path  # type: ignore[attr-defined]
    (tmp_path / "file").write_bytes(content)
    (tmp_path / "secret_key").write_text("as it was")
    with pytest.raises(BackupError, match="no backup of this program"):
        restore(tmp_path / "file")
    assert sorted(path.name for path in tmp_path.iterdir()) == ["file", "secret_key"]
    assert (tmp_path / "secret_key").read_text() == "as it was"
