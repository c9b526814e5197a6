"""What the tests of the card database share: small sets written for one test."""

from __future__ import annotations

from collections.abc import Callable
from importlib import import_module
from pathlib import Path
from typing import Any

import msgspec
import pytest

from cards_data import isolated

SET = "code: {code}\nname: The {code} Set\nyear: 2030\ndigits: 2\n"
APOLLO = """
- number: 1
  title: Apollo
  subtitle: Test Pilot
  type: personnel
  rarity: rare
  cost: {security: 3}
  power: 2
  threat: 1
  mystic: 2
  produces: security
  traits: [Pilot]
"""
RAPTOR = """
- number: 2
  subtitle: Raptor 9
  type: ship
  rarity: common
  cost: {persuasion: 1, logistics: 1}
  power: 1
  threat: 1
  mystic: 3
  produces: logistics
  traits: [Scout]
  keywords: [scramble]
"""
BASE = """
- number: 3
  title: Old Rock
  type: base
  rarity: fixed
  power: 3
  hand: 5
  influence: 8
  produces: security
"""

WriteSet = Callable[..., Path]


@pytest.fixture
def write_set(tmp_path: Path) -> WriteSet:
    """Write a set folder: ``write_set("TST", cards=yaml, events=yaml)``; return the folder."""

    def write(code: str = "TST", head: str | None = None, **files: str) -> Path:
        folder = tmp_path / code.lower()
        folder.mkdir(exist_ok=True)
        for old in folder.glob("*.yaml"):
            old.unlink()
        (folder / "set.yaml").write_text(SET.format(code=code) if head is None else head)
        for name, text in files.items():
            (folder / f"{name}.yaml").write_text(text)
        return folder

    return write


@pytest.fixture
def work_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let isolated work be done in this process, which a child's start makes three times as long.

    For tests that ask what comes of it. That a child is bound and stopped is shown in test_isolated.py.
    """

    def run(module: str, request: Any, answer: Any, seconds: float, nice: int = 0) -> isolated.Done:
        worker = import_module(module)
        given = isolated.Decoder(worker.Request, isolated.read_special).from_json(msgspec.json.encode(request))
        return isolated.Done([answer.from_json(msgspec.json.encode(one)) for one in worker.work(given)])

    monkeypatch.setattr(isolated, "run", run)
