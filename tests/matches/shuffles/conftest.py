"""Sitting down as a browser does: the commitment first, then the words."""

from __future__ import annotations

import importlib.util
import json
from pathlib import Path
from typing import Any

import pytest

from matches.shuffles import services
from matches.shuffles.fair import Given

ROOT = Path(__file__).resolve().parents[3]
MATCH = Path(__file__).with_name("match.json")
"""The published file of a match that was played on a site of ours, in which both put their hands back."""


def given(words: str = "words of a player") -> Given:
    """Return words with a commitment that was made before them."""
    return Given(services.commit(), words)


def published() -> dict[str, Any]:
    """Return the file of the match that was kept."""
    file: dict[str, Any] = json.loads(MATCH.read_text(encoding="utf-8"))
    return file


@pytest.fixture(scope="session")
def script() -> Any:
    """Return the stand-alone script as a module."""
    spec = importlib.util.spec_from_file_location("check_shuffles", ROOT / "tools" / "check_shuffles.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    spec.loader.exec_module(module)
    return module
