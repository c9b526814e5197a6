"""The table of broken rules (tools/mutations.yaml) follows the engine: `make mutations` itself takes minutes."""

from __future__ import annotations

from collections import Counter
from pathlib import Path
from types import ModuleType

import pytest

from tests.at_length import AT_LENGTH
from tests.rules.tools import tool_named


@pytest.fixture(scope="module")
def tool() -> ModuleType:
    return tool_named("mutations")


@pytest.mark.slow
def test_every_broken_line_is_in_the_engine_exactly_once(tool: ModuleType) -> None:
    assert tool.stale(tool.read_table()) == []


def test_a_stale_line_is_named(tool: ModuleType) -> None:
    gone = tool.Mutation("Gone", ["WIN-1"], "core/outcome.py", "this line was never there", "pass")
    twice = tool.Mutation(
        "Twice", ["WIN-1"], "core/outcome.py", "from __future__ import annotations", "from sys import * ("
    )
    assert tool.stale([gone]) == ["Gone: core/outcome.py has 0 lines that read 'this line was never there'"]
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


def test_the_page_can_be_read_back_and_a_row_replaced(tool: ModuleType) -> None:
    """A run of a few mutations leaves the rows of the others as they are."""
    rows = tool.rows_of(tool.PAGE.read_text(encoding="utf-8"))
    assert tool.page(list(rows.values())) == tool.PAGE.read_text(encoding="utf-8")

    broken = tool.Mutation("New", ["WIN-1"], "core/outcome.py", "a", "b")
    nobody, other, named = (
        tool.row(tool.Verdict(broken, caught, naming))
        for caught, naming in (([], []), (["ccg/scenarios/rules/a.yaml"], []), (["x", "y"], ["y"]))
    )
    assert tool.rows_of(tool.page([*rows.values(), other]))["New"] == other
    assert "**1 of 2 broken engines are caught**, 0 of them" in tool.page([nobody, other])
    assert "**2 of 2 broken engines are caught**, 1 of them" in tool.page([named, other])


@pytest.mark.slow
@pytest.mark.ci
def test_the_scenarios_notice_broken_rules(tool: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    """The short form of `make mutations`: four rules from all over the table, broken one at a time; at length, ten.

    Each has to be noticed by a scenario that names its clause, so only those are run.
    """
    monkeypatch.setattr(tool, "TIME_LIMIT", 600)
    table, many = tool.read_table(), 10 if AT_LENGTH else 4
    verdicts = tool.run(table[:: len(table) // many][:many], naming_only=True)
    assert [verdict.mutation.name for verdict in verdicts if not verdict.naming] == []
    assert len(verdicts) == many


def test_a_broken_engine_that_stops_is_noticed_file_by_file(
    tool: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """What is in a folder is run at once, and apart where that tells nothing."""
    for name in ("rules/good.yaml", "rules/setup/bad.yaml", "rules/setup/good.yaml", "rules/turn/good.yaml"):
        path = tmp_path / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(name.partition(".")[0])

    def stops_at_bad(engine: Path, stories: Path, parts: tuple[Path], limit: int) -> tuple[int, str]:
        found = [stories] if stories.is_file() else list(stories.rglob("*.yaml"))
        bad = any(path.name == "bad.yaml" for path in found)
        return (1, "killed\n") if bad else (0, f"{len(found)} passed, 0 failed\n")

    monkeypatch.setattr(tool, "_scenarios", stops_at_bad)
    stopped = f"FAULT {tmp_path}/rules/setup/bad.yaml: stopped\n"
    passed = "1 passed, 0 failed\n"
    assert tool._one_by_one(tmp_path, [tmp_path / "rules"]) == passed + stopped + passed + passed
    assert tool._one_by_one(tmp_path, [tmp_path / "rules/setup/bad.yaml"]) == stopped
