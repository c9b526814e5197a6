"""Golden games (tests/golden/) are as they were; ``python tools/golden.py --write`` renews them on purpose."""

from __future__ import annotations

from pathlib import Path
from types import ModuleType

import pytest

from ccg.rules import Catalog
from tests.rules.tools import tool_named

TESTS = Path(__file__).resolve().parents[1]
GAMES = sorted((TESTS / "golden").glob("*.txt"))


@pytest.fixture(scope="module")
def tool() -> ModuleType:
    return tool_named("golden")


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_a_golden_game_is_as_it_was(tool: ModuleType, catalog: Catalog, path: Path) -> None:
    assert tool.difference(path, catalog) is None


def test_there_is_a_file_for_each_game(tool: ModuleType) -> None:
    assert sorted(game.name for game in tool.GAMES) == [path.stem for path in GAMES]


@pytest.mark.parametrize("path", GAMES, ids=lambda path: path.stem)
def test_a_golden_game_was_played_to_its_end(path: Path) -> None:
    assert path.read_text(encoding="utf-8").splitlines()[-1].startswith("over: ")


def test_a_difference_is_shown(tool: ModuleType, catalog: Catalog, tmp_path: Path) -> None:
    lines = GAMES[0].read_text(encoding="utf-8").splitlines()
    changed = tmp_path / "changed.txt"
    changed.write_text("\n".join([*lines[:5], lines[5] + " and more", *lines[6:]]) + "\n", encoding="utf-8")
    assert "first in line 6:" in str(tool.difference(changed, catalog))
