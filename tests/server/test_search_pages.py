"""The search of the header: cards and decks together, of decks those that everybody may find."""

from __future__ import annotations

import pytest
from django.contrib.auth import get_user_model
from django.test import Client

from decks import services as decks
from decks.models import Deck
from tests.people import signed_in


@pytest.fixture(autouse=True)
def _cards_and_decks(starters: None) -> None:
    """All cards and the starter decks."""


def test_every_page_has_a_search_for_cards_and_decks() -> None:
    page = Client().get("/rules/").content.decode()
    assert '<form class="site-search" method="get" action="/search/" role="search"' in page
    page = Client().get("/search/").content.decode()
    assert page.count('id="q"') == 1 and "No card is like that" not in page, "nothing is asked yet"


def test_what_is_asked_is_looked_for_among_cards_and_among_decks() -> None:
    page = Client().get("/search/", {"q": "viper"}).content.decode()
    assert "/cards/?q=viper" in page and "all " in page and page.count('class="card-tile"') == 12
    assert "Viper Wing" in page and "1 deck<" in page and "starter deck" in page
    one = Client().get("/search/", {"q": "base:galactica"}).content.decode()
    assert "No card is like that" in one and "Viper Wing" in one, "what only decks can be asked"
    other = Client().get("/search/", {"q": "cost>=5 t:ship"}).content.decode()
    assert "card-tile" in other and "No deck is like that" in other, "what only cards can be asked"


@pytest.mark.parametrize("text", ['"', "(", "legal:nonsense", "x" * 5000, "\0", "cost:<", "<script>"])
def test_what_nobody_can_read_finds_nothing(text: str) -> None:
    page = Client().get("/search/", {"q": text}).content.decode()
    assert "No card is like that" in page and "No deck is like that" in page and "<script>" not in page


def test_decks_that_are_not_public_are_found_by_nobody() -> None:
    owner = get_user_model().objects.create_user("owner", password="owner-password-1")
    for name, visibility in (("Zephyr open", "public"), ("Zephyr linked", "unlisted"), ("Zephyr hidden", "private")):
        deck = decks.fork(owner, Deck.objects.starters()[0].head, name)
        decks.set_visibility(deck, visibility)
    for browser in (Client(), signed_in(owner)):
        page = browser.get("/search/", {"q": "zephyr"}).content.decode()
        assert "Zephyr open" in page and "1 deck<" in page
        assert "linked" not in page and "hidden" not in page.replace("visually-hidden", "").replace("aria-hidden", "")
