"""What was proved with which versions."""

from __future__ import annotations

import platform
import sqlite3
from importlib.metadata import version

from ccg import native
from ccg.rules.saving import ENGINE_VERSION
from ccg.server.monitoring.version import commit

PACKAGES = ("django", "channels", "daphne", "redis", "psycopg", "websockets")


def versions() -> dict[str, str]:
    """Return the versions that a proof was made with: this project, Python, its packages and SQLite."""
    by_name = {name: version(name) for name in PACKAGES}
    by_name |= {"python": platform.python_version(), "sqlite": sqlite3.sqlite_version}
    return by_name | {"commit": commit(), "rules": str(ENGINE_VERSION), "engine": native.running()}
