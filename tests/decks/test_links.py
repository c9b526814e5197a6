"""Links of unlisted decks: they open what their owner wants them to, for as long, and nothing tells them to others."""

from __future__ import annotations

import importlib
import re
from types import SimpleNamespace
from typing import Any

import pytest
from django.apps import apps
from django.db import connection
from django.test import Client, override_settings

from decks import links, services
from decks.models import Deck
from tests.decks.conftest import LEGAL_LIST
from tests.shown import words

PARTS = ("", "export/text/", "v1/", "v1/export/text/")


@pytest.fixture
def unlisted(deck: Deck) -> Deck:
    services.set_visibility(deck, "unlisted")
    return deck


def test_a_link_opens_all_that_shows_the_deck(unlisted: Deck, as_bob: Client, client: Client) -> None:
    link = links.address_of(unlisted)
    assert re.fullmatch(r"/decks/~[\w-]{22}/", link)
    for other in (as_bob, client):
        for address in (*(f"{link}{part}" for part in PARTS), f"/api/v1{link}", f"/decks/compare/?from={link[7:-1]}"):
            assert other.get(address).status_code == 200, address


def test_nothing_but_the_link_opens_an_unlisted_deck(unlisted: Deck, as_bob: Client, client: Client) -> None:
    for other in (as_bob, client):
        for part in PARTS:
            refused, missing = (other.get(f"/decks/{uid}/{part}") for uid in (unlisted.uid, "A" * 22))
            assert (refused.status_code, refused.content) == (404, missing.content)
        assert other.get(f"/api/v1/decks/{unlisted.uid}/").status_code == 404


def test_the_api_tells_the_link_to_its_owner_alone(deck: Deck, as_alice: Client, client: Client) -> None:
    api = f"/api/v1/decks/{deck.uid}/"
    assert as_alice.get(api).json()["link"] is None
    services.set_visibility(deck, "unlisted")
    told = as_alice.get(api)
    assert client.get(told.json()["link"]).status_code == 200
    assert "no-store" in told.headers["Cache-Control"]
    ref = told.json()["link"].split("/")[2]
    assert client.get(f"/api/v1/decks/{ref}/").json()["link"] is None


def test_a_page_opened_by_its_link_leads_on_by_it(unlisted: Deck, as_bob: Client) -> None:
    link = links.address_of(unlisted)
    page = as_bob.get(link).content.decode()
    assert unlisted.uid not in page
    told = as_bob.get(f"/api/v1{link}")
    assert unlisted.uid not in told.content.decode(), "the id of the deck opens nothing for who has its link"
    assert f"/decks/{told.json()['uid']}/" == told.json()["url"] == link
    leading = {address for address in re.findall(r'(?:href|action)="([^"]*)"', page) if "/~" in address}
    assert {f"{link}copy/", f"{link}export/text/", f"/api/v1{link}"} <= leading
    services.new_version(unlisted, "4 Stims")
    assert f'href="{link}v1/"' in as_bob.get(link).content.decode()


@pytest.mark.parametrize("how", ["renewed", "revoked", "private and back"])
def test_an_old_link_is_like_one_that_never_was(unlisted: Deck, as_alice: Client, client: Client, how: str) -> None:
    old, settings = links.address_of(unlisted), f"/decks/{unlisted.uid}/settings/"
    if how == "private and back":
        for visibility in ("private", "unlisted"):
            as_alice.post(settings, {"name": "Mine", "visibility": visibility})
    else:
        do = {"renewed": "renew", "revoked": "revoke"}[how]
        as_alice.post(f"/decks/{unlisted.uid}/link/", {"do": do})
    unlisted.refresh_from_db()
    for part in PARTS:
        revoked, guessed = client.get(f"{old}{part}"), client.get(f"/decks/~{'A' * 22}/{part}")
        assert (revoked.status_code, revoked.content) == (404, guessed.content)
        assert revoked.headers == guessed.headers
    assert client.get(f"/api/v1{old}").content == client.get(f"/api/v1/decks/~{'A' * 22}/").content
    now = links.address_of(unlisted)
    assert (now == "") == (how == "revoked")
    if now:
        assert client.get(now).status_code == 200


def test_a_deck_that_becomes_public_keeps_its_link(unlisted: Deck, client: Client) -> None:
    link = links.address_of(unlisted)
    services.set_visibility(unlisted, "public")
    page = client.get(link)
    assert page.status_code == 200
    assert f"{unlisted.get_absolute_url()}export/text/" in page.content.decode(), "it leads on by its own address"


def test_only_the_owner_sees_and_changes_the_link(
    unlisted: Deck, as_alice: Client, as_bob: Client, client: Client
) -> None:
    link = links.address_of(unlisted)
    assert f"http://testserver{link}" in as_alice.get(f"/decks/{unlisted.uid}/").content.decode()
    for other in (as_bob, client):
        assert "Replace the link" not in words(other.get(link))
        for ref in (unlisted.uid, link[7:-1]):
            for do in ("renew", "revoke"):
                assert other.post(f"/decks/{ref}/link/", {"do": do}).status_code == 404
    assert links.address_of(Deck.objects.get()) == link


def test_the_owner_is_given_the_link_where_the_page_begins(unlisted: Deck, as_alice: Client) -> None:
    page = as_alice.get(f"/decks/{unlisted.uid}/").content.decode()
    assert page.index(links.address_of(unlisted)) < page.index('class="columns deck-columns"')
    assert 'data-copy-field="link"' in page
    assert "The address of this page opens for you alone." in page


def test_the_link_of_a_public_deck_is_there_to_copy_for_everybody(public: Deck, as_bob: Client, client: Client) -> None:
    services.new_version(public, f"{LEGAL_LIST}\nConsidering\n1 Fury\n")
    address = f"http://testserver/decks/{public.uid}/"
    for anybody in (as_bob, client):
        for path, shared in (("", address), ("v2/", address), ("v1/", f"{address}v1/")):
            page = anybody.get(f"/decks/{public.uid}/{path}").content.decode()
            assert f'<input id="link" value="{shared}" readonly>' in page
            assert 'data-copy-field="link"' in page
            assert 'data-share-field="link"' in page
            assert "opens for you alone" not in page


def test_a_private_deck_has_no_link_to_copy(deck: Deck, as_alice: Client) -> None:
    assert 'id="link"' not in as_alice.get(f"/decks/{deck.uid}/").content.decode()


@pytest.mark.parametrize("do", ["renew", "revoke"])
def test_a_link_goes_only_when_its_owner_has_been_asked(
    unlisted: Deck, as_alice: Client, client: Client, do: str
) -> None:
    link, address = links.address_of(unlisted), f"/decks/{unlisted.uid}/link/?do={do}"
    assert f'href="{address}"' in as_alice.get(f"/decks/{unlisted.uid}/").content.decode()
    page = as_alice.get(address)
    assert page.status_code == 200
    assert "cannot be had again" in words(page)
    assert f'name="do" value="{do}"' in page.content.decode()
    assert client.get(link).status_code == 200, "asking changes nothing"
    assert client.get(address).status_code == 404


def test_the_owner_who_opens_the_link_is_at_home(unlisted: Deck, as_alice: Client) -> None:
    assert f"/decks/{unlisted.uid}/edit/" in as_alice.get(links.address_of(unlisted)).content.decode()


def test_only_an_unlisted_deck_has_a_link_to_renew(deck: Deck, as_alice: Client) -> None:
    for visibility in ("private", "public"):
        services.set_visibility(deck, visibility)
        for do in ("renew", "revoke"):
            page = as_alice.post(f"/decks/{deck.uid}/link/", {"do": do}, follow=True)
            assert "Only an unlisted deck is opened by a link." in words(page)
            assert (links.address_of(Deck.objects.get()), Deck.objects.get().visibility) == ("", visibility)


def test_what_is_stored_does_not_tell_the_link(unlisted: Deck) -> None:
    token = links.address_of(unlisted)[8:-1]
    with connection.cursor() as cursor:
        cursor.execute("SELECT * FROM decks_deck")
        assert token not in str(cursor.fetchall())
    with override_settings(SECRET_KEY="another"):
        assert links.token_of(unlisted) != token


def test_a_link_is_opened_again_when_the_secret_key_changed(unlisted: Deck, client: Client) -> None:
    with override_settings(SECRET_KEY="another"):
        address = links.address_of(unlisted)
        assert client.get(address).status_code == 200


@pytest.mark.parametrize("odd", ["~", "~~", "~%00", f"~{'A' * 21}", f"~{'A' * 23}", f"~{'é' * 22}", f"~{'A' * 22}%0A"])
def test_odd_links_open_nothing(unlisted: Deck, client: Client, odd: str) -> None:
    assert client.get(f"/decks/{odd}/").status_code == 404
    assert client.get(f"/decks/compare/?from={odd}").status_code == 404


def test_a_deck_from_a_link_is_copied_and_its_origin_has_no_name(unlisted: Deck, as_bob: Client, bob: Any) -> None:
    page = as_bob.post(f"{links.address_of(unlisted)}copy/", follow=True)
    assert "your own copy of Viper Wing" in words(page)
    copy = Deck.objects.get(owner=bob)
    assert "Derived from A deck that cannot be shown" in words(as_bob.get(copy.get_absolute_url()))


def test_old_unlisted_decks_get_a_link(unlisted: Deck, client: Client) -> None:
    Deck.objects.update(link_nonce="", link_hash=None)
    importlib.import_module("decks.migrations.0003_links").give_links(apps, SimpleNamespace(connection=connection))
    stored = Deck.objects.get()
    assert stored.link_hash == links.hash_of(links.token_of(stored)), "the formula of the migration is that of links.py"
    assert client.get(links.address_of(stored)).status_code == 200
