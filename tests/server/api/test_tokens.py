"""Personal tokens: shown once, stored as a hash, gone when revoked; and they open decks and nothing else."""

from __future__ import annotations

import re
from datetime import timedelta
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.test import Client
from django.utils import timezone

from ccg.server.accounts.models import ApiToken
from ccg.server.api import tokens
from decks.models import Deck
from tests.people import sign_in, signed_in

PAGE = "/accounts/tokens/"


@pytest.fixture
def browser(alice: Any) -> Client:
    return signed_in(alice)


def bearer(token: str) -> Client:
    return Client(headers={"authorization": f"Bearer {token}"})


def test_a_token_is_made_shown_once_used_and_revoked(browser: Client, deck: Deck) -> None:
    page = browser.post(PAGE, {"name": "my script"})
    assert "no-store" in page["Cache-Control"]
    (token,) = re.findall(r'value="(rtf_[^"]+)"', page.content.decode())
    assert token not in browser.get(PAGE).content.decode()
    assert "my script" in browser.get(PAGE).content.decode()
    row = ApiToken.objects.get()
    assert token not in str(vars(row))
    assert len(row.hash) == 64

    assert bearer(token).get(f"/api/v1/decks/{deck.uid}/").status_code == 200
    row.refresh_from_db()
    assert row.used is not None

    browser.post(PAGE, {"revoke": row.pk})
    assert not ApiToken.objects.exists()
    refused = bearer(token).get(f"/api/v1/decks/{deck.uid}/")
    assert (refused.status_code, refused.json()["code"]) == (401, "not_authenticated")


@pytest.mark.parametrize(
    "header",
    [
        "Bearer x",
        "Bearer",
        "Token rtf_x",
        "Basic YWxpY2U6eA==",
        "Bearer rtf_" + "A" * 43,
        "Bearer rtf_\x00",
        "nonsense",
    ],
)
def test_what_is_no_token_lets_nobody_in_not_even_as_a_stranger(db: None, header: str) -> None:
    answer = Client(headers={"authorization": header}).get("/api/v1/decks/")
    assert answer.status_code == 401
    assert answer["WWW-Authenticate"] == "Bearer"


def test_who_may_not_sign_in_may_not_use_tokens(alice: Any, deck: Deck) -> None:
    token = tokens.make(alice, "x")
    alice.is_active = False
    alice.save()
    assert bearer(token).get(f"/api/v1/decks/{deck.uid}/").status_code == 401


def test_a_new_password_ends_all_tokens(browser: Client, alice: Any, bob: Any, deck: Deck) -> None:
    """Whoever changes it because somebody else was in the account shuts out the programs of that person as well."""
    token, others = tokens.make(alice, "x"), tokens.make(bob, "y")
    assert "ends all tokens" in browser.get(PAGE).content.decode()
    assert "your tokens end" in browser.get("/accounts/password/change/").content.decode()
    new = "another passphrase 9"
    form = {"oldpassword": "viper-pilot-1", "password1": new, "password2": new}
    assert browser.post("/accounts/password/change/", form).status_code == 302
    refused = bearer(token).get(f"/api/v1/decks/{deck.uid}/")
    assert (refused.status_code, refused.json()["code"]) == (401, "not_authenticated")
    assert "You have no token" in browser.get(PAGE).content.decode()
    assert bearer(others).get("/api/v1/decks/").status_code == 200


def test_tokens_end_with_the_password_whoever_takes_it(alice: Any) -> None:
    tokens.make(alice, "x")
    alice.set_unusable_password()
    alice.save()
    assert not ApiToken.objects.exists()


def test_a_password_that_is_only_hashed_anew_ends_no_token(alice: Any, settings: Any) -> None:
    tokens.make(alice, "x")
    settings.PASSWORD_HASHERS = ["django.contrib.auth.hashers.ScryptPasswordHasher", *settings.PASSWORD_HASHERS]
    before = alice.password
    assert alice.check_password("viper-pilot-1")
    alice.refresh_from_db()
    assert alice.password != before and ApiToken.objects.exists()


def test_a_token_opens_no_page(alice: Any, deck: Deck) -> None:
    token = tokens.make(alice, "x")
    assert bearer(token).get(deck.get_absolute_url()).status_code == 404
    assert bearer(token).get("/accounts/me/").status_code == 302


def test_nobody_revokes_those_of_others(alice: Any, bob: Any, browser: Client) -> None:
    tokens.make(bob, "of bob")
    for pk in (str(ApiToken.objects.get().pk), "x", "9" * 40, "-1", "١"):
        browser.post(PAGE, {"revoke": pk})
    assert ApiToken.objects.count() == 1


def test_there_are_only_so_many(browser: Client, alice: Any) -> None:
    for number in range(tokens.MOST):
        tokens.make(alice, f"{number}")
    answer = browser.post(PAGE, {"name": "one more"})
    assert answer.status_code == 400
    assert "Revoke one first" in answer.content.decode()
    assert ApiToken.objects.count() == tokens.MOST


@pytest.mark.parametrize("name", ["", "   ", "\x00", "\u202e"])
def test_a_token_is_for_something(browser: Client, name: str) -> None:
    assert browser.post(PAGE, {"name": name}).status_code == 400
    assert not ApiToken.objects.exists()


def test_visitors_and_guests_have_none(client: Client, db: None) -> None:
    assert client.get(PAGE).status_code == 302
    sign_in(client, get_user_model().objects.create_guest())
    assert client.post(PAGE, {"name": "x"})["Location"] == "/accounts/upgrade/"
    assert not ApiToken.objects.exists()


def test_use_is_noted_to_the_hour_and_no_more_often(alice: Any, deck: Deck, django_assert_num_queries: Any) -> None:
    client = bearer(tokens.make(alice, "x"))
    client.get("/api/v1/decks/")
    first = ApiToken.objects.get().used
    client.get("/api/v1/decks/")
    assert ApiToken.objects.get().used == first
    ApiToken.objects.update(used=timezone.now() - timedelta(hours=2))
    client.get("/api/v1/decks/")
    assert ApiToken.objects.get().used > first


def test_a_token_is_for_a_time(browser: Client, deck: Deck) -> None:
    page = browser.post(PAGE, {"name": "for a month", "lifetime": "30"})
    (token,) = re.findall(r'value="(rtf_[^"]+)"', page.content.decode())
    row = ApiToken.objects.get()
    assert row.expires is not None
    assert timedelta(days=29) < row.expires - timezone.now() <= timedelta(days=30)
    assert bearer(token).get(f"/api/v1/decks/{deck.uid}/").status_code == 200

    ApiToken.objects.update(expires=timezone.now())
    refused = bearer(token).get(f"/api/v1/decks/{deck.uid}/")
    assert (refused.status_code, "over" in refused.json()["detail"]) == (401, True)
    assert "expired" in browser.get(PAGE).content.decode()


def test_a_token_can_be_for_ever(browser: Client) -> None:
    browser.post(PAGE, {"name": "for ever", "lifetime": "never"})
    assert ApiToken.objects.get().expires is None


@pytest.mark.parametrize("form", [{"lifetime": "31"}, {"lifetime": ""}, {"scope": "everything"}])
def test_what_cannot_be_chosen_makes_no_token(browser: Client, form: dict[str, str]) -> None:
    assert browser.post(PAGE, {"name": "x", **form}).status_code == 400
    assert not ApiToken.objects.exists()


def test_a_token_for_reading_changes_nothing(browser: Client, deck: Deck) -> None:
    page = browser.post(PAGE, {"name": "reader", "scope": "read"})
    (token,) = re.findall(r'value="(rtf_[^"]+)"', page.content.decode())
    reader, address = bearer(token), f"/api/v1/decks/{deck.uid}/"
    assert reader.get(address).status_code == 200
    body = {"text": "4 Fury"}
    assert reader.post("/api/v1/legality/", body, content_type="application/json").status_code == 200
    for send, at in ((reader.post, "/api/v1/decks/"), (reader.put, address), (reader.patch, address)):
        refused = send(at, body, content_type="application/json")
        assert (refused.status_code, refused.json()["code"]) == (403, "forbidden")
    assert reader.delete(address).status_code == 403
    assert Deck.objects.filter(owner=deck.owner).count() == 1
