"""Proofs in their short form, as CI runs them; what :func:`short` returns is the line that they print."""

from __future__ import annotations

import json
import subprocess
import sys
from typing import Any

from ccg.server.proving.processes import ROOT, clean_environment


def short(name: str, profile: str = "embedded", *more: str) -> dict[str, Any]:
    """Run ``manage.py prove NAME --short``, see it hold, and return what it printed."""
    done = subprocess.run(
        [sys.executable, "manage.py", "prove", name, "--short", "--profile", profile, *more],
        cwd=ROOT, env={**clean_environment(), "DJANGO_SETTINGS_MODULE": "ccg.server.settings"},
        capture_output=True, text=True, check=False,
    )  # fmt: skip
    assert done.returncode == 0, done.stdout + done.stderr[-3000:]
    proof: dict[str, Any] = json.loads(done.stdout)
    return proof
