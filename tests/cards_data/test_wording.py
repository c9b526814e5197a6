"""What a keyword means: every one is told, on the page of a card and on the card that the browser draws."""

from __future__ import annotations

import json
from typing import get_args

import pytest

from cards_data.wording import KEYWORDS, reminders
from ccg.rules.cards.definitions import CardDef, KeywordName


def test_every_keyword_is_explained_at_both_places() -> None:
    meanings = json.loads(KEYWORDS.read_text())
    assert meanings.keys() == set(get_args(KeywordName))
    assert all(meaning.keys() == {"page", "card"} and all(meaning.values()) for meaning in meanings.values())


@pytest.mark.parametrize(
    ("card", "said"),
    [
        (
            CardDef(id="T-1", type="ship", keywords=("scramble",)),
            "Can defend against personnel too; texts then speak of it as one of them.",
        ),
        (
            CardDef(id="T-2", type="personnel", keywords=("scramble",)),
            "Can defend against ships too; texts then speak of it as one of them.",
        ),
        (
            CardDef(id="T-3", type="event", keywords=("expedite",), expedite=(0, 1, 2)),
            (
                "When a payment of yours leaves 1 logistics and 2 security over, "
                "you may play this card for that instead of its cost."
            ),
        ),
        (
            CardDef(id="T-4", type="mission", keywords=("link",), link="ship"),
            "Once resolved, attach it to target ship; discard it when that ship leaves play.",
        ),
    ],
)
def test_a_reminder_says_what_the_card_says(card: CardDef, said: str) -> None:
    assert [reminder.text for reminder in reminders(card)] == [said]
