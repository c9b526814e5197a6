"""The glossary names files and classes that exist."""

from __future__ import annotations

import re
from pathlib import Path

import pytest

ROOT = Path(__file__).resolve().parents[1]
ROWS = [
    [cell.strip() for cell in line.strip("|").split("|")]
    for line in (ROOT / "docs" / "glossary.md").read_text(encoding="utf-8").splitlines()
    if line.startswith("|") and "`" in line
]


@pytest.mark.parametrize("row", ROWS, ids=[row[0] for row in ROWS])
def test_what_a_row_names_is_there(row: list[str]) -> None:
    place, *names = re.findall(r"`([^`]+)`", row[2])
    path = next(path for path in (ROOT / "ccg" / "rules" / place, ROOT / place) if path.exists())
    for name in names:
        last = name.rpartition(".")[2]
        made = re.search(
            rf"^\s*(class|def) {last}\b|^\s*{last}\b\s*[:=]", path.read_text(encoding="utf-8"), re.MULTILINE
        )
        assert made, f"{place} makes no {name}"
    assert len(row) == 4 and row[3].endswith(".")
