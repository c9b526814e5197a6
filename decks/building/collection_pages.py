"""The pages of one's own collection: pasting a list, a click more or fewer, a file. Nobody else sees any of it."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from django.contrib import messages
from django.contrib.auth.decorators import login_required
from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.middleware.csrf import get_token
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_http_methods, require_POST, require_safe

from cards_data import catalog as cards_data
from ccg.numbers import whole_number
from ccg.rules.cards.definitions import CardDef
from decks import owning, services
from decks.building import importing
from decks.exchange import csv_rows
from decks.exchange.form import FormError
from decks.lists import listing, textlist
from decks.lists.deck_list import DeckList
from decks.lists.line_reports import picks_of, report
from decks.services import DeckError

CARDS_A_PAGE = 120
HOW: dict[str, owning.How] = {"add": "add", "replace": "replace"}
"""What a button of the form does with the list that was pasted."""


@login_required
@require_http_methods(["GET", "HEAD", "POST"])
def collection(request: HttpRequest) -> HttpResponse:
    """What one owns; a pasted list is read line by line, and kept only when asked to and all is clear."""
    if request.POST.get("do") == "forget":
        owning.forget(request.user)
        messages.success(request, "Your collection is deleted.")
        return redirect("decks:collection")
    text, picks, wrong = request.POST.get("text", ""), picks_of(request.POST), ""
    told: dict[str, Any] = {}
    if request.method == "POST":
        try:
            came = importing.take_in(request, text)
            text, picks = came.text, {} if came.was else picks
            reading = services.read_text(text, picks, owning.LISTED)
            told = report(reading, cards_data.current(), picks)
            if request.POST.get("do") in HOW and not came.was and not reading.undecided:
                owned = owning.take_in(request.user, owning.listed_cards(reading.deck), HOW[request.POST["do"]])
                messages.success(request, f"Your collection has {sum(owned.values())} cards now.")
                return redirect("decks:collection")
        except (DeckError, FormError, textlist.TextTooLongError) as error:
            wrong, text = str(error), text[: owning.LISTED.bytes]
    context = {**_shown(request), **told, "text": text, "wrong": wrong}
    return render(request, "decks/collection.html", context, status=400 if wrong else 200)


@login_required
@require_POST
def change(request: HttpRequest) -> HttpResponse:
    """One copy of a card more or fewer; back to the page of the card, or to its row of the collection."""
    by = 1 if "more" in request.POST else -1
    card_id = request.POST.get("more") or request.POST.get("fewer", "")
    try:
        owning.change(request.user, card_id, by)
    except DeckError as error:
        messages.error(request, str(error))
        return redirect("decks:collection")
    if request.POST.get("back") == "card":
        return redirect("cards_data:card", card_id)
    page = request.POST.get("page", "")
    number = f"?page={page}" if whole_number(page, 3) else ""
    return redirect(f"{reverse('decks:collection')}{number}#{card_id}")


@login_required
@require_safe
def export(request: HttpRequest) -> HttpResponse:
    """One's collection as CSV, which the page takes in again; 404 for whoever has none."""
    owned = owning.owned_by(request.user)
    if owned is None:
        raise Http404
    response = HttpResponse(
        csv_rows.write(DeckList(counts=owned), services.current_names(), owning.MAX_COPIES), content_type="text/csv"
    )
    response["Content-Disposition"] = 'attachment; filename="collection.csv"'
    return response


def on_card_page(card: CardDef, request: HttpRequest) -> Mapping[str, object]:
    """Return what the page of a card shows to whoever has a collection: how many copies they own."""
    owned = owning.owned_by(request.user)
    if owned is None:
        return {}
    return {"card": card, "copies": owned.get(card.id, 0), "token": get_token(request)}


def lacking(request: HttpRequest, base: str, counts: Mapping[str, int]) -> dict[str, Any]:
    """Return what the page of a deck tells who has a collection: which cards they lack, also as text to copy."""
    owned = owning.owned_by(request.user)
    if owned is None:
        return {"has_collection": False}
    catalog = cards_data.current()
    lacked = owning.known_cards(owning.missing(base, counts, owned), cards_data.data())
    return {
        "has_collection": True,
        "lacked": [(n, catalog[card]) for card, n in lacked.items()],
        "lacked_copies": sum(lacked.values()),
        "lacked_text": listing.write(DeckList(counts=lacked), services.current_names()) if lacked else "",
    }


def _shown(request: HttpRequest) -> dict[str, Any]:
    """Return what is listed of the collection of whoever asks."""
    owned = owning.owned_by(request.user)
    counts = owning.known_cards(owned or {}, cards_data.data())
    catalog = cards_data.current()
    page = Paginator(list(counts), CARDS_A_PAGE).get_page(request.GET.get("page"))
    return {
        "exists": owned is not None,
        "page": page,
        "rows": [(counts[card], catalog[card]) for card in page],
        "copies": sum(counts.values()),
        "every": len(catalog),
        "bounds": owning.LISTED,
    }
