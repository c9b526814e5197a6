"""Every clause, ruling and card with an ability is shown by a scenario, and the coverage page says which."""

from __future__ import annotations

from pathlib import Path

import pytest

from ccg.rules import Catalog
from ccg.rules.cardfiles import SETS, CardSet, read_catalog, read_sets, set_folders
from ccg.rules.scenario import find_files, read_scenarios
from ccg.rules.scenario.coverage import Clause, Coverage, coverage, page, read_clauses, read_rulings
from ccg.rules.scenario.files import Check, Scenario, Step

ROOT = Path(__file__).resolve().parents[1]
CARDS = ROOT / "tests" / "scenarios" / "cards"
RULES = ROOT / "docs" / "rules"


def read(*paths: Path) -> list[Scenario]:
    """The scenarios of all files in ``paths``, with paths as the command is given them."""
    files = find_files(path.relative_to(ROOT) if path.is_relative_to(ROOT) else path for path in paths)
    return [scenario for path in files for scenario in read_scenarios(path)]


def tells_of(scenario: Scenario, name: str) -> bool:
    """Whether ``name`` is on the table or in the story of ``scenario``."""
    story: list[Step | Check] = scenario.story
    return name in repr(scenario.given) or any(name in item.words for item in story)


def without_scenario(one: CardSet, scenarios: list[Scenario]) -> list[str]:
    """The cards of ``one`` with an ability that none of ``scenarios`` is about."""
    return [
        f"{card.id} {card.name}"
        for card in one.cards
        if card.abilities and not any(card.id in s.cards and tells_of(s, card.name) for s in scenarios)
    ]


def covered() -> Coverage:
    """What the project's own scenarios show."""
    clauses, rulings = read_clauses(RULES / "clauses.yaml"), read_rulings(RULES / "rulings.md")
    return coverage(clauses, rulings, read(ROOT / "tests" / "scenarios"))


@pytest.fixture
def in_root(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.chdir(ROOT)


@pytest.mark.parametrize("one", read_sets(set_folders(SETS)), ids=lambda one: one.code.lower())
def test_every_card_with_an_ability_has_a_scenario_in_the_folder_of_its_set(in_root: None, one: CardSet) -> None:
    assert not without_scenario(one, read(CARDS / one.code.lower()))


def test_a_card_without_a_scenario_would_be_found(in_root: None) -> None:
    one = read_sets(set_folders(SETS))[0]
    scenarios = read(CARDS / one.code.lower())
    shown = next(card for card in one.cards if card.abilities)

    assert without_scenario(one, [s for s in scenarios if shown.id not in s.cards]) == [f"{shown.id} {shown.name}"]


def test_the_coverage_page_is_current_and_lists_every_card_with_an_ability(in_root: None) -> None:
    catalog: Catalog = read_catalog()
    written = (RULES / "coverage.md").read_text(encoding="utf-8")

    assert page(read_clauses(RULES / "clauses.yaml"), covered(), catalog) == written, (
        "run manage.py scenarios tests/scenarios --coverage --write"
    )
    for card in catalog:
        assert not card.abilities or f"**{card.id}** {card.name}\n\n- " in written, card.id


def test_every_clause_and_ruling_is_shown_and_scenarios_name_no_others(in_root: None) -> None:
    found = covered()
    assert found.missing == []
    assert found.unknown == []
    assert list(found.rulings) == [f"ruling-{number}" for number in range(1, len(found.rulings) + 1)]


@pytest.mark.parametrize(
    ("named", "missing", "unknown"),
    [
        ("ruling-40", ["ruling-41"], []),
        ("ruling-42", ["ruling-40", "ruling-41"], ["ruling ruling-42"]),
        ("WIN-99", ["ruling-40", "ruling-41"], ["clause WIN-99"]),
        ("keywords/link", ["ruling-40", "ruling-41"], []),
    ],
)
def test_what_is_missing_and_what_is_unknown(
    tmp_path: Path, named: str, missing: list[str], unknown: list[str]
) -> None:
    rulings = tmp_path / "rulings.md"
    rulings.write_text("# Rulings\n\n**Cards**\n40. One.\n41. Two, as 12 says, and\n\n", encoding="utf-8")
    story = tmp_path / "story.yaml"
    story.write_text(
        f"scenario: A story\nrules: [{named}, WIN-1]\ngiven: {{players: [{{name: Ana}}, {{name: Ben}}]}}\n"
    )

    found = coverage([Clause("WIN-1", "Victory", "Twenty wins.")], read_rulings(rulings), read_scenarios(story))

    assert found.missing == missing
    assert [line.partition("A story: no ")[2] for line in found.unknown] == unknown
