"""The programs of the system that a cluster runs: where they are, and how they get here."""

from __future__ import annotations

import os
import shutil
import subprocess
from collections.abc import Iterable
from pathlib import Path

ROOT = Path(__file__).resolve().parents[3]
PACKAGES = {"postgres": "postgresql", "initdb": "postgresql", "redis-server": "redis-server", "nginx": "nginx-light"}
"""The Debian package that brings a program."""
INSTALLER = ROOT / ".ci" / "system-packages"
HIDDEN = ("/usr/sbin", "/usr/local/sbin")
"""Where programs are that are not in everybody's PATH."""


class Missing(Exception):
    """A program is not installed on this machine."""


def program(name: str) -> str:
    """Return the path of a program, also where Debian hides those of PostgreSQL and of servers. Raises Missing."""
    path = shutil.which(name) or shutil.which(name, path=os.pathsep.join(HIDDEN))
    if path is None:
        hidden = sorted(Path("/usr/lib/postgresql").glob(f"*/bin/{name}"))
        path = str(hidden[-1]) if hidden else None
    if path is None:
        raise Missing(f"{name} is not installed (the Debian package {PACKAGES.get(name, name)} has it)")
    return path


def bring(names: Iterable[str]) -> None:
    """Install those of these programs that are missing, where we may. Raises Missing for what stays so."""
    missing = _packages_missing(names)
    if missing and INSTALLER.exists():
        subprocess.run(["/bin/sh", str(INSTALLER), *missing], check=False)
        missing = _packages_missing(names)
    if missing:
        raise Missing(
            f"Not on this machine: {', '.join(missing)}. Install it and start again; on Debian or Ubuntu:"
            f" sudo apt-get install {' '.join(missing)}"
        )


def _packages_missing(names: Iterable[str]) -> list[str]:
    missing = []
    for name in names:
        try:
            program(name)
        except Missing:
            missing.append(PACKAGES[name])
    return list(dict.fromkeys(missing))
