"""Whether decks are legal as cards and formats are now; what is stored of that is only a cache for lists of decks."""

from __future__ import annotations

from datetime import date
from typing import Any

import msgspec
from django.utils import timezone

from cards_data import catalog as cards_data
from decks import formats
from decks.lists import legality
from decks.lists.deck_list import DeckList
from decks.lists.legality import Illegality
from decks.models import Deck, DeckVersion


def check_list(deck: DeckList, day: date | None = None) -> list[Illegality]:
    """Return every reason why ``deck`` is not legal today (or on ``day``)."""
    cards = cards_data.data()
    rules = formats.rules_of(deck.format or formats.standard().code, cards, day)
    withdrawn = cards_data.withdrawn({*deck.bases, *deck.counts} - cards.catalog.index.keys())
    return legality.check(deck.bases, deck.counts, rules, cards.catalog, day or timezone.localdate(), withdrawn)


def check_version(version: DeckVersion, deck: Deck) -> list[Illegality]:
    """Return every reason why ``version`` of ``deck`` is not legal today."""
    return check_list(DeckList(format=deck.format_id, bases=version.bases, counts=version.counts))


def verdict(problems: list[Illegality]) -> dict[str, Any]:
    """Return the columns of a version that keep for lists what was found, and with which cards."""
    return {
        "legal": not problems,
        "problems": msgspec.to_builtins(problems),
        "checked_at": timezone.now(),
        "checked_with": cards_data.current_number(),
    }
