"""Backups: one file with everything that a site cannot make again, taken while it runs.

That is the database as it is at one moment, the secret key (sessions and invitations hang on it), and a note of what
made it. Both profiles have the same form, and a backup goes back into the profile that it came from.
"""

from __future__ import annotations

import io
import json
import os
import sqlite3
import subprocess
import tarfile
import tempfile
from collections.abc import Callable
from contextlib import closing
from pathlib import Path
from typing import Any

from django.conf import settings
from django.db import connection
from django.utils import timezone
from msgspec import Struct

from ccg.rules.saving import ENGINE_VERSION

from .cluster.programs import Missing, program
from .monitoring.version import commit

NOTE, KEY = "backup.json", "secret_key"
DATABASES = {"sqlite": "db.sqlite3", "postgresql": "db.dump"}
FORM = 1


class BackupError(Exception):
    """A backup could not be made or taken back; the text says why, and what was kept."""


class About(Struct, frozen=True):
    """What a backup says of itself."""

    form: int
    database: str
    made: str
    commit: str
    rules: str


def back_up(target: Path) -> About:
    """Write a backup to ``target``, which appears only when it is whole. Raises BackupError.

    Servers and workers go on meanwhile: what is accepted after it began is not in it.
    """
    if target.exists():
        raise BackupError(f"{target} exists already and was left as it is.")
    if not target.parent.is_dir():
        raise BackupError(f"There is no folder {target.parent}; nothing was written.")
    about = About(FORM, connection.vendor, timezone.now().isoformat(timespec="seconds"), commit(), str(ENGINE_VERSION))
    new = target.with_name(f"{target.name}.{os.getpid()}.new")
    try:
        with tempfile.TemporaryDirectory(dir=target.parent) as folder:
            database = Path(folder) / DATABASES[connection.vendor]
            DUMPED[connection.vendor](database)
            # Only its owner may read it: there are hands, seeds and hashes of passwords in it.
            with os.fdopen(os.open(new, os.O_WRONLY | os.O_CREAT | os.O_EXCL, 0o600), "wb") as file:
                with tarfile.open(fileobj=file, mode="w:gz", compresslevel=6) as archive:
                    _add(archive, NOTE, json.dumps({name: getattr(about, name) for name in about.__struct_fields__}))
                    _add(archive, KEY, settings.SECRET_KEY)
                    archive.add(database, database.name)
                file.flush()
                os.fsync(file.fileno())
        new.replace(target)
    except OSError as error:
        raise BackupError(f"The backup could not be written: {error.strerror}. The site was left as it is.") from error
    finally:
        new.unlink(missing_ok=True)
    return about


def restore(source: Path) -> About:
    """Put the backup in ``source`` into a site that has no data yet. Raises BackupError, with nothing changed."""
    try:
        with tarfile.open(source, "r:gz") as archive, tempfile.TemporaryDirectory(dir=settings.VAR_DIR) as folder:
            about = _about(archive)
            database = Path(folder) / DATABASES[about.database]
            for name, path in ((database.name, database), (KEY, Path(folder) / KEY)):
                member = archive.extractfile(name)
                if member is None:
                    raise KeyError(name)
                with path.open("wb") as file:
                    while piece := member.read(1 << 20):
                        file.write(piece)
            LOADED[about.database](database)
            key = settings.VAR_DIR / KEY
            made = key.with_name(f"{KEY}.{os.getpid()}")
            with os.fdopen(os.open(made, os.O_WRONLY | os.O_CREAT | os.O_TRUNC, 0o600), "wb") as file:
                file.write((Path(folder) / KEY).read_bytes())
            made.replace(key)
    except (tarfile.TarError, EOFError, KeyError, ValueError) as error:
        raise BackupError(f"{source} is no backup of this program, or is not whole. Nothing was changed.") from error
    except OSError as error:
        raise BackupError(f"{source} could not be read, or its data not written: {error.strerror}.") from error
    return about


def _about(archive: tarfile.TarFile) -> About:
    """Return what the backup says of itself; raises BackupError for one of the other profile or of a later form."""
    member = archive.extractfile(NOTE)
    if member is None:
        raise KeyError(NOTE)
    told: Any = json.loads(member.read(65_536))
    if not isinstance(told, dict):
        raise ValueError(NOTE)
    about = About(**{name: told[name] for name in About.__struct_fields__})
    if about.form != FORM:
        raise BackupError(f"This backup has form {about.form}, and this program reads form {FORM}.")
    if about.database != connection.vendor:
        raise BackupError(
            f"This backup is one of {about.database}, and this site is configured for {connection.vendor}."
            " Set DATABASE_URL, or do without it, as where it was made. Nothing was changed."
        )
    return about


def _add(archive: tarfile.TarFile, name: str, text: str) -> None:
    content = text.encode()
    member = tarfile.TarInfo(name)
    member.size = len(content)
    member.mode = 0o600
    archive.addfile(member, io.BytesIO(content))


def _copied(target: Path) -> None:
    """Copy the SQLite database as it is at one moment: writers go on, in the WAL, while it is read."""
    source = Path(settings.DATABASES["default"]["NAME"])
    if not source.exists():
        raise BackupError(f"There is no data in {source.parent}; nothing was written.")
    live = sqlite3.connect(f"{source.as_uri()}?mode=ro", uri=True, timeout=30)
    with closing(live), closing(sqlite3.connect(target)) as copy:
        live.backup(copy)
        if copy.execute("PRAGMA quick_check").fetchone() != ("ok",):
            raise BackupError(f"The database {source} is damaged: sqlite3's quick_check says so.")


def _put(dump: Path) -> None:
    """Put the SQLite database where the site keeps its own."""
    target = Path(settings.DATABASES["default"]["NAME"])
    if target.exists():
        raise BackupError(
            f"There is data in {target.parent} already. It was left as it is; restore into an empty folder (VAR_DIR=…)."
        )
    dump.replace(target)


def _dumped(target: Path) -> None:
    """Let pg_dump write PostgreSQL's database, as it is at one moment."""
    _run("pg_dump", "--format=custom", "--no-owner", "--no-privileges", f"--file={target}")


def _loaded(dump: Path) -> None:
    """Let pg_restore put it into an empty database, all of it or nothing."""
    if connection.introspection.table_names():
        raise BackupError("The database has tables already. It was left as it is; restore into an empty one.")
    connection.close()
    _run(
        "pg_restore",
        "--no-owner",
        "--no-privileges",
        "--single-transaction",
        "--exit-on-error",
        f"--dbname={connection.settings_dict['NAME']}",
        str(dump),
    )


def _run(name: str, *arguments: str) -> None:
    """Run a program of PostgreSQL on the site's database. The password goes the way that ``ps`` does not show."""
    used = connection.settings_dict
    given = {"PGHOST": "HOST", "PGPORT": "PORT", "PGUSER": "USER", "PGPASSWORD": "PASSWORD", "PGDATABASE": "NAME"}
    env = {**os.environ, **{variable: str(used[key]) for variable, key in given.items() if used.get(key)}}
    try:
        command = [program(name), *arguments]
    except Missing as missing:
        raise BackupError(str(missing)) from missing
    done = subprocess.run(command, env=env, capture_output=True, text=True, check=False)  # noqa: S603 - named above
    if done.returncode:
        raise BackupError(f"{name} failed, and the site was left as it is: {done.stderr.strip()[-2000:]}")


DUMPED: dict[str, Callable[[Path], None]] = {"sqlite": _copied, "postgresql": _dumped}
LOADED: dict[str, Callable[[Path], None]] = {"sqlite": _put, "postgresql": _loaded}
