"""The reference of the ability language and the schema of card files: current, true, and shown on the site."""

from __future__ import annotations

import json
import re
from collections.abc import Iterator
from io import BytesIO
from pathlib import Path
from typing import Any
from zipfile import ZipFile

import pytest
import yaml
from django.core.management import CommandError, call_command
from django.test import Client
from jsonschema import Draft202012Validator

from cards_data.imports import import_sets
from cards_data.management.commands import ability_language
from cards_data.management.commands.ability_language import DOCS, PAGE, SCHEMA, TUTORIAL, stale
from ccg.rules import Catalog
from ccg.rules.authoring.card_files import SETS, read_sets, set_folders
from ccg.rules.authoring.reference import examples, grammar, keys, verbs
from ccg.rules.cards.definitions import CardDef
from ccg.rules.cards.phrases import READERS
from ccg.rules.cards.schema import Ability
from ccg.rules.effects.compiling import compile_card
from ccg.rules.effects.language import WORDS
from ccg.rules.scenario import find_files, read_scenarios
from ccg.rules.telling.wording import ability_text, plain
from tests.at_length import in_ci

EXAMPLE = re.compile(
    r"```yaml\n(- [\s\S]*?)\n```\n\n> (.*) \((?:\[.*\]\(card:([\w-]+)\)|(.*), in \[the tutorial\]\(.*\))\)"
)
ALL_SETS = [*set_folders(SETS), TUTORIAL]


@pytest.fixture(scope="module")
def catalog() -> Catalog:
    return Catalog(card for one in read_sets(ALL_SETS) for card in one.cards)


@pytest.fixture(scope="module")
def page() -> str:
    return PAGE.read_text(encoding="utf-8")


def shown(page: str, catalog: Catalog) -> Iterator[tuple[str, str, CardDef]]:
    """The examples of the page: YAML, words, and the card."""
    for text, words, card_id, name in EXAMPLE.findall(page):
        yield text, words, catalog[card_id] if card_id else next(card for card in catalog if card.name == name)


# ---------------------------------------------------------------- the page


def test_what_is_generated_is_current() -> None:
    assert stale() == [], "run manage.py ability_language"


def test_what_is_not_current_is_found_and_written(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    for name in ("PAGE", "SCHEMA"):
        copy = tmp_path / getattr(ability_language, name).name
        copy.write_text(getattr(ability_language, name).read_text())
        monkeypatch.setattr(ability_language, name, copy)
    page = ability_language.PAGE
    page.write_text(page.read_text().replace("Reserve cards go", "Cards go"))

    with pytest.raises(CommandError, match=r"ability-language\.md would change"):
        call_command("ability_language", "--check")
    call_command("ability_language", verbosity=0)
    assert page.read_text() == PAGE.read_text()


def test_every_verb_form_and_key_is_told_with_an_example(page: str) -> None:
    headings = set(re.findall(r"^### (?:.*: )?`(.*)`$", page, re.MULTILINE))
    companions = set(re.findall(r"^- `(.*?)`: .* Takes ", page, re.MULTILINE))
    for key in keys(Ability):
        assert key.meaning
        assert key.takes
        assert key.yaml_name in (headings if "form" in key.extra else companions), key.name
    for entry in verbs():
        assert entry.meaning
        assert entry.takes
        assert entry.word.verb in headings
        assert companions.issuperset(entry.keys), entry.word.verb


def test_every_form_of_a_phrase_is_told_with_a_phrase_that_has_it(page: str) -> None:
    known = {form for example in examples(ALL_SETS) for kind, form in example.uses if kind == "phrase"}
    forms = [form for rules in grammar().values() for form in rules]
    assert len(forms) > 80
    for form in forms:
        assert f"- `{form.words}`: {form.meaning}." in page
        assert form.names & known or form.words == "you", form.words


def test_the_grammar_has_no_form_that_says_nothing() -> None:
    for rule in ("quantity", "suffix", "amount", "players", "occasion", "condition", "ADJECTIVE", "PRONOUN"):
        assert grammar()[rule]
        assert all(form.meaning for form in grammar()[rule])


def test_each_example_is_an_ability_of_its_card_and_says_what_is_shown(page: str, catalog: Catalog) -> None:
    found = list(shown(page, catalog))
    assert len(found) == page.count("```yaml\n- ") > 60
    for text, words, card in found:
        [raw] = yaml.safe_load(text)
        ability = next(a for a in card.abilities if plain(ability_text(card, a).text) == words)
        assert raw.keys() == {
            key.yaml_name for key in keys(Ability) if getattr(ability, key.name) not in (None, [], False)
        }
        compile_card(card)


def test_each_example_is_on_a_card_with_scenarios(page: str, catalog: Catalog) -> None:
    folders = [DOCS.parent / "ccg" / "scenarios", TUTORIAL / "scenarios"]
    proven = {card for path in find_files(folders) for scenario in read_scenarios(path) for card in scenario.cards}
    assert {card.id for _, _, card in shown(page, catalog)} <= proven
    assert set(re.findall(r"\(card:([\w-]+)\)", page)) <= proven


# ---------------------------------------------------------------- the schema


@pytest.fixture(scope="module")
def validator() -> Draft202012Validator:
    schema = json.loads(SCHEMA.read_text(encoding="utf-8"))
    Draft202012Validator.check_schema(schema)
    return Draft202012Validator(schema)


@pytest.mark.parametrize(
    "path",
    [path for folder in ALL_SETS for path in sorted(folder.glob("*.yaml"))],
    ids=lambda p: f"{p.parent.name}/{p.stem}",
)
def test_our_files_are_what_the_schema_says(validator: Draft202012Validator, path: Path) -> None:
    assert [error.message for error in validator.iter_errors(yaml.safe_load(path.read_text()))] == []


def test_a_whole_set_in_one_file_is_what_the_schema_says(validator: Draft202012Validator) -> None:
    head, cards = (yaml.safe_load((TUTORIAL / name).read_text()) for name in ("set.yaml", "ships.yaml"))
    assert validator.is_valid({"set": head, "cards": cards})
    assert not validator.is_valid({"set": head, "cards": cards, "more": 1})
    assert not validator.is_valid({"cards": cards})


SHIP: dict[str, Any] = {
    "number": 1, "subtitle": "Test Ship", "type": "ship", "rarity": "common", "cost": {}, "power": 1, "threat": 1,
    "mystic": 1, "produces": "security",
}  # fmt: skip


@pytest.mark.parametrize(
    "wrong",
    [
        {"powr": 1},
        {"power": None},
        {"power": 100},
        {"produces": "money"},
        {"traits": ["pilot"]},
        {"keywords": ["expedite"]},
        {"keywords": [{"link": "base"}]},
        {"abilities": [{"cost": "commit", "do": [{"exhuast": "this"}]}]},
        {"abilities": [{"do": [{"look": 11}]}]},
        {"abilities": [{"do": [{"put": "target ship", "into": "the sun"}]}]},
        {"abilities": [{"do": [{"choose one": [{"draw": 1}]}]}]},
        {"reprint_of": "BSG1-001"},
    ],
    ids=str,
)
def test_the_schema_refuses(validator: Draft202012Validator, wrong: dict[str, Any]) -> None:
    assert validator.is_valid([SHIP])
    assert not validator.is_valid([SHIP | wrong])


@pytest.mark.parametrize("missing", ["number", "type", "rarity", "cost", "power", "mystic", "produces"])
def test_the_schema_misses(validator: Draft202012Validator, missing: str) -> None:
    assert not validator.is_valid([{key: value for key, value in SHIP.items() if key != missing}])


def test_the_schema_explains_every_key_of_an_ability() -> None:
    parts = json.loads(SCHEMA.read_text(encoding="utf-8"))["$defs"]
    words = [step["$ref"].rpartition("/")[2] for step in parts["Step"]["anyOf"]]
    assert len(words) == len(WORDS)
    for record in (*words, "Ability"):
        assert all(said.get("description") for said in parts[record]["properties"].values()), record


def test_every_phrase_of_the_schema_has_a_reader() -> None:
    assert {"selector", "players", "amount", "occasion", "condition"} <= READERS.keys()


# ---------------------------------------------------------------- the site


@pytest.mark.django_db
@pytest.mark.parametrize("slug", [in_ci("make-a-card-set"), in_ci("ability-language"), "card-files", "scenarios"])
def test_the_pages_are_on_the_site_and_lead_nowhere_that_is_not_there(
    all_cards: None, client: Client, slug: str
) -> None:
    text = client.get(f"/docs/{slug}/").content.decode()
    body = text.partition("<main")[2].partition("</main>")[0]
    assert "<h1>" in body
    for address in sorted(set(re.findall(r'href="(/[^"#]*)', body))):
        assert client.get(address).status_code == 200, address
    for anchor in set(re.findall(r'href="#([^"]*)"', body)):
        assert f'id="{anchor}"' in body, anchor
    for card in set(re.findall(r'data-card="([^"]+)"', body)):
        assert f'href="/cards/{card}/"' in body


@pytest.mark.django_db
def test_cards_and_rules_lead_there(all_cards: None, client: Client) -> None:
    assert 'href="/docs/ability-language/"' in client.get("/rules/").content.decode()
    assert 'href="/docs/ability-language/"' in client.get("/sets/").content.decode()
    assert 'href="/docs/make-a-card-set/"' in client.get("/").content.decode()


def test_the_schema_is_published_for_editors_anywhere(client: Client) -> None:
    answer = client.get("/schema/card-set.json")
    assert answer.content == SCHEMA.read_bytes()
    assert answer["Content-Type"] == "application/schema+json"
    assert answer["Access-Control-Allow-Origin"] == "*"


@pytest.mark.django_db
def test_the_tutorials_set_can_be_taken_away_and_imported(all_cards: None, client: Client, tmp_path: Path) -> None:
    answer = client.get("/docs/make-a-card-set/salvage-rights.zip")
    ZipFile(BytesIO(answer.content)).extractall(tmp_path)
    assert len(import_sets([tmp_path / "salvage-rights"]).changes.new) == 22
    assert (tmp_path / "salvage-rights" / "scenarios").is_dir()
