"""What the tests of decks share: people, and a legal list."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.test import Client

from decks import services, starter_decks
from decks.models import Deck
from tests.people import sign_in, signed_in

LEGAL_LIST = (starter_decks.STARTERS / "battlestar-viper-wing.txt").read_text(encoding="utf-8")
"""A legal deck of 60 cards called Viper Wing, with the base Battlestar Galactica."""


@pytest.fixture
def alice(db: None) -> Any:
    """A player with an account."""
    return get_user_model().objects.create_user("alice", password="viper-pilot-1")


@pytest.fixture
def bob(db: None) -> Any:
    """Another player."""
    return get_user_model().objects.create_user("bob", password="raptor-pilot-1")


@pytest.fixture
def legal_list() -> str:
    return LEGAL_LIST


@pytest.fixture
def deck(all_cards: None, alice: Any) -> Deck:
    """A legal, private deck of Alice's."""
    return services.create_from_text(alice, LEGAL_LIST)


@pytest.fixture
def as_alice(alice: Any) -> Client:
    return signed_in(alice)


@pytest.fixture
def as_bob(bob: Any) -> Client:
    return signed_in(bob)


@pytest.fixture
def public(deck: Deck) -> Deck:
    """The same deck, public."""
    services.set_visibility(deck, "public")
    return deck


@pytest.fixture
def as_guest(db: None) -> Client:
    """The browser of a guest."""
    client = Client()
    guest = get_user_model().objects.create_guest()
    sign_in(client, guest)
    return client
