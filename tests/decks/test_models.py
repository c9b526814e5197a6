"""Versions of decks never change, whatever is tried on them."""

from __future__ import annotations

import importlib
from datetime import date
from types import SimpleNamespace
from typing import Any

import pytest
from django.apps import apps
from django.core.exceptions import ValidationError
from django.db import IntegrityError, connection, transaction
from django.utils import timezone

from ccg.rules.cards.definitions import fold
from decks import formats, services
from decks.models import Deck, DeckVersion, FormatEdition, ImmutableVersionError, content_hash


def test_a_version_cannot_be_saved_again(deck: Deck) -> None:
    head = deck.head
    assert head
    head.counts = {"BSG1-164": 4}

    with pytest.raises(ImmutableVersionError):
        head.save()
    with pytest.raises(ImmutableVersionError):
        DeckVersion.objects.get(pk=head.pk).save(update_fields=["note"])

    assert DeckVersion.objects.get(pk=head.pk).size == 60


@pytest.mark.parametrize(
    "change",
    [{"counts": {}}, {"base": "BSG1-007"}, {"note": "x", "legal": True}, {"number": 9}, {"content_hash": ""}],
)
def test_nor_by_a_query(deck: Deck, change: dict[str, Any]) -> None:
    with pytest.raises(ImmutableVersionError):
        DeckVersion.objects.filter(deck=deck).update(**change)
    with pytest.raises(ImmutableVersionError):
        deck.versions.update(**change)


def test_nor_in_bulk(deck: Deck) -> None:
    head = deck.head
    assert head
    head.base = "BSG1-007"

    with pytest.raises(ImmutableVersionError), transaction.atomic():
        DeckVersion.objects.bulk_update([head], ["base"])
    with pytest.raises(ImmutableVersionError):
        DeckVersion.objects.bulk_create(
            [head], update_conflicts=True, update_fields=["base"], unique_fields=["deck", "number"]
        )
    with pytest.raises(ImmutableVersionError), transaction.atomic():
        DeckVersion.objects.update_or_create(deck=deck, number=1, defaults={"base": "BSG1-007"})


def test_nor_be_taken_away_from_its_deck(deck: Deck) -> None:
    assert deck.head
    with pytest.raises(ImmutableVersionError):
        deck.head.delete()
    with pytest.raises(ImmutableVersionError):
        deck.versions.all().delete()


def test_what_legality_said_is_only_a_cache_and_may_change(deck: Deck) -> None:
    assert deck.versions.update(legal=False, problems=[], checked_at=timezone.now(), checked_with=0) == 1


def test_versions_go_with_their_deck(deck: Deck, legal_list: str) -> None:
    services.new_version(deck, legal_list.replace("3 CAG", "4 CAG"))

    services.delete(deck)

    assert not DeckVersion.objects.exists()


def test_and_with_the_account_of_its_owner(deck: Deck, alice: Any) -> None:
    alice.delete()

    assert not Deck.objects.exists()


def test_the_hash_is_that_of_base_and_counts_in_any_order() -> None:
    assert content_hash("A-1", {"A-2": 1, "A-3": 2}) == content_hash("A-1", {"A-3": 2, "A-2": 1})
    hashes = {content_hash("A-1", {"A-2": 1}), content_hash("A-1", {"A-2": 2}), content_hash("A-2", {"A-2": 1})}
    assert len(hashes) == 3


def test_addresses_of_decks_cannot_be_guessed() -> None:
    uids = {Deck().uid for _ in range(1000)}

    assert len(uids) == 1000
    assert {len(uid) for uid in uids} == {22}


@pytest.mark.django_db
def test_a_deck_is_somebodys_or_a_starter_deck(alice: Any) -> None:
    standard = formats.standard()
    for wrong in ({"owner": None, "starter": None}, {"owner": alice, "starter": "x"}):
        with pytest.raises(IntegrityError), transaction.atomic():
            Deck.objects.create(name="x", format=standard, **wrong)


@pytest.mark.django_db
@pytest.mark.parametrize(
    "wrong",
    [{"sets": "BSG1"}, {"sets": [1]}, {"banned": {}}, {"copies_of": {"A-1": "two"}}, {"ends": date(2005, 1, 1)}],
)
def test_an_edition_with_nonsense_in_it_is_refused(wrong: dict[str, Any]) -> None:
    edition = FormatEdition(format=formats.standard(), starts=date(2007, 1, 1), sets=["BSG1"])
    edition.full_clean()
    for name, value in wrong.items():
        setattr(edition, name, value)

    with pytest.raises(ValidationError) as error:
        edition.full_clean()
    assert set(error.value.message_dict) == set(wrong)


@pytest.mark.django_db
@pytest.mark.parametrize(
    ("migration", "name", "before", "after"),
    [
        ("0013_initials", "B.S.G. Raiders", "b s g raiders", "bsg raiders"),
        ("0015_folded_alike", "D´Anna in der Straße", "d anna in der strae", "danna in der strasse"),
        ("0023_folded_dashes", "Galactica–75 Rush", "galactica75 rush", "galactica 75 rush"),
        ("0023_folded_dashes", "Galactica\ufe5875 Rush", "galactica75 rush", "galactica 75 rush"),
    ],
)
def test_names_that_were_folded_in_another_way_are_folded_anew(
    migration: str, name: str, before: str, after: str, alice: Any
) -> None:
    deck = Deck.objects.create(name=name, owner=alice, format=formats.standard())
    Deck.objects.filter(pk=deck.pk).update(folded=before)

    importlib.import_module(f"decks.migrations.{migration}").fold_names(apps, SimpleNamespace(connection=connection))

    deck.refresh_from_db()
    assert deck.folded == after == fold(name.upper())
