"""Bounds hold when somebody asks for the same many times at once, as from several windows."""

from __future__ import annotations

from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from threading import Barrier
from typing import Any

import pytest
from django.contrib.auth import get_user_model
from django.db import connection

from ccg.server.accounts.models import ApiToken
from ccg.server.api import tokens
from decks import services
from decks.lists.deck_list import DeckList
from decks.models import Block, Deck, Report
from decks.services import DeckError
from decks.social import moderation, opinions, reported

AT_ONCE = 6
LEFT = 2
"""How many more there may be before the bound is reached."""


def _token(user: Any, number: int) -> None:
    tokens.make(user, f"Program {number}")


def _deck(user: Any, number: int) -> None:
    services.create(user, DeckList(name=f"Deck {number}", counts={"BSG1-027": 1}))


def _block(user: Any, number: int) -> None:
    opinions.block(user, f"person {number}")


def _report(user: Any, number: int) -> None:
    author = get_user_model().objects.get(username=f"person{number}")
    deck = services.create(author, DeckList(name=f"Deck {number}", counts={"BSG1-027": 1}), visibility="public")
    reported.report_deck(user, deck, Report.Reason.values[0])


KINDS: dict[str, tuple[Any, str, Callable[[Any, int], None], Callable[[Any], int]]] = {
    "tokens": (tokens, "MOST", _token, lambda user: ApiToken.objects.filter(user=user).count()),
    "decks": (services, "MAX_DECKS", _deck, lambda user: Deck.objects.filter(owner=user).count()),
    "reports": (moderation, "REPORTS_AN_HOUR", _report, lambda user: Report.objects.filter(reporter=user).count()),
    "blocks": (opinions, "MAX_BLOCKS", _block, lambda user: Block.objects.filter(by=user).count()),
}


@pytest.mark.django_db(transaction=True)
@pytest.mark.parametrize("kind", KINDS)
def test_a_bound_is_not_passed_together(kind: str, all_cards: None, monkeypatch: pytest.MonkeyPatch) -> None:
    module, bound, add, count = KINDS[kind]
    monkeypatch.setattr(module, bound, LEFT)
    people = get_user_model().objects
    user = people.create_user("alice")
    for number in range(AT_ONCE):
        people.create_user(f"person{number}", display_name=f"person {number}")
    together = Barrier(AT_ONCE)

    def one_more(number: int) -> bool:
        try:
            together.wait()
            add(user, number)
        except (DeckError, tokens.TooManyTokens):
            return False
        finally:
            connection.close()
        return True

    with ThreadPoolExecutor(AT_ONCE) as threads:
        added = list(threads.map(one_more, range(AT_ONCE)))
    assert added.count(True) == count(user) == LEFT
