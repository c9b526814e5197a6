"""The database as migrations leave it, kept in a file between runs of tests.

To run all migrations takes longer than to run most modules of tests, and each process of a parallel run needs a
database of its own. So the first one that needs it runs them and keeps what they made, and all others begin with a
copy. Django still looks for migrations that have not been run. SQLite only; on PostgreSQL each run makes its own.
"""

from __future__ import annotations

import contextlib
import fcntl
import hashlib
import shutil
import sqlite3
from pathlib import Path
from typing import TextIO

ROOT = Path(__file__).resolve().parents[1]
FOLDER = ROOT / "build" / "tests"
PACKAGES = ("ccg", "cards_data", "decks", "matches")


def sources() -> list[Path]:
    """Return the files that a migrated database follows from; what else migrations call means the same for ever."""
    found = [ROOT / "requirements-dev.lock"]
    for package in PACKAGES:
        found += [path for pattern in ("migrations/*.py", "models.py") for path in (ROOT / package).rglob(pattern)]
    return sorted(found)


def kept_file() -> Path:
    """Return the file in which the database of the migrations as they are now is kept, whether it is there or not."""
    digest = hashlib.sha256()
    for path in sources():
        digest.update(str(path.relative_to(ROOT)).encode() + b"\0" + path.read_bytes() + b"\0")
    return FOLDER / f"migrated-{digest.hexdigest()[:16]}.sqlite3"


class Migrated:
    """The kept database of the migrations as they are now."""

    def __init__(self) -> None:
        self.kept = kept_file()
        self._lock: TextIO | None = None

    def put(self, database: Path) -> bool:
        """Put a copy where the tests expect their ``database``, and return True; or return False if none is kept yet.

        Then we are to make it, and all others who ask wait until we :meth:`keep` it, or end.
        """
        self.kept.parent.mkdir(parents=True, exist_ok=True)
        lock = (self.kept.parent / "migrated.lock").open("w")
        fcntl.flock(lock, fcntl.LOCK_EX)
        if not self.kept.exists():
            self._lock = lock
            return False
        lock.close()
        shutil.copyfile(self.kept, database)
        return True

    def keep(self, database: Path) -> None:
        """Keep ``database``, which has just been migrated, in place of those of earlier migrations."""
        part = self.kept.with_suffix(".part")
        part.unlink(missing_ok=True)
        with contextlib.closing(sqlite3.connect(database)) as made, contextlib.closing(sqlite3.connect(part)) as copy:
            made.backup(copy)
        for older in self.kept.parent.glob("migrated-*.sqlite3"):
            older.unlink(missing_ok=True)
        part.rename(self.kept)
        if self._lock is not None:
            self._lock.close()
