"""Saved searches: named, asked again by a click, bounded, and nobody else's."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from django.urls import reverse

from cards_data import saved
from cards_data.models import SavedSearch
from tests.people import signed_in

SAVE = "/searches/"


@pytest.fixture
def alice(all_cards: None) -> Any:
    return get_user_model().objects.create_user("alice", password="viper-pilot-1")


@pytest.fixture
def browser(alice: Any) -> Client:
    return signed_in(alice)


def save(client: Client, name: str = "Cheap ships", query: str = "t:ship cost<=1", about: str = "cards") -> Any:
    return client.post(SAVE, {"about": about, "name": name, "query": query}, follow=True)


def test_a_saved_search_is_a_click_on_the_page_it_is_for(browser: Client, alice: Any) -> None:
    page = save(browser)
    assert page.request["QUERY_STRING"] == "q=t%3Aship+cost%3C%3D1"
    assert save(browser, "Vipers", "viper legal:now", "decks").request["PATH_INFO"] == "/decks/"
    cards, decks = browser.get("/cards/").content.decode(), browser.get("/decks/").content.decode()
    assert 'href="?q=t%3Aship%20cost%3C%3D1"><span>Cheap ships</span>' in cards
    assert "Vipers" in decks
    assert "Vipers" not in cards


def test_a_name_is_there_once_and_switched_off_filters_stay(browser: Client, alice: Any) -> None:
    save(browser)
    save(browser, query="~t:ship cost<=2")
    assert [(one.name, one.query) for one in saved.saved_by(alice, "cards")] == [("Cheap ships", "~t:ship cost<=2")]


@pytest.mark.parametrize(
    ("name", "query", "why"),
    [
        ("", "t:ship", "a name"),
        ("x" * 41, "t:ship", "a name"),
        ("a\0b", "t:ship", "a name"),
        ("Nothing", " ", "nothing to save"),
        ("Wrong", "t:shp", "cannot be read"),
        ("Long", "x" * 5000, "finds"),
        ("Zero", "viper\0", "no text"),
    ],
)
def test_what_cannot_be_saved_is_refused_with_a_sentence(browser: Client, name: str, query: str, why: str) -> None:
    page = save(browser, name, query)
    assert page.status_code in (200, 400)
    assert SavedSearch.objects.count() == (why == "finds"), "what is too long for a page is cut as the page cuts it"
    if why != "finds":
        assert any(why in str(message) for message in page.context["messages"])
    assert browser.post(SAVE, {"about": "people", "name": "a", "query": "b"}).status_code == 404


def test_there_are_so_many_and_no_more(browser: Client, alice: Any) -> None:
    for number in range(saved.MAX_SAVED):
        saved.save(alice, "cards", f"Number {number}", "viper")
    save(browser, "One more")
    assert SavedSearch.objects.count() == saved.MAX_SAVED
    save(browser, "Number 3", "raptor")
    assert SavedSearch.objects.get(name="Number 3").query == "raptor", "one that is there can be changed"


def test_nobody_else_has_it_and_guests_have_none(browser: Client, alice: Any) -> None:
    save(browser)
    made = SavedSearch.objects.get()
    address = reverse("cards_data:saved_search", args=[made.pk])
    bob = signed_in(get_user_model().objects.create_user("bob", password="raptor-pilot-1"))
    guest = signed_in(get_user_model().objects.create_guest())
    for other in (bob, guest):
        assert "Cheap ships" not in other.get("/cards/").content.decode()
        assert other.post(address).status_code == 404
    assert Client().post(address).status_code == 302
    save(guest)
    Client().post(SAVE, {"about": "cards", "name": "a", "query": "b"})
    assert list(SavedSearch.objects.all()) == [made]
    assert "Save this search" not in guest.get("/cards/?q=viper").content.decode()
    assert "Save this search" in browser.get("/cards/?q=viper").content.decode()
    assert browser.get(address).status_code == 405
    assert browser.post(address).status_code == 302
    assert not SavedSearch.objects.exists()


def test_it_goes_with_the_account(browser: Client, alice: Any) -> None:
    save(browser)
    alice.delete()
    assert not SavedSearch.objects.exists()
