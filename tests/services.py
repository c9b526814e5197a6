"""PostgreSQL and Redis started for one test run, on ports of their own, and thrown away after it."""

from __future__ import annotations

import subprocess
import sys
import tempfile
from collections.abc import Mapping, Sequence

from ccg.server.proving.processes import ROOT, clean_environment
from ccg.server.proving.services import UNSYNCED, Missing, running_services

__all__ = ["UNSYNCED", "Missing", "hold_on_postgresql", "running_services"]


def hold_on_postgresql(tests: Sequence[str], services: Mapping[str, str]) -> None:
    """Run ``tests``, as pytest names them, on the database of ``services``; those of the full profile are left out."""
    own = {name: value for name, value in clean_environment().items() if not name.startswith("PYTEST_")}
    with tempfile.TemporaryDirectory() as folder:
        # One that chose its folder itself would shut that of all of them, where the data of the database are.
        command = [sys.executable, "-m", "pytest", "-q", "-p", "no:cacheprovider", "--basetemp", f"{folder}/pytest"]
        done = subprocess.run(
            [*command, "-m", "not full_profile", *tests],
            cwd=ROOT, env={**own, **services}, capture_output=True, text=True, check=False,
        )  # fmt: skip
    assert done.returncode == 0, done.stdout
