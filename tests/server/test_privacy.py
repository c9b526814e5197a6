"""What may be kept of pages: nothing of what was made for somebody, and all that is for everybody as before."""

from __future__ import annotations

import pytest
from django.contrib.auth import get_user_model
from django.contrib.auth.models import AnonymousUser
from django.http import HttpResponse
from django.test import Client, RequestFactory
from django.urls import reverse

from ccg.server.privacy import NotKept
from decks import services as decks
from tests.decks.conftest import LEGAL_LIST
from tests.server.test_admin import browser_of, person

pytestmark = pytest.mark.django_db


def kept(client: Client, address: str) -> set[str]:
    """What an answer says of keeping it."""
    answer = client.get(address)
    assert answer.status_code == 200, address
    return set(filter(None, answer.get("Cache-Control", "").split(", ")))


@pytest.mark.parametrize(
    "name",
    ["home", "account_me", "account_email", "account_change_password", "decks:mine", "account_logout", "rules"],
)
def test_pages_for_somebody_are_not_kept(name: str) -> None:
    address = reverse(name)
    assert kept(browser_of(person()), address) == {"private", "no-store"}


def test_a_guest_is_somebody() -> None:
    guest = browser_of(get_user_model().objects.create_guest())
    assert kept(guest, reverse("decks:mine")) == {"private", "no-store"}


@pytest.mark.parametrize("visibility", ["private", "unlisted"])
def test_a_deck_is_not_kept_as_page_text_or_data(all_cards: None, visibility: str) -> None:
    kara = person()
    deck = decks.create_from_text(kara, LEGAL_LIST, visibility=visibility)
    for address in (deck.get_absolute_url(), f"{deck.get_absolute_url()}text/", f"/api/decks/{deck.uid}/"):
        assert kept(browser_of(kara), address) == {"private", "no-store"}, address


def test_what_a_page_says_itself_stays(all_cards: None) -> None:
    somebody = browser_of(person())
    assert "public" in kept(somebody, "/schema/card-set.json")
    assert "public" in kept(somebody, "/api/cards/catalog.json")
    assert "must-revalidate" in kept(browser_of(person("saul", is_staff=True)), "/admin/")


def test_what_is_for_everybody_stays_as_it_is(all_cards: None) -> None:
    assert kept(browser_of(person()), "/api/cards/") == set()
    assert kept(Client(), reverse("rules")) == set()


@pytest.mark.parametrize(
    ("headers", "said"),
    [
        ({}, "private, no-store"),
        ({"ETag": '"1"'}, "private, no-cache"),
        ({"Last-Modified": "Thu, 01 Jan 2026 00:00:00 GMT"}, "private, no-cache"),
        ({"Cache-Control": "public, max-age=60"}, "public, max-age=60"),
    ],
)
def test_what_can_be_asked_for_again_may_be_stored_by_its_owner(headers: dict[str, str], said: str) -> None:
    request = RequestFactory().get("/")
    request._cached_user = get_user_model()()  # type: ignore[attr-defined]
    assert NotKept(lambda request: HttpResponse(headers=headers))(request)["Cache-Control"] == said
    request._cached_user = AnonymousUser()  # type: ignore[attr-defined]
    assert NotKept(lambda request: HttpResponse(headers=headers))(request).headers.get("Cache-Control") == headers.get(
        "Cache-Control"
    )
