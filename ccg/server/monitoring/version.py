"""Which version of the project runs."""

from __future__ import annotations

import subprocess
from functools import lru_cache
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]


@lru_cache(maxsize=1)
def commit() -> str:
    """Return the commit that is checked out, with a plus if files were changed since; "" outside of a repository."""
    try:
        done = subprocess.run(
            ["git", "describe", "--always", "--dirty=+", "--abbrev=10", "--exclude=*"],  # noqa: S607 - whichever git
            cwd=ROOT,
            capture_output=True,
            text=True,
            check=False,
        )
    except OSError:
        return ""
    return done.stdout.strip()
