"""The public API of the card database: read only, open to all, cacheable."""

from __future__ import annotations

from functools import lru_cache
from typing import Any

import msgspec
from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.utils.cache import patch_cache_control
from django.views.decorators.gzip import gzip_page
from django.views.decorators.http import condition, require_safe
from rest_framework.pagination import PageNumberPagination
from rest_framework.permissions import AllowAny
from rest_framework.renderers import JSONRenderer
from rest_framework.request import Request
from rest_framework.response import Response
from rest_framework.views import APIView

from cards_data import catalog
from cards_data.catalog import CardData, UnknownVersion
from cards_data.export import CatalogFile, card_facts, catalog_file, current_file
from cards_data.models import Card, Printing
from cards_data.pages import select
from cards_data.wording import reminders, requirement_words
from ccg.rules.authoring import card_files

FOR_EVER = 365 * 24 * 3600


def _asked_file(request: HttpRequest) -> CatalogFile | None:
    """Return the file of the version asked for by ``v``, or the newest; None for one that never was."""
    fingerprint = request.GET.get("v", "").partition("-")[0]
    if not fingerprint:
        return current_file()
    try:
        return catalog_file(catalog.with_fingerprint(fingerprint))
    except UnknownVersion:
        return None


def _catalog_etag(request: HttpRequest) -> str | None:
    file = _asked_file(request)
    return f'"{file.version}"' if file else None


@require_safe
@gzip_page
@condition(etag_func=_catalog_etag)
def catalog_json(request: HttpRequest) -> HttpResponse:
    """All cards of one data version: ``{"version": ..., "cards": {id: facts}}``.

    With ``?v=`` the whole version as this file says it, the answer never changes and may be kept for ever.
    The fingerprint of a data version alone finds its cards too (a match may be older than the newest
    import), but since our words for them can still improve, it is to be asked for again.
    """
    file = _asked_file(request)
    if file is None:
        return JsonResponse({"detail": "There is no such version of the card data."}, status=404)
    response = HttpResponse(file.body, content_type="application/json")
    if request.GET.get("v") == file.version:
        patch_cache_control(response, public=True, max_age=FOR_EVER, immutable=True)
    else:
        patch_cache_control(response, public=True, no_cache=True)
    return response


class CardPages(PageNumberPagination):
    """Pages of cards; ``page_size`` up to 400, so that all fit on one page if wanted."""

    page_size = 100
    page_size_query_param = "page_size"
    max_page_size = 400


class CardView(APIView):
    """What all card views share: everybody may read, nobody is asked who they are."""

    authentication_classes = ()
    permission_classes = (AllowAny,)
    renderer_classes = (JSONRenderer,)


class CardList(CardView):
    """``GET /api/cards/``: the cards that pass the filters of the card page (q, type, set, resource, trait, sort)."""

    def get(self, request: Request) -> HttpResponse:
        """Return one page of cards."""
        selection, data = select(request.query_params)
        pages = CardPages()
        card_ids = pages.paginate_queryset(selection.cards().values_list("pk", flat=True), request, view=self) or []
        prepared = _prepared(data)
        answer = pages.get_paginated_response([prepared[card_id] for card_id in card_ids if card_id in prepared]).data
        if selection.ignored:
            answer["ignored"] = list(selection.ignored)
        return HttpResponse(msgspec.json.encode(answer), content_type="application/json")


@lru_cache(maxsize=2)
def _prepared(data: CardData) -> dict[str, msgspec.Raw]:
    """Return every card of a data version as it stands in answers: made once, and not for each who asks for all."""
    rows = Card.objects.filter(withdrawn=False).prefetch_related("printings")
    return {row.id: msgspec.Raw(msgspec.json.encode(as_json(row))) for row in rows}


class CardDetail(CardView):
    """``GET /api/cards/<id>/``: one card, by its own id or that of any of its printings."""

    def get(self, request: Request, card_id: str) -> Response:
        """Return the card, withdrawn ones too; 404 for an id that no card ever had."""
        printing = Printing.objects.filter(pk=card_id.upper()).select_related("card").first()
        if printing is None:
            raise Http404(f"There is no card {card_id[:20]}.")
        return Response(as_json(printing.card))


def as_json(row: Card) -> dict[str, Any]:
    """Return the facts of a card with its printings, and its keywords and requirement in words."""
    card = row.definition
    printings = sorted(row.printings.all(), key=lambda printing: not printing.first)
    first = printings[0]
    facts = card_facts(
        card,
        card_files.Printing(id=first.id, card=row.id, set=first.set_id, number=first.number, rarity=first.rarity),
    )
    return {
        **msgspec.to_builtins(facts),
        "withdrawn": row.withdrawn,
        "requirement": requirement_words(card.requires),
        "reminders": {reminder.keyword: reminder.text for reminder in reminders(card)},
        "printings": [
            {"id": one.id, "set": one.set_id, "number": one.number, "rarity": one.rarity} for one in printings
        ],
        "url": row.get_absolute_url(),
    }
