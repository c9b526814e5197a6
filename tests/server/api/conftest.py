"""What the tests of the API share: a program with a token, and decks to ask for."""

from __future__ import annotations

from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.test import Client

from ccg.server.api import throttles, tokens
from decks import services
from decks.models import Deck
from tests.decks.conftest import LEGAL_LIST


@pytest.fixture(autouse=True)
def _nothing_counted_before() -> None:
    throttles.forget()


@pytest.fixture
def alice(db: None) -> Any:
    return get_user_model().objects.create_user("alice", password="viper-pilot-1")


@pytest.fixture
def bob(db: None) -> Any:
    return get_user_model().objects.create_user("bob", password="raptor-pilot-1")


def program_of(user: Any) -> Client:
    """A program that acts for somebody."""
    return Client(headers={"authorization": f"Bearer {tokens.make(user, 'a program')}"})


@pytest.fixture
def as_alice(alice: Any) -> Client:
    return program_of(alice)


@pytest.fixture
def as_bob(bob: Any) -> Client:
    return program_of(bob)


@pytest.fixture
def deck(all_cards: None, alice: Any) -> Deck:
    """A legal, private deck of Alice's."""
    return services.create_from_text(alice, LEGAL_LIST)
