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


def test_no_later_ruling_is_forgotten(tool: ModuleType) -> None:
    """Those before were not all about the engine."""
    broken = {clause for mutation in tool.read_table() for clause in mutation.clauses}
    rulings = [clause for clause in tool.clause_names() if clause.startswith("ruling-")]
    late = [ruling for ruling in rulings if int(ruling.removeprefix("ruling-")) > 60]
    assert len(late) >= 50
    assert [ruling for ruling in late if ruling not in broken] == []


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
        for caught, naming in (("", False), ("rules/a", False), ("rules/b", True))
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
    table, many = tool.read_table(), 10 if AT_LENGTH else 4
    verdicts = tool.run(table[:: len(table) // many][:many], naming_only=True)
    assert [verdict.mutation.name for verdict in verdicts if not verdict.naming] == []
    assert len(verdicts) == many


def test_a_broken_engine_that_stops_is_noticed_by_the_file_it_stops_at(
    tool: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Where the run of several files does not come to its end, halves of them are run."""
    paths = [tmp_path / "ccg/scenarios/rules" / f"{name}.yaml" for name in ("a", "b", "bad", "c", "d")]
    runs: list[int] = []

    def stops_at_bad(engine: Path, paths: list[Path]) -> tuple[int, str]:
        runs.append(len(paths))
        bad = any(path.stem == "bad" for path in paths)
        return (1, "killed\n") if bad else (0, f"{len(paths)} passed, 0 failed\n")

    monkeypatch.setattr(tool, "_scenarios", stops_at_bad)
    assert tool._noticing(tmp_path, paths) == "rules/bad"
    assert runs == [5, 2, 3, 1]
    assert tool._noticing(tmp_path, paths[:2]) == tool._noticing(tmp_path, []) == ""


def test_the_first_file_that_fails_is_named(tool: ModuleType, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    told = "FAILED /tmp/ccg/scenarios/rules/b.yaml: Bo pays: 2\nERROR  /tmp/ccg/scenarios/c.yaml: no card\n"
    monkeypatch.setattr(tool, "_scenarios", lambda *_: (1, f"{told}3 passed, 2 failed\n"))
    assert tool._noticing(tmp_path, [tmp_path / "x.yaml"]) == "rules/b"
