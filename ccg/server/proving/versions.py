"""What was proved with which versions."""

from __future__ import annotations

import platform
import sqlite3
import subprocess
from importlib.metadata import version

from ccg import native
from ccg.rules.saving import ENGINE_VERSION

from .processes import ROOT

PACKAGES = ("django", "channels", "daphne", "redis", "psycopg", "websockets")


def versions() -> dict[str, str]:
    """Return the versions that a proof was made with: this project, Python, its packages and SQLite."""
    by_name = {name: version(name) for name in PACKAGES}
    by_name |= {"python": platform.python_version(), "sqlite": sqlite3.sqlite_version}
    return by_name | {"commit": _commit(), "rules": str(ENGINE_VERSION), "engine": native.running()}


def _commit() -> str:
    """The commit that is checked out, with a plus if files were changed since; empty outside of a repository."""
    try:
        done = subprocess.run(
            ["git", "describe", "--always", "--dirty=+", "--abbrev=10", "--exclude=*"],
            cwd=ROOT, capture_output=True, text=True, check=False,
        )  # fmt: skip
    except OSError:
        return ""
    return done.stdout.strip()
