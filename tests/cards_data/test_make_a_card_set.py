"""The set of docs/make-a-card-set: imported by file alone, it plays as its own scenarios say; its tutorial is true."""

from __future__ import annotations

import re
import shutil
from io import StringIO
from pathlib import Path

import pytest
import yaml
from django.core.management import call_command

from cards_data import catalog
from cards_data.imports import import_sets
from ccg.rules.authoring.card_files import CardFileError, CardSet, read_sets, set_folders
from ccg.rules.scenario import find_files, read_scenarios
from ccg.rules.scenario.__main__ import run_files
from ccg.rules.telling.wording import card_text, plain
from tests.reading import own_cards, own_sets

TUTORIAL = Path(__file__).resolve().parents[2] / "docs" / "make-a-card-set"
FOLDER = TUTORIAL / "salvage-rights"
SCENARIOS = FOLDER / "scenarios"


@pytest.fixture(scope="module")
def built_in() -> list[CardSet]:
    return list(own_sets())


@pytest.fixture(scope="module")
def salvage(built_in: list[CardSet]) -> CardSet:
    return read_sets([FOLDER], built_in)[0]


@pytest.mark.django_db
def test_imported_by_file_alone_it_plays_as_its_scenarios_say(all_cards: None) -> None:
    done = import_sets([FOLDER])

    assert len(done.changes.new) == 22
    assert done.changes.gone == done.changes.changed == ()
    passed, failures = run_files([SCENARIOS], catalog.current())
    assert not failures
    assert passed == sum(1 for path in find_files([SCENARIOS]) for _ in read_scenarios(path)) >= 22


def test_it_is_no_part_of_the_built_in_sets(salvage: CardSet) -> None:
    assert not {card.id for card in salvage.cards} & {card.id for card in own_cards()}


def test_scenarios_and_texts_beside_the_cards_are_not_read_as_cards(salvage: CardSet) -> None:
    assert set_folders(TUTORIAL) == [FOLDER]
    assert len(salvage.cards) == 22


def test_it_has_cards_of_every_type_and_form(salvage: CardSet) -> None:
    assert {card.type for card in salvage.cards} == {"base", "personnel", "ship", "event", "mission"}
    assert {word for card in salvage.cards for word in card.keywords} >= {"persistent", "link", "expedite"}
    abilities = [ability for card in salvage.cards for ability in card.abilities]
    for form in ("cost", "when", "instead_of", "always", "red", "counts_as"):
        assert any(getattr(ability, form) for ability in abilities), form


def test_its_abilities_are_on_no_other_card(salvage: CardSet, built_in: list[CardSet]) -> None:
    known = {repr(ability) for one in built_in for card in one.cards for ability in card.abilities}
    for card in salvage.cards:
        assert not {repr(ability) for ability in card.abilities} & known, card.name


def test_each_of_its_cards_with_an_ability_has_a_scenario(salvage: CardSet) -> None:
    shown = {card for path in find_files([SCENARIOS]) for one in read_scenarios(path) for card in one.cards}
    assert shown == {card.id for card in salvage.cards if card.abilities}


def test_the_command_runs_the_scenarios_of_a_set_folder_with_its_cards() -> None:
    out = StringIO()
    call_command("scenarios", FOLDER, stdout=out)
    assert out.getvalue().endswith("36 passed, 0 failed\n")


# ---------------------------------------------------------------- the tutorial

README = (TUTORIAL / "README.md").read_text(encoding="utf-8")
BLOCKS = re.findall(r"^```yaml\n(.*?)^```$", README, re.MULTILINE | re.DOTALL)
TOLD = re.findall(r"^```yaml\n(- number: [^`]*)^```\n\n((?:>[^\n]*\n)*)", README, re.MULTILINE)


def test_every_block_of_the_tutorial_stands_in_a_file_of_the_set() -> None:
    files = [path.read_text(encoding="utf-8") for path in FOLDER.rglob("*.yaml")]
    parts = [
        part.strip("\n") for text in files for part in re.split(r"\n(?=- number: )|^---\n", text, flags=re.MULTILINE)
    ]
    assert len(BLOCKS) >= 15
    for block in BLOCKS:
        assert block.strip("\n") in parts, block


def test_the_words_below_each_card_are_those_on_the_card(salvage: CardSet) -> None:
    cards = {int(card.id.partition("-")[2]): card for card in salvage.cards}
    assert len(TOLD) >= 12
    for block, words in TOLD:
        [entry] = yaml.safe_load(block)
        said = [plain(p.text) for p in card_text(cards[entry["number"]]) if p.kind in ("text", "red")]
        assert [line.removeprefix("> ") for line in words.splitlines() if line != ">"] == said


def test_the_tutorial_shows_every_type_of_card(salvage: CardSet) -> None:
    assert {yaml.safe_load(block)[0]["type"] for block, _ in TOLD} == {card.type for card in salvage.cards}


def test_the_mistakes_in_the_tutorial_are_told_as_it_says(built_in: list[CardSet], tmp_path: Path) -> None:
    folder = tmp_path / FOLDER.name
    shutil.copytree(FOLDER, folder)
    path = folder / "personnel.yaml"
    text = path.read_text().replace("exhaust: an alert ship", "exhuast: an alert ship")
    path.write_text(text.replace("under: target asset you", "under: target aset you"))

    with pytest.raises(CardFileError) as told:
        read_sets([folder], built_in)
    assert "```\n" + str(told.value) + "\n```" in README


def test_the_tutorial_counts_right(salvage: CardSet) -> None:
    shown = {yaml.safe_load(block)[0]["number"] for block, _ in TOLD}
    assert "twenty-two cards" in README and len(salvage.cards) == 22
    assert "Nine more cards" in README and len(salvage.cards) - len(shown) == 9
    assert "`36 passed, 0 failed`" in README
    rest = README.partition("## The rest of the set")[2]
    assert all((card.title or card.subtitle) in rest for card in salvage.cards if int(card.id[-2:]) not in shown)


@pytest.mark.django_db
def test_the_dry_run_of_the_tutorial_changes_nothing(all_cards: None) -> None:
    [said] = re.findall(r"^python manage\.py import_set (.*)$", README, re.MULTILINE)
    path, option = said.split()
    out = StringIO()
    call_command("import_set", TUTORIAL.parents[1] / path, option, "--games=0", stdout=out)

    assert "new cards: 22" in out.getvalue()
    assert "nothing was imported" in out.getvalue()
    assert "SALV-01" not in catalog.current()
    assert "`--games 200`" in README
