"""Versions: what is new in one, any two compared, going back, copies that remember where they are from."""

from __future__ import annotations

from datetime import timedelta
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from decks import services
from decks.models import Deck
from tests.shown import queries, words

COMPARE = "/decks/compare/"


@pytest.fixture
def changed(deck: Deck, legal_list: str) -> Deck:
    """The deck with a second version: one CAG more."""
    services.new_version(deck, legal_list.replace("3 CAG", "4 CAG"), note="One more")
    return deck


def test_what_is_new_is_shown_before_it_is_published(deck: Deck, as_alice: Client, legal_list: str) -> None:
    edit = f"{deck.get_absolute_url()}edit/"
    said = words(as_alice.post(edit, {"text": legal_list.replace("3 CAG", "1 CAG"), "do": "check"}))
    assert "Changes from version 1 +0 −2 58 cards in both Missions −2 CAG" in said
    assert "Publish version 2" in said
    assert deck.versions.count() == 1
    assert "The same list" in words(as_alice.post(edit, {"text": legal_list, "do": "check"}))


def test_any_two_versions_are_compared(changed: Deck, as_alice: Client) -> None:
    uid = changed.uid
    there = words(as_alice.get(f"{COMPARE}?from={uid}@1&to={uid}@2"))
    assert "+1 −0 60 cards in both Missions +1 CAG copies: 3 → before, then 4" in there
    assert "“One more”" in there
    assert "+0 −1" in words(as_alice.get(f"{COMPARE}?from={uid}@2&to={uid}@1"))
    assert "The same list" in words(as_alice.get(f"{COMPARE}?from={uid}&to={uid}@2"))
    assert f"{changed.name}, v2: One more" in words(as_alice.get(f"{COMPARE}?from={uid}")), "a choice names its deck"


def test_two_decks_are_compared(starters: None, deck: Deck, as_alice: Client) -> None:
    starter = Deck.objects.starters().exclude(starter="battlestar-viper-wing")[0]
    page = as_alice.get(f"{COMPARE}?from={deck.uid}&address=http://testserver{starter.get_absolute_url()}")
    assert starter.name in words(page)
    assert page.context["difference"].bases
    assert "no-store" in page.headers["Cache-Control"], "one of the two is private"


def test_a_copy_is_told_from_its_parent_by_whose_it_is(deck: Deck, as_bob: Client, bob: Any) -> None:
    services.set_visibility(deck, "public")
    copy = services.fork(bob, deck.head)
    assert copy.name == deck.name
    page = words(as_bob.get(f"{COMPARE}?from={deck.uid}&to={copy.uid}"))
    assert f"{deck.name}, version 1 (by {deck.owner}) to {copy.name}, version 1 (yours)" in page


def test_a_copy_is_offered_what_it_was_copied_from(deck: Deck, as_bob: Client, bob: Any) -> None:
    services.set_visibility(deck, "public")
    copy = services.fork(bob, deck.head)
    offered = dict(as_bob.get(f"{COMPARE}?from={copy.uid}").context["choices"])
    assert [value for value, _ in offered["Copied from Viper Wing (by alice)"]] == [deck.uid, f"{deck.uid}@1"]
    start = as_bob.get(f"/decks/{copy.uid}/edit/").context["start"]
    assert start["published"]["origin"] == {"uid": deck.uid, "name": "Viper Wing", "owner": "alice"}
    services.set_visibility(deck, "private")
    page = as_bob.get(f"{COMPARE}?from={copy.uid}")
    assert "Copied from" not in words(page)
    assert as_bob.get(f"/decks/{copy.uid}/edit/").context["start"]["published"]["origin"] is None


def test_the_page_of_comparisons_offers_what_there_is(starters: None, changed: Deck, as_alice: Client) -> None:
    page = as_alice.get(f"{COMPARE}?from={changed.uid}@2")
    assert "Nothing is compared yet" in words(page)
    assert [heading for heading, _ in page.context["choices"]] == ["Viper Wing (yours)", "Starter decks"]
    assert as_alice.get(COMPARE).status_code == 200


@pytest.mark.parametrize("odd", ["%00", "@1", "x@y", "../..", "@", "{uid}@0", "{uid}@9", f"{{uid}}@{'9' * 40}"])
def test_what_cannot_be_compared_is_not_there(deck: Deck, as_alice: Client, odd: str) -> None:
    wanted = odd.format(uid=deck.uid)
    status = as_alice.get(f"{COMPARE}?from={deck.uid}&to={wanted}").status_code
    assert status == (200 if "@999" in wanted else 404)  # a number that no version can have is none
    assert as_alice.get(f"{COMPARE}?from={deck.uid}&address={wanted}").status_code == 200


def test_the_deck_of_somebody_else_is_not_compared(deck: Deck, as_bob: Client) -> None:
    for query in (f"from={deck.uid}", f"to={deck.uid}", f"address=/decks/{deck.uid}/v1/"):
        assert as_bob.get(f"{COMPARE}?{query}").status_code == 404


def test_comparing_takes_as_many_queries_for_many_versions(changed: Deck, as_alice: Client, legal_list: str) -> None:
    services.create_from_text(changed.owner, legal_list)
    url = f"{COMPARE}?from={changed.uid}@1&to={changed.uid}@2"
    few = queries(as_alice, url)
    for number in range(1, 5):
        services.new_version(changed, legal_list.replace("3 CAG", f"{number} CAG"))
        services.create_from_text(changed.owner, legal_list)
    assert queries(as_alice, url) == few


def test_going_back_makes_a_new_version(changed: Deck, as_alice: Client) -> None:
    first = changed.versions.get(number=1)
    page = words(as_alice.post(f"{changed.get_absolute_url()}v1/revert/", follow=True))
    assert "Version 3 has the list of version 1 again." in page
    changed.refresh_from_db()
    assert changed.head is not None
    assert (changed.head.number, changed.head.content_hash) == (3, first.content_hash)
    assert changed.versions.count() == 3
    assert "the same list as the newest" in words(as_alice.post(f"{changed.get_absolute_url()}v1/revert/", follow=True))


def test_only_the_owner_goes_back(changed: Deck, as_bob: Client, client: Client) -> None:
    services.set_visibility(changed, "public")
    for other in (as_bob, client):
        assert other.post(f"{changed.get_absolute_url()}v1/revert/").status_code == 404
    assert changed.versions.count() == 2


def test_a_copy_says_what_it_is_derived_from(changed: Deck, as_bob: Client, bob: Any) -> None:
    services.set_visibility(changed, "public")
    page = as_bob.post(f"{changed.get_absolute_url()}copy/", follow=True)
    assert "your own copy of Viper Wing" in words(page)
    copy = Deck.objects.get(owner=bob)
    assert (copy.visibility, copy.origin) == ("private", changed.head)
    assert copy.head is not None
    assert copy.head.content_hash == changed.head.content_hash  # type: ignore[union-attr]
    assert "Derived from Viper Wing, version 2 by alice · what is different here" in words(
        as_bob.get(copy.get_absolute_url())
    )


def test_an_older_version_is_copied_as_it_was(changed: Deck, as_alice: Client) -> None:
    as_alice.post(f"{changed.get_absolute_url()}v1/copy/")
    copy = Deck.objects.get(derived=True)
    assert (copy.origin.number, copy.head.size) == (1, 60)  # type: ignore[union-attr]


@pytest.mark.parametrize("gone", [True, False])
def test_an_origin_that_cannot_be_seen_has_no_name(
    deck: Deck, as_bob: Client, bob: Any, alice: Any, gone: bool
) -> None:
    services.set_visibility(deck, "public")
    copy = services.fork(bob, deck.head, "Mine")
    if gone:
        services.delete(deck)
    else:
        services.set_visibility(deck, "private")
    said = words(as_bob.get(copy.get_absolute_url()))
    assert "Derived from A deck that cannot be shown" in said
    assert "Viper Wing" not in said
    assert "alice" not in said


def test_a_visitor_copies_as_a_guest(deck: Deck, client: Client) -> None:
    services.set_visibility(deck, "public")
    url = f"{deck.get_absolute_url()}copy/"
    asked = client.post(url)
    assert "Whose deck is it?" in words(asked)
    assert Deck.objects.count() == 1
    client.post(url, {"do": "save as guest"})
    assert Deck.objects.get(derived=True).owner.is_guest  # type: ignore[union-attr]


def test_a_second_click_makes_no_second_deck(deck: Deck, as_alice: Client, alice: Any) -> None:
    first, second = (as_alice.post(f"{deck.get_absolute_url()}copy/") for _ in range(2))
    assert first.headers["Location"] == second.headers["Location"]
    assert Deck.objects.filter(owner=alice).count() == 2
    copy = Deck.objects.get(owner=alice, derived=True)
    services.rename(copy, "My way")
    as_alice.post(f"{deck.get_absolute_url()}copy/")
    Deck.objects.filter(owner=alice, name=deck.name, derived=True).update(created=timezone.now() - timedelta(hours=1))
    as_alice.post(f"{deck.get_absolute_url()}copy/")
    assert Deck.objects.filter(owner=alice, derived=True).count() == 3


def test_what_is_not_seen_is_not_copied(deck: Deck, as_bob: Client) -> None:
    for part in ("copy/", "v1/copy/"):
        assert as_bob.post(f"{deck.get_absolute_url()}{part}").status_code == 404
    assert Deck.objects.count() == 1


def test_too_many_decks_are_no_copies(deck: Deck, as_alice: Client, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(services, "MAX_DECKS", 1)
    assert "the most there can be" in words(as_alice.post(f"{deck.get_absolute_url()}copy/", follow=True))
