"""Decks as pages look for them: what may not be seen and what is not there are the same 404."""

from __future__ import annotations

from django.http import Http404, HttpRequest

from decks import services
from decks.models import Deck, DeckVersion


def visible_or_404(request: HttpRequest, uid: str) -> Deck:
    """Return the deck with this id if whoever asks may see it; raises Http404."""
    try:
        return services.visible(request.user, uid)
    except Deck.DoesNotExist:
        raise Http404 from None


def own_or_404(request: HttpRequest, uid: str) -> Deck:
    """Return the deck with this id if it belongs to whoever asks; raises Http404."""
    try:
        return services.own(request.user, uid)
    except Deck.DoesNotExist:
        raise Http404 from None


def version_or_404(deck: Deck, number: int | None) -> DeckVersion:
    """Return the version of ``deck`` with this number, the newest for None; raises Http404."""
    version = deck.head if number is None else deck.versions.filter(number=number).first()
    if version is None:
        raise Http404
    version.deck = deck
    return version
