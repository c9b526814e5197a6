"""The table of broken rules (tools/mutations.yaml) follows the engine: `make mutations` itself takes minutes."""

from __future__ import annotations

import importlib.util
import sys
from collections import Counter
from pathlib import Path
from types import ModuleType

import pytest

TOOL = Path(__file__).resolve().parents[2] / "tools" / "mutations.py"


@pytest.fixture(scope="module")
def tool() -> ModuleType:
    """The tool as a module; it lies outside every package."""
    spec = importlib.util.spec_from_file_location("mutations_tool", TOOL)
    assert spec is not None
    assert spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.modules[spec.name] = module
    spec.loader.exec_module(module)
    return module


def test_every_broken_line_is_in_the_engine_exactly_once(tool: ModuleType) -> None:
    assert tool.stale(tool.read_table()) == []


def test_a_stale_line_is_named(tool: ModuleType) -> None:
    gone = tool.Mutation("Gone", ["WIN-1"], "outcome.py", "this line was never there", "pass")
    twice = tool.Mutation("Twice", ["WIN-1"], "outcome.py", "from __future__ import annotations", "from sys import * (")
    assert tool.stale([gone]) == ["Gone: outcome.py has 0 lines that read 'this line was never there'"]
    assert "no Python any more" in tool.stale([twice])[0]


def test_the_table_is_large_and_says_each_thing_once(tool: ModuleType) -> None:
    table = tool.read_table()
    assert len(table) >= 50
    assert [name for name, count in Counter(mutation.name for mutation in table).items() if count > 1] == []
    assert len({(mutation.file, mutation.line, mutation.becomes) for mutation in table}) == len(table)


def test_the_page_speaks_of_the_whole_table(tool: ModuleType) -> None:
    page = tool.PAGE.read_text(encoding="utf-8")
    missing = [mutation.name for mutation in tool.read_table() if f"| {mutation.name} |" not in page]
    assert missing == [], "make mutations writes docs/rules/mutations.md"
