"""Decks on their way out: files of every form, the QR code, and pages for the printer."""

from __future__ import annotations

from typing import Any

from django.http import Http404, HttpRequest, HttpResponse, JsonResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.http import urlencode
from django.views.decorators.http import require_safe

from cards_data import catalog as cards_data
from decks import judging, services
from decks.exchange import code, json_form, registry
from decks.exchange import qr as qr_codes
from decks.exchange.form import Form, FormError
from decks.finding import version_or_404, visible_or_404
from decks.keeping import kept_if_public
from decks.lists.stats import groups
from decks.models import Deck, DeckVersion

MAX_PROXIES = 200
"""Cards on one page for the printer."""


def menu(deck: Deck, version: DeckVersion) -> dict[str, Any]:
    """Return what the export menu of a deck page shows."""
    at = [deck.ref] if version.pk == deck.head_id else [deck.ref, version.number]
    prefix = "decks:" if len(at) == 1 else "decks:version_"
    rows = [(form, reverse(f"{prefix}export", args=[*at, form.code])) for form in registry.FORMS]
    pages = {name: reverse(f"{prefix}{name}", args=at) for name in ("print", "proxies", "qr")}
    return {"forms": rows, **pages}


@require_safe
def export(request: HttpRequest, uid: str, form: str, number: int | None = None) -> HttpResponse:
    """A deck as a file of one of the forms."""
    chosen = registry.BY_CODE.get(form)
    if chosen is None:
        raise Http404
    deck, version = _found(request, uid, number)
    listed = services.as_published(deck, version)
    try:
        written = chosen.write(listed, services.current_names())
    except FormError as error:
        return HttpResponse(f"{error}\n", status=400, content_type="text/plain; charset=utf-8")
    return kept_if_public(_file(written, chosen, registry.file_name(listed, chosen)), deck)


def _file(written: str, form: Form, name: str) -> HttpResponse:
    response = HttpResponse(written, content_type=f"{form.media_type}; charset=utf-8")
    response["Content-Disposition"] = f'attachment; filename="{name}"'
    return response


@require_safe
def qr(request: HttpRequest, uid: str, number: int | None = None) -> HttpResponse:
    """The QR code of the address under which anybody can take over the list of a deck."""
    deck, version = _found(request, uid, number)
    try:
        said = code.encode(services.as_list(deck, version), services.current_names())
        address = request.build_absolute_uri(f"{reverse('decks:new')}?{urlencode({'code': said})}")
        picture = qr_codes.svg(address)
    except (FormError, qr_codes.DataOverflowError):
        raise Http404 from None
    return kept_if_public(HttpResponse(picture, content_type="image/svg+xml"), deck)


@require_safe
def print_list(request: HttpRequest, uid: str, number: int | None = None) -> HttpResponse:
    """The list of a deck for the printer: what a referee wants to see of it, with room to sign."""
    deck, version = _found(request, uid, number)
    catalog = cards_data.current()
    withdrawn = cards_data.withdrawn({version.base, *version.counts} - catalog.index.keys())
    context = {
        "deck": deck,
        "version": version,
        "base": catalog[version.base] if version.base in catalog else withdrawn.get(version.base),
        "groups": list(groups(version.counts, catalog)),
        "others": [(n, withdrawn.get(card, card)) for card, n in version.counts.items() if card not in catalog],
        "problems": judging.check_version(version, deck),
    }
    return kept_if_public(render(request, "decks/print.html", context), deck)


@require_safe
def proxies(request: HttpRequest, uid: str, number: int | None = None) -> HttpResponse:
    """Every copy of a deck's cards as we draw them, at the size of real cards, to print and cut out."""
    deck, version = _found(request, uid, number)
    catalog = cards_data.current()
    copies = [card for card, n in sorted(version.counts.items()) for _ in range(min(n, MAX_PROXIES))]
    copies += [version.base] * bool(version.base)  # it lies across, and goes last
    known = [catalog[card] for card in copies if card in catalog]
    context = {"deck": deck, "version": version, "cards": known[:MAX_PROXIES], "more": max(0, len(known) - MAX_PROXIES)}
    return kept_if_public(render(request, "decks/proxies.html", context), deck)


@require_safe
def schema(request: HttpRequest) -> JsonResponse:
    """The JSON Schema of decks, which programs may read from anywhere."""
    response = JsonResponse(json_form.json_schema(), content_type="application/schema+json")
    response["Access-Control-Allow-Origin"] = "*"
    response["Cache-Control"] = "public, max-age=3600"
    return response


def _found(request: HttpRequest, uid: str, number: int | None) -> tuple[Deck, DeckVersion]:
    deck = visible_or_404(request, uid)
    return deck, version_or_404(deck, number)
