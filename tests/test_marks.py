"""No test is left out by `make test` because it stands where nobody looks for its mark, and none without a word."""

from __future__ import annotations

import re
from pathlib import Path
from types import SimpleNamespace
from typing import Any, cast

import pytest

from tests.conftest import FOLDERS, lacked, pytest_itemcollected

ROOT = Path(__file__).resolve().parents[1]


class Marked:
    """A test at ``path`` with these marks, as pytest collects it."""

    def __init__(self, path: str, *marks: str) -> None:
        self.nodeid = path
        self.path = ROOT / path
        self._marks = marks

    def get_closest_marker(self, name: str) -> str | None:
        return name if name in self._marks else None


@pytest.mark.parametrize(
    ("path", "marks", "refused"),
    [
        ("tests/browser/test_table.py", ["browser"], False),
        ("tests/matches/test_wire.py", ["full_profile"], False),
        ("tests/proving/test_faults.py", ["full_profile", "proof"], False),
        ("tests/decks/test_pages.py", [], False),
        ("tests/decks/test_pages.py", ["full_profile"], True),
        ("tests/matches/test_wire.py", ["browser"], True),
        ("tests/browser/test_table.py", [], True),
    ],
)
def test_a_mark_where_nobody_looks_for_it_is_refused(path: str, marks: list[str], refused: bool) -> None:
    item = Marked(path, *marks)
    if not refused:
        pytest_itemcollected(item)  # type: ignore[arg-type]
        return
    with pytest.raises(pytest.UsageError, match=path):
        pytest_itemcollected(item)  # type: ignore[arg-type]


def test_the_makefile_looks_in_these_folders() -> None:
    makefile = (ROOT / "Makefile").read_text(encoding="utf-8")
    lane = r'(?m)^\t\$\(PYTEST\) \$\(AGAIN\) -m "(browser|full_profile)\b[^\n]*?((?: tests/\w+)+)$'
    found = dict(re.findall(lane, makefile))
    assert {mark: set(folders.split()) for mark, folders in found.items()} == {
        mark: {f"tests/{folder}" for folder in folders} for mark, folders in FOLDERS.items()
    }


def test_what_could_not_run_is_counted_with_its_reason() -> None:
    why = ["cannot run here: no Redis", "cannot run here: no Redis", "cannot run here: no nginx", "pure Python only"]
    reports = [SimpleNamespace(longrepr=("tests/test_it.py", 7, f"Skipped: {one}")) for one in why]
    assert lacked(cast("Any", reports)) == {"no Redis": 2, "no nginx": 1}
