"""What decks and formats have to say on the page of a card (:mod:`cards_data.card_sections`)."""

from __future__ import annotations

from collections.abc import Mapping
from datetime import date
from typing import NamedTuple

from django.db.models import Q
from django.utils import timezone

from cards_data import catalog as cards_data
from cards_data.search.kinds import quoted
from ccg.rules.cards.definitions import CardDef
from decks import formats
from decks.lists.standings import Standing, standings
from decks.models import Deck

AMONG = 1000
"""Public decks that are looked through for a card: those played most."""
SHOWN = 6
STANDINGS_SHOWN = 12
"""Of each format; what was said longer ago is in the API."""


class Play(NamedTuple):
    """A deck that plays a card, and how many copies of it; none where the card is its base."""

    deck: Deck
    copies: int


def legality(card: CardDef) -> Mapping[str, object]:
    """Return what each format says of ``card`` over time; nothing for a card that was withdrawn."""
    cards, day = cards_data.data(), timezone.localdate()
    if card.id not in cards.catalog:
        return {}
    said = []
    for one in formats.with_editions():
        over_time = standings(card, formats.editions(one, cards))[-STANDINGS_SHOWN:]
        now = next((part for part in over_time if part.in_force(day)), None)
        said.append((one, now, [(part, _when(part, day)) for part in over_time]))
    return {"formats": said, "is_base": card.type == "base"}


def _when(part: Standing, day: date) -> str:
    if part.in_force(day):
        return "now"
    return "announced" if part.starts > day else "past"


def played_in(card: CardDef) -> Mapping[str, object]:
    """Return the public decks and starter decks that play ``card``, those played most first, and how to find all."""
    public = Deck.objects.public().filter(head__isnull=False)
    most_played = public.order_by("-played", "-id").values("pk")[:AMONG]
    having = Q(head__base=card.id) if card.type == "base" else Q(head__counts__has_key=card.id)
    decks = Deck.objects.with_head().filter(having, pk__in=most_played).order_by("-played", "-liked", "-id")
    found = list(decks[: SHOWN + 1])
    field = "base" if card.type == "base" else "card"
    return {
        "decks": [Play(deck, deck.head.counts.get(card.id, 0)) for deck in found[:SHOWN] if deck.head],
        "more": len(found) > SHOWN,
        "query": f"{field}={quoted(card.name)} order:played",
        "name": card.name,
        "among": AMONG,
    }
