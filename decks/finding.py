"""Decks as pages look for them: what may not be seen and what is not there are the same 404."""

from __future__ import annotations

from collections.abc import Callable

from django.http import Http404, HttpRequest, HttpResponse

from decks import services
from decks.models import Comment, Deck, DeckVersion


class GoneMeanwhile:
    """Middleware: what was deleted between being found and being changed is not there, as it is not on the next page.

    All that changes decks locks them first (:func:`decks.services.lock`), so that nothing else can come between.
    """

    def __init__(self, get_response: Callable[[HttpRequest], HttpResponse]) -> None:
        self._get_response = get_response

    def __call__(self, request: HttpRequest) -> HttpResponse:
        return self._get_response(request)

    def process_exception(self, request: HttpRequest, error: Exception) -> None:
        """Answer 404."""
        if isinstance(error, Deck.DoesNotExist | Comment.DoesNotExist):
            raise Http404 from error


def visible_or_404(request: HttpRequest, uid: str) -> Deck:
    """Return the deck with this id if who asks may see it; raises Http404."""
    try:
        return services.visible(request.user, uid)
    except Deck.DoesNotExist:
        raise Http404 from None


def own_or_404(request: HttpRequest, uid: str) -> Deck:
    """Return the deck with this id if it belongs to who asks; raises Http404."""
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
