"""Every clause, ruling and card with an ability is shown by a scenario, and the coverage page says which."""

from __future__ import annotations

from pathlib import Path

import msgspec
import pytest

from ccg.rules import Catalog
from ccg.rules.authoring.card_files import CardSet
from ccg.rules.scenario import find_files, read_scenarios
from ccg.rules.scenario.coverage import (
    Clause,
    Coverage,
    Proof,
    coverage,
    data,
    page,
    read_clauses,
    read_proofs,
    read_rulings,
)
from ccg.rules.scenario.files import Check, Scenario, StoryStep
from tests.reading import SCENARIOS, own_sets, scenarios_in

ROOT = Path(__file__).resolve().parents[1]
CARDS = SCENARIOS / "cards"
RULES = ROOT / "docs" / "rules"


def read(*paths: Path) -> list[Scenario]:
    """The scenarios of all files in ``paths``, with paths as the command is given them."""
    return [
        msgspec.structs.replace(scenario, path=path.relative_to(ROOT))
        for path in find_files(paths)
        for scenario in scenarios_in(path)
    ]


def tells_of(scenario: Scenario, name: str) -> bool:
    """Whether ``name`` is on the table or in the story of ``scenario``."""
    story: list[StoryStep | Check] = scenario.story
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
    return coverage(clauses, rulings, read(SCENARIOS))


@pytest.mark.parametrize("one", own_sets(), ids=lambda one: one.code.lower())
def test_every_card_with_an_ability_has_a_scenario_in_the_folder_of_its_set(one: CardSet) -> None:
    assert not without_scenario(one, read(CARDS / one.code.lower()))


def test_a_card_without_a_scenario_would_be_found() -> None:
    one = own_sets()[0]
    scenarios = read(CARDS / one.code.lower())
    shown = next(card for card in one.cards if card.abilities)

    assert without_scenario(one, [s for s in scenarios if shown.id not in s.cards]) == [f"{shown.id} {shown.name}"]


def test_the_coverage_page_is_current_and_lists_every_card_with_an_ability(catalog: Catalog) -> None:
    written = (RULES / "coverage.md").read_text(encoding="utf-8")

    assert page(read_clauses(RULES / "clauses.yaml"), covered(), catalog) == written, (
        "run manage.py scenarios ccg/scenarios --coverage --write"
    )
    for card in catalog:
        assert not card.abilities or f"**{card.id}** {card.name}\n\n- " in written, card.id


def test_the_data_of_the_coverage_are_current_and_are_what_the_page_shows(catalog: Catalog) -> None:
    proofs = read_proofs(RULES / "coverage.json")
    told = covered()

    assert data(told) == data(proofs), "run manage.py scenarios ccg/scenarios --coverage --write"
    assert page(read_clauses(RULES / "clauses.yaml"), proofs, catalog) == page(
        read_clauses(RULES / "clauses.yaml"), told, catalog
    )


def test_a_proof_is_a_scenario_with_its_file_or_a_test() -> None:
    story = msgspec.structs.replace(read(CARDS)[0], path=Path("/home/x/ccg/scenarios/a.yaml"), name="A: b (`c`)")
    clause = Clause("X-1", "X", "A rule.", shown_by=["tests/test_x.py::test_y"])
    found = coverage([clause], [], [msgspec.structs.replace(story, rules=["X-1"])])

    assert found.clauses == {"X-1": [Proof("A: b (`c`)", "ccg/scenarios/a.yaml"), Proof("tests/test_x.py::test_y")]}


def test_every_clause_and_ruling_is_shown_and_scenarios_name_no_others() -> None:
    found = covered()
    assert found.missing == []
    assert found.unknown == []
    numbers = [int(ruling.removeprefix("ruling-")) for ruling in found.rulings]
    assert sorted(numbers) == list(range(1, max(numbers) + 1))
    assert len(set(numbers)) == len(numbers)


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
