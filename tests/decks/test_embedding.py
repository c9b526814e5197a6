"""What other sites are told of a deck that is linked to: public ones alone."""

from __future__ import annotations

import re
from html import unescape
from typing import Any

import pytest
from django.test import Client
from django.utils import timezone

from decks import links, services
from decks.models import Deck, Preview


def ask(client: Client, url: str, **more: str) -> Any:
    return client.get("/oembed/", {"url": url, **more})


def test_the_page_of_a_public_deck_leads_to_what_is_told(public: Deck, client: Client) -> None:
    page = client.get(public.get_absolute_url()).content.decode()
    found = re.search('type="application/json\\+oembed" href="([^"]+)"', page)
    assert found
    told = client.get(unescape(found[1])).json()
    assert (told["version"], told["type"], told["title"]) == ("1.0", "link", "Viper Wing")
    assert (told["author_name"], told["author_url"]) == ("alice", "http://testserver/decks/by/alice/")
    assert 'property="og:title" content="Viper Wing by alice"' in page
    assert 'content="Battlestar Galactica and 60 cards, legal in Standard 2006"' in page


def test_nobodys_deck_is_told_without_an_author(public: Deck, client: Client) -> None:
    services.give_up(public.owner, keep_public=True)
    assert "author_name" not in ask(client, f"http://testserver{public.get_absolute_url()}").json()


@pytest.mark.parametrize("visibility", ["private", "unlisted"])
def test_of_other_decks_nothing_is_told(deck: Deck, client: Client, as_alice: Client, visibility: str) -> None:
    services.set_visibility(deck, visibility)
    for somebody in (client, as_alice):
        for address in filter(None, (deck.get_absolute_url(), links.address_of(deck))):
            refused = ask(somebody, f"http://testserver{address}")
            assert (refused.status_code, refused.content) == (404, ask(somebody, "http://testserver/decks/").content)
        assert "oembed" not in as_alice.get(deck.get_absolute_url()).content.decode()


@pytest.mark.parametrize(
    "url", ["", "x", "http://[", "http://evil.example/decks/{uid}/", "javascript://testserver/decks/{uid}/", "\0"]
)
def test_odd_addresses_are_told_nothing(public: Deck, client: Client, url: str) -> None:
    assert ask(client, url.format(uid=public.uid)).status_code == 404


@pytest.mark.parametrize(
    ("bounds", "fits"),
    [
        ({}, True),
        ({"maxwidth": "1200", "maxheight": "630"}, True),
        ({"maxwidth": "1199"}, False),
        ({"maxheight": "629"}, False),
        ({"maxwidth": "0"}, False),
        ({"maxwidth": "wide", "maxheight": "9" * 5_000}, True),
    ],
)
def test_the_picture_is_told_where_there_is_room_for_it(
    public: Deck, client: Client, bounds: dict[str, str], fits: bool
) -> None:
    Preview.objects.create(deck=public, mark="a" * 16, png=b"x", drawn=timezone.now())
    told = ask(client, f"http://testserver{public.get_absolute_url()}", **bounds).json()
    assert ("thumbnail_url" in told) == fits
    assert told["title"] == "Viper Wing"


def test_another_form_is_not_spoken(public: Deck, client: Client) -> None:
    assert ask(client, f"http://testserver{public.get_absolute_url()}", format="xml").status_code == 400
