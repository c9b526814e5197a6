"""What can be done with decks, and by whom."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest
from django.contrib.auth.models import AnonymousUser

from decks import formats, judging, services, starter_decks, table_decks
from decks.lists import textlist
from decks.models import Deck, DeckVersion, Format, FormatEdition
from decks.services import DeckError, UndecidedError
from decks.table_decks import NotLegal

RAPTORS = "Base: Galactica\n4 Raptor 227\n"


@pytest.fixture(autouse=True)
def _cards(all_cards: None) -> None:
    """All of it needs cards."""


def test_a_pasted_list_becomes_a_deck_with_a_first_version(alice: Any, legal_list: str) -> None:
    deck = services.create_from_text(alice, legal_list)

    version = deck.head
    assert version
    assert (deck.name, deck.format_id, deck.visibility) == ("Viper Wing", "standard-2006", "private")
    assert (version.number, version.parent, version.size, version.base) == (1, None, 60, "BSG1-002")
    assert version.legal
    assert version.problems == []
    assert (version.checked_with, version.checked_at is not None) == (1, True)


def test_a_deck_that_is_not_legal_is_stored_with_its_problems(alice: Any) -> None:
    deck = services.create_from_text(alice, RAPTORS, name="  Scouts\n")

    assert deck.name == "Scouts"
    assert deck.head
    assert not deck.head.legal
    assert [problem["code"] for problem in deck.head.problems] == ["too_few_cards"]


def test_a_deck_without_a_name_gets_one(alice: Any) -> None:
    assert services.create_from_text(alice, RAPTORS).name == services.UNNAMED


@pytest.mark.parametrize("text", ["4 Starbuck", "4 Nobody Known", "0 Stims", "4 Raptor 227 (BSG1) 163"])
def test_nothing_is_stored_while_a_line_is_not_clear(alice: Any, text: str) -> None:
    with pytest.raises(UndecidedError) as error:
        services.create_from_text(alice, f"{RAPTORS}{text}")

    assert [line.number for line in error.value.lines] == [3]
    assert not Deck.objects.exists()


def test_picks_make_a_line_clear(alice: Any) -> None:
    deck = services.create_from_text(alice, f"{RAPTORS}4 Starbuck\n4 Nobody Known", picks={3: "BSG1-136", 4: "-"})

    assert deck.head
    assert deck.head.counts == {"BSG1-164": 4, "BSG1-136": 4}


@pytest.mark.parametrize("text", ["", "// nothing", "# Only a name", "Base: Galactica\nBase: Celestra\n4 Stims"])
def test_lists_that_cannot_be_a_deck_are_refused(alice: Any, text: str) -> None:
    with pytest.raises(DeckError):
        services.create_from_text(alice, text)

    assert not Deck.objects.exists()


def test_a_list_that_is_too_long_is_refused(alice: Any) -> None:
    with pytest.raises(textlist.TextTooLongError):
        services.create_from_text(alice, "4 Stims\n" * 600)


def test_there_is_a_limit_to_decks(alice: Any, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "MAX_DECKS", 1)
    services.create_from_text(alice, RAPTORS)

    with pytest.raises(DeckError, match="most there can be"):
        services.create_from_text(alice, RAPTORS)


def test_a_changed_list_is_a_new_version_and_the_old_one_stays(deck: Deck, legal_list: str) -> None:
    first = deck.head
    assert first

    second = services.new_version(deck, legal_list.replace("3 CAG", "4 CAG"), note=" one\x00more  ")

    assert (second.number, second.parent, second.note) == (2, first, "one more")
    assert deck.head == second
    assert DeckVersion.objects.get(pk=first.pk).counts == first.counts
    assert second.content_hash != first.content_hash


def test_the_same_list_again_is_no_new_version(deck: Deck, legal_list: str) -> None:
    again = services.new_version(deck, services.as_text(deck, deck.head))  # type: ignore[arg-type]

    assert again.number == 1
    assert deck.versions.count() == 1


def test_tags_and_considered_cards_are_part_of_a_version_but_not_of_its_hash(deck: Deck, legal_list: str) -> None:
    tagged = services.new_version(deck, legal_list.replace("3 CAG", "3 CAG #core") + "\nConsidering\n1 Article 23")

    assert tagged.number == 2
    assert tagged.content_hash == deck.versions.get(number=1).content_hash
    assert list(tagged.tags.values()) == [["core"]]
    assert services.new_version(deck, services.as_text(deck, tagged)).number == 2


def test_a_new_list_may_bring_a_new_name(deck: Deck, legal_list: str) -> None:
    services.new_version(deck, legal_list.replace("# Viper Wing", "# Viper Wing Two"))

    deck.refresh_from_db()
    assert (deck.name, deck.versions.count()) == ("Viper Wing Two", 1)


def test_there_is_a_limit_to_versions(deck: Deck, legal_list: str, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "MAX_VERSIONS", 1)

    with pytest.raises(DeckError, match="1 versions at most"):
        services.new_version(deck, legal_list.replace("3 CAG", "4 CAG"))


def test_renaming_and_visibility(deck: Deck) -> None:
    services.rename(deck, "  New\tname ")
    services.set_visibility(deck, "public")
    deck.refresh_from_db()
    assert (deck.name, deck.visibility) == ("New name", "public")

    with pytest.raises(DeckError):
        services.rename(deck, " \x00 ")
    with pytest.raises(DeckError):
        services.set_visibility(deck, "everybody")


def test_the_owner_takes_a_legal_deck_to_a_table(deck: Deck, alice: Any) -> None:
    taken = table_decks.take_to_table(alice, deck.uid)

    assert deck.head
    assert (taken.base, len(taken.cards), taken.label) == ("BSG1-002", 60, "Viper Wing")
    assert taken.version == deck.head.content_hash
    assert {card: taken.cards.count(card) for card in taken.cards} == deck.head.counts


def test_nobody_takes_a_deck_that_is_not_legal(alice: Any) -> None:
    deck = services.create_from_text(alice, RAPTORS)

    with pytest.raises(NotLegal) as error:
        table_decks.take_to_table(alice, deck.uid)

    assert [problem.code for problem in error.value.problems] == ["too_few_cards"]
    assert "[[" not in str(error.value)


def test_legality_is_asked_at_the_table_and_not_looked_up(deck: Deck, alice: Any) -> None:
    DeckVersion.objects.filter(deck=deck).update(legal=False, problems=[])
    assert table_decks.take_to_table(alice, deck.uid)

    FormatEdition.objects.create(format=deck.format, starts=date(2010, 1, 1), sets=["BSG1"], banned=["BSG1-061"])
    DeckVersion.objects.filter(deck=deck).update(legal=True)
    with pytest.raises(NotLegal):
        table_decks.take_to_table(alice, deck.uid)


@pytest.mark.parametrize(
    ("visibility", "seen", "played"), [("private", False, False), ("unlisted", False, False), ("public", True, True)]
)
def test_what_others_may_do(deck: Deck, bob: Any, visibility: str, seen: bool, played: bool) -> None:
    services.set_visibility(deck, visibility)

    for other in (bob, AnonymousUser()):
        assert _works(services.visible, other, deck.uid) == seen
        assert _works(table_decks.take_to_table, other, deck.uid) == played
        assert not _works(services.own, other, deck.uid)


def test_the_owner_may_do_everything(deck: Deck, alice: Any) -> None:
    assert services.visible(alice, deck.uid) == services.own(alice, deck.uid) == deck
    assert table_decks.may_play(alice, deck)


def test_everybody_and_the_computer_may_play_starter_decks(alice: Any) -> None:
    starter = starter_decks.load_starters()[0]

    for who in (alice, AnonymousUser(), None):
        assert table_decks.take_to_table(who, starter.uid).label == starter.name


def test_a_deck_that_is_not_there_is_not_there(alice: Any) -> None:
    for ref in ("", "nothing", "x" * 500, "\x00", "\ud800", "A\n", "٣" * 22):
        assert not _works(table_decks.take_to_table, alice, ref)


def test_a_format_changes_with_its_editions(deck: Deck) -> None:
    said = services.as_list(deck, deck.head)  # type: ignore[arg-type]
    FormatEdition.objects.create(format=deck.format, starts=date(2030, 1, 1), ends=date(2031, 1, 1), sets=["BSG2"])

    assert judging.check_list(said, date(2029, 12, 31)) == []
    assert {problem.code for problem in judging.check_list(said, date(2030, 1, 1))} == {
        "base_not_in_format",
        "not_in_format",
    }
    assert judging.check_list(said, date(2031, 1, 1)) == []
    early = judging.check_list(said, date(2005, 1, 1))
    assert [problem.code for problem in early] == ["format_not_in_force"]


def test_a_format_without_editions_allows_nothing(alice: Any, legal_list: str) -> None:
    Format.objects.create(code="empty", name="Empty")

    deck = services.create_from_text(alice, legal_list.replace("standard-2006", "empty"))

    assert deck.head
    assert not deck.head.legal


def test_reprints_count_for_their_set(deck: Deck) -> None:
    Format.objects.create(code="limited", name="Limited")
    FormatEdition.objects.create(format_id="limited", starts=date(2006, 1, 1), sets=["BSG1L"])

    rules = formats.rules_of("limited", services.cards_data.data())

    assert rules.allows(services.cards_data.current()["BSG1-136"])
    assert not rules.allows(services.cards_data.current()["BSG1-164"])


def test_the_standard_format_comes_with_the_migration_and_comes_back() -> None:
    assert Format.objects.get().code == formats.STANDARD
    Format.objects.all().delete()

    assert formats.standard().editions.get().sets == list(formats.STANDARD_SETS)


def _works(verb: Any, user: Any, ref: str) -> bool:
    try:
        verb(user, ref)
    except Deck.DoesNotExist:
        return False
    return True
