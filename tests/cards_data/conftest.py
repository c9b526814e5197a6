"""What the tests of the card database share: small sets written for one test."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path

import pytest

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
