"""What may be kept of pages: nothing of what was made for somebody, and all that is for everybody as before."""

from __future__ import annotations

import logging

import pytest
from django.conf import settings
from django.contrib.auth import get_user_model
from django.contrib.auth.models import AnonymousUser
from django.http import HttpResponse
from django.test import Client, RequestFactory
from django.urls import reverse

from ccg.server.privacy import NotKept, WithoutLinks
from decks import links
from decks import services as decks
from tests.decks.conftest import LEGAL_LIST
from tests.people import signed_in
from tests.server.test_admin import person

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
    assert kept(signed_in(person()), address) == {"private", "no-store"}


def test_a_guest_is_somebody() -> None:
    guest = signed_in(get_user_model().objects.create_guest())
    assert kept(guest, reverse("decks:mine")) == {"private", "no-store"}


@pytest.mark.parametrize("visibility", ["private", "unlisted"])
def test_a_deck_is_not_kept_as_page_text_or_data(all_cards: None, visibility: str) -> None:
    kara = person()
    deck = decks.create_from_text(kara, LEGAL_LIST, visibility=visibility)
    for address in (deck.get_absolute_url(), f"{deck.get_absolute_url()}export/text/", f"/api/v1/decks/{deck.uid}/"):
        assert kept(signed_in(kara), address) == {"private", "no-store"}, address


def test_a_deck_behind_a_link_is_not_kept_for_visitors_either(all_cards: None) -> None:
    deck = decks.create_from_text(person(), LEGAL_LIST, visibility="unlisted")
    link = links.address_of(deck)
    for address in (link, f"{link}export/text/", f"{link}v1/", f"/api/v1{link}", f"/decks/compare/?from={link[7:-1]}"):
        assert kept(Client(), address) == {"private", "no-store"}, address
        assert Client().get(address).headers["Referrer-Policy"] == "same-origin", address
    decks.set_visibility(deck, "public")
    assert kept(Client(), deck.get_absolute_url()) == set()


def test_no_line_of_the_log_has_a_link_in_it() -> None:
    secret = "A" * 22
    for address in (
        f"/decks/~{secret}/export/text/",
        f"/decks/compare/?from=~{secret}@1&to=~{secret}",
        f"/play/invite/{secret}/",
        f"/accounts/password/reset/key/{secret}-cyz7pm-{secret}/",
        f"/accounts/confirm-email/{secret}:1vOaBc:{secret}/",
    ):
        record = logging.LogRecord(
            "django.request", logging.ERROR, "", 0, "%s: %s", ("Internal Server Error", address), None
        )
        assert WithoutLinks().filter(record)
        assert secret not in record.getMessage()
        assert record.getMessage().startswith(f"Internal Server Error: {address.partition(secret)[0]}…")
    plain = logging.LogRecord("ccg", logging.INFO, "", 0, "%d of %s", (3, "/decks/mine/"), None)
    assert WithoutLinks().filter(plain)
    assert (plain.getMessage(), plain.args) == ("3 of /decks/mine/", (3, "/decks/mine/"))
    assert all(handler["filters"] == ["without links"] for handler in settings.LOGGING["handlers"].values())


def test_what_a_page_says_itself_stays(all_cards: None) -> None:
    somebody = signed_in(person())
    assert "public" in kept(somebody, "/schema/card-set.json")
    assert "public" in kept(somebody, "/api/v1/cards/catalog.json")
    assert "must-revalidate" in kept(signed_in(person("saul", is_staff=True)), "/admin/")


def test_what_is_for_everybody_stays_as_it_is(all_cards: None) -> None:
    assert kept(signed_in(person()), "/api/v1/cards/") == {"public", "no-cache"}
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
