"""The decks that come with the site are legal, can be paid for, and can do what they are about."""

from __future__ import annotations

import html
import itertools
import re
from collections import Counter
from pathlib import Path

import pytest
from django.core.management import CommandError, call_command
from django.test import Client

from ccg.rules.cards.definitions import RESOURCES, CardDef, Requirement
from decks import starter_decks
from decks.lists import listing, textlist
from decks.lists.deck_list import DeckList
from decks.lists.starter_notes import notes
from decks.lists.stats import stats
from decks.models import Deck
from decks.services import DeckError
from tests.decks.own_names import own_names
from tests.reading import own_cards

FILES = sorted(starter_decks.STARTERS.glob("*.txt"))
CATALOG = own_cards()
NAMES = own_names()
READINGS = {file.stem: textlist.read(file.read_text(encoding="utf-8"), NAMES, ["standard-2006"]) for file in FILES}
LISTS = {stem: reading.deck for stem, reading in READINGS.items()}

every_starter = pytest.mark.parametrize("deck", LISTS.values(), ids=LISTS)


def resources(deck: DeckList) -> set[str]:
    return {CATALOG[card].produces or "" for card in [*deck.counts, *deck.bases]} - {""}


def copies(deck: DeckList) -> list[CardDef]:
    return [CATALOG[card] for card, n in deck.counts.items() for _ in range(n)]


def test_there_are_two_for_each_pair_of_resources_with_a_base_of_its_own() -> None:
    pairs = Counter(tuple(sorted(resources(deck))) for deck in LISTS.values())

    assert pairs == dict.fromkeys(itertools.combinations(sorted(RESOURCES), 2), 2)
    assert len({deck.bases[0] for deck in LISTS.values()}) == len(LISTS)
    assert len({deck.name for deck in LISTS.values()}) == len(LISTS)


@pytest.mark.parametrize("reading", READINGS.values(), ids=READINGS)
def test_their_lists_are_written_as_the_program_writes_them(reading: textlist.Reading) -> None:
    assert not [line for line in reading.lines if line.notes]
    file = starter_decks.STARTERS / f"{next(stem for stem, one in READINGS.items() if one is reading)}.txt"
    assert listing.write(reading.deck, NAMES) == file.read_text(encoding="utf-8")


@every_starter
def test_they_have_sixty_cards_of_the_usual_kinds(deck: DeckList) -> None:
    kinds = Counter(card.type for card in copies(deck))

    assert sum(kinds.values()) == 60
    assert 18 <= kinds["personnel"] <= 24
    assert 16 <= kinds["ship"] <= 20
    assert 10 <= kinds["mission"] <= 14
    assert 8 <= kinds["event"] <= 12


@every_starter
def test_they_make_what_they_cost(deck: DeckList) -> None:
    told = stats(deck.bases[0], deck.counts, CATALOG)

    assert len(told.balance) == 2
    for one in told.balance:
        assert abs(one.makes_share - one.cost_share) < 0.12
        assert one.makers >= 15
    assert all(card.produces for card in copies(deck) if card.is_unit)


@every_starter
def test_there_is_something_to_do_in_the_first_turns(deck: DeckList) -> None:
    cheap = Counter(sum(card.cost) for card in copies(deck) if card.is_unit)

    assert cheap[2] >= 10
    assert cheap[2] + cheap[3] >= 24
    assert sum(n for cost, n in cheap.items() if cost >= 5) <= 6


@every_starter
def test_every_mission_can_be_resolved_with_what_is_in_the_deck(deck: DeckList) -> None:
    units = [card for card in copies(deck) if card.is_unit]
    for mission in (CATALOG[card] for card in deck.counts if CATALOG[card].type == "mission"):
        for requirement, needed in Counter(mission.requires).items():
            found = [unit for unit in units if meets(unit, requirement)]
            assert len(found) >= 3 + 2 * needed, f"{mission.name}: {requirement}"
            # Singular units of one title lie on top of each other, and then count once.
            assert len({unit.title if unit.singular else i for i, unit in enumerate(found)}) >= 2 * needed


@every_starter
def test_cards_about_pilots_have_pilots(deck: DeckList) -> None:
    names = {card.name for card in copies(deck)}
    pilots = sum("Pilot" in card.traits for card in copies(deck))

    assert pilots >= 8 or not names & {"Stims", "Stern Leadership", "Beyond Insane"}


def meets(unit: CardDef, requirement: Requirement) -> bool:
    return (not requirement.trait or requirement.trait in unit.traits) and requirement.type in ("", unit.type)


def test_each_says_how_it_is_played() -> None:
    assert notes().keys() == LISTS.keys()
    assert all(len(note.style) <= 100 for note in notes().values())
    assert {note.difficulty for note in notes().values()} == {"easy", "medium", "hard"}


def test_who_chooses_a_deck_reads_style_and_difficulty(starters: None, client: Client) -> None:
    page = html.unescape(client.get("/play/").content.decode())

    for stem, note in notes().items():
        assert note.style in page, stem
    assert page.count("easy to play") == 2


def test_loading_them_twice_changes_nothing(all_cards: None) -> None:
    call_command("starter_decks", verbosity=0)
    before = list(Deck.objects.starters().values_list("uid", "head_id", "name"))

    call_command("starter_decks", verbosity=0)

    assert list(Deck.objects.starters().values_list("uid", "head_id", "name")) == before
    assert len(before) == len(FILES) == 6
    assert all(deck.head and deck.head.legal for deck in Deck.objects.starters())


def test_a_changed_list_is_a_new_version_and_a_lost_one_is_taken_away(all_cards: None, tmp_path: Path) -> None:
    for file in FILES[:2]:
        (tmp_path / file.name).write_text(file.read_text(encoding="utf-8"), encoding="utf-8")
    first, second = starter_decks.load_starters(tmp_path)
    changed = (tmp_path / FILES[0].name).read_text(encoding="utf-8")
    (tmp_path / FILES[0].name).write_text(re.sub(r"\n3 ", "\n4 ", changed, count=1), encoding="utf-8")
    (tmp_path / FILES[1].name).unlink()

    (again,) = starter_decks.load_starters(tmp_path)

    assert (again.pk, again.head and again.head.number) == (first.pk, 2)
    assert not Deck.objects.filter(pk=second.pk).exists()


@pytest.mark.parametrize("text", ["Base: Galactica\n4 Stims\n", "4 Starbuck\n", "\n" * 600])
def test_a_list_that_is_not_legal_names_its_file_and_changes_nothing(
    all_cards: None, tmp_path: Path, text: str
) -> None:
    (tmp_path / "good.txt").write_text(FILES[0].read_text(encoding="utf-8"), encoding="utf-8")
    (tmp_path / "wrong.txt").write_text(text, encoding="utf-8")

    with pytest.raises(DeckError, match=r"wrong\.txt"):
        starter_decks.load_starters(tmp_path)
    with pytest.raises(CommandError):
        call_command("starter_decks", str(tmp_path))

    assert not Deck.objects.exists()
