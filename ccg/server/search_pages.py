"""One search for cards and decks, as the header of every page has it: the first of both, and ways to the rest."""

from __future__ import annotations

from typing import Any

from django.db.models import QuerySet
from django.http import HttpRequest, HttpResponse
from django.shortcuts import render
from django.views.decorators.http import require_safe

from cards_data import catalog
from cards_data import pages as card_pages
from cards_data.models import Card
from cards_data.search import cards, known
from cards_data.search.errors import MAX_CHARACTERS, QueryError
from decks.models import Deck
from decks.searching import search as deck_search

CARDS_SHOWN = 12
DECKS_SHOWN = 6


@require_safe
def search(request: HttpRequest) -> HttpResponse:
    """Show what ``q`` finds among cards, and among starter decks and public ones: each reads it as its own list does.

    What only one of them can read, as ``cost:3`` is nothing of a deck, finds nothing in the other.
    """
    text = " ".join(request.GET.get("q", "").split())
    found_cards, found_decks = _cards(text, request.user), _decks(text)
    context = {
        "text": text,
        "longest": MAX_CHARACTERS,
        "cards": [card_pages.card_row(row.definition) for row in found_cards[:CARDS_SHOWN]],
        "card_count": found_cards.count(),
        "decks": found_decks[:DECKS_SHOWN],
        "deck_count": found_decks.count(),
    }
    return render(request, "search.html", context)


def _cards(text: str, person: Any) -> QuerySet[Card]:
    try:
        query = card_pages.read_for(text, person)
    except QueryError:
        return Card.objects.none()
    return cards.find(query, known.told(catalog.data(), person)) if text else Card.objects.none()


def _decks(text: str) -> QuerySet[Deck]:
    try:
        query = deck_search.read(text)
    except QueryError:
        return Deck.objects.none()
    open_to_all = Deck.objects.public().with_head()
    return deck_search.find(query, open_to_all) if text else Deck.objects.none()
