"""The pages of the card database: cards, one card, sets, one set. They work without JavaScript."""

from __future__ import annotations

from collections import Counter
from typing import NamedTuple
from urllib.parse import urlencode

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.urls import reverse
from django.views.decorators.http import require_safe

from cards_data import card_sections, catalog, saved_pages
from cards_data.catalog import CardData
from cards_data.export import public_version
from cards_data.listing import Listing
from cards_data.models import RARITIES, Card, Printing, Set
from cards_data.search import cards, known
from cards_data.search import help as search_help_texts
from cards_data.search.cards import LANGUAGE, vocabulary
from cards_data.search.errors import MAX_CHARACTERS
from cards_data.search.language import Query
from cards_data.wording import TYPE_NAMES, cost_words, describe, paid, reminders, requirement_words, words_of
from ccg.rules.cards.definitions import CardDef


@require_safe
def card_list(request: HttpRequest) -> HttpResponse:
    """All cards, or those that the query in the address asks for."""
    data = catalog.data()
    listing = Listing.read(request.GET.dict(), data, known.told(data, request.user))
    toggle = request.GET.get("toggle", "")
    if not listing.wrong and (toggle or "last" in request.GET):
        query = listing.toggled(toggle) if toggle else listing.query.text
        return redirect(f"{reverse('cards_data:list')}{'?' if query else ''}{urlencode({'q': query} if query else {})}")
    page = listing.page(request.GET.get("page"))
    context = {
        "listing": listing,
        "page": page,
        "rows": [card_row(card.definition) for card in page],
        "meant": "" if len(page) else listing.meant(),
        "empty_database": not data.sets,
        "longest": MAX_CHARACTERS,
        **saved_pages.shown(request, "cards"),
    }
    return render(request, "cards_data/list.html", context, status=400 if listing.wrong else 200)


def read_for(text: str, person: object) -> Query:
    """Return what ``text`` asks of the cards for ``person``; raises cards_data.search.errors.QueryError."""
    data = catalog.data()
    return cards.read(text, data, known.told(data, person))


@require_safe
def search_help(request: HttpRequest) -> HttpResponse:
    """How to search for cards: every form and every field, as the search itself knows them."""
    data = catalog.data()
    rows = search_help_texts.rows(LANGUAGE, {**vocabulary(data), **known.told(data).words()})
    context = {
        "rows": rows,
        "forms": search_help_texts.FORMS,
        "missing": search_help_texts.MISSING,
        "bounds": search_help_texts.BOUNDS,
    }
    return render(request, "cards_data/search_help.html", context)


@require_safe
def card(request: HttpRequest, card_id: str) -> HttpResponse:
    """One card. The id of a later printing, or one in small letters, leads to the card's own address."""
    printing = Printing.objects.filter(pk=card_id.upper()).select_related("card").first()
    if printing is None:
        raise Http404(f"There is no card {card_id[:20]}.")
    row = printing.card
    if row.id != card_id:
        return redirect(row, permanent=True)
    definition = row.definition
    versions = Card.objects.filter(folded_title=row.folded_title, withdrawn=False) if row.title else Card.objects.none()
    context = {
        "card": definition,
        # A withdrawn card is drawn from the last data version that had it.
        "catalog_version": public_version(catalog.last_with(row.id) if row.withdrawn else None),
        "row": row,
        "type_name": TYPE_NAMES[row.type][0],
        "description": describe(definition),
        "cost": paid(definition.cost),
        "has_cost": row.cost is not None,
        "cost_words": cost_words(definition.cost),
        "words": words_of(definition),
        "reminders": reminders(definition),
        "requirement": requirement_words(definition.requires),
        "printings": row.printings.select_related("set").order_by("set__year", "set", "number"),
        "steps": _steps_in_result(row, request.GET.get("q", ""), request.user) or _steps_in_set(row),
        "address": request.build_absolute_uri(row.get_absolute_url()),
        "api_address": request.build_absolute_uri(reverse("cards_data:api_card", args=[row.id])),
        "sections": card_sections.sections(definition, request),
        "versions": [card_row(one.definition) for one in versions.exclude(pk=row.pk).order_by("id")],
    }
    return render(request, "cards_data/card.html", context)


@require_safe
def set_list(request: HttpRequest) -> HttpResponse:
    """All sets, with how many cards of each type they hold."""
    data = catalog.data()
    sets = [(one, _counts(data, one.code)) for one in data.sets]
    context = {"sets": sets, "cards": len(data.catalog), "printings": len(data.printings)}
    return render(request, "cards_data/sets.html", context)


@require_safe
def set_detail(request: HttpRequest, code: str) -> HttpResponse:
    """One set: every printing by number, grouped by type."""
    row = Set.objects.filter(pk=code.upper()).first()
    if row is None:
        raise Http404(f"There is no set {code[:20]}.")
    if row.code != code:
        return redirect(row, permanent=True)
    printings = row.printings.filter(withdrawn=False).select_related("card").order_by("number")

    def groups() -> list[tuple[str, list[tuple[Printing, dict[str, object]]]]]:
        """Return what stands under each heading; asked for only where the page is not in memory already."""
        by_type = [(names[1], [p for p in printings if p.card.type == key]) for key, names in TYPE_NAMES.items()]
        return [(name, [(p, card_row(p.card.definition)) for p in some]) for name, some in by_type if some]

    context = {
        "set": row,
        "total": len(printings),
        "groups": groups,
        "version": public_version(),
        "rarities": [(name, n) for key, name in RARITIES if (n := sum(p.rarity == key for p in printings))],
        "others": Set.objects.filter(printings__withdrawn=False).exclude(pk=row.pk).distinct(),
    }
    return render(request, "cards_data/set.html", context)


def card_row(card: CardDef) -> dict[str, object]:
    """Return what a line or a tile says of a card."""
    return {
        "card": card,
        "type_name": TYPE_NAMES[card.type][0],
        "cost": paid(card.cost),
        "requires": requirement_words(card.requires),
        "words": describe(card),
    }


class Steps(NamedTuple):
    """The cards before and after one, in a set or in what a search found.

    ``listing`` is that search, with the place of the card in it and how many it found; ``address`` goes with each
    link, so that one steps on in the same result.
    """

    before: Card | None
    after: Card | None
    listing: Listing | None = None
    place: int = 0
    found: int = 0

    @property
    def address(self) -> str:
        """The parameters with which the pages of these cards are asked for."""
        return self.listing.address if self.listing else ""


def _steps_in_result(row: Card, query: str, person: object) -> Steps | None:
    """Return the steps from a card in what ``query`` finds; None where that cannot be read, or finds it not."""
    if not query or len(query) > MAX_CHARACTERS:
        return None
    data = catalog.data()
    listing = Listing.read({"q": query}, data, known.told(data, person))
    if listing.wrong:
        return None
    # All ids of a result are one short query: there are no more cards than have been printed.
    found = list(cards.find(listing.query, listing.known).values_list("pk", flat=True))
    if row.pk not in found:
        return None
    place = found.index(row.pk)
    around = Card.objects.in_bulk(found[max(place - 1, 0) : place + 2])
    before = around[found[place - 1]] if place else None
    after = around[found[place + 1]] if place + 1 < len(found) else None
    return Steps(before, after, listing, place + 1, len(found))


def _steps_in_set(row: Card) -> Steps:
    """Return the steps from a card in the set of its first printing."""
    first = row.printings.filter(pk=row.pk).first()
    if first is None:
        return Steps(None, None)
    others = Printing.objects.filter(set=first.set_id, withdrawn=False).select_related("card")
    before = others.filter(number__lt=first.number).order_by("-number").first()
    after = others.filter(number__gt=first.number).order_by("number").first()
    return Steps(before.card if before else None, after.card if after else None)


def _counts(data: CardData, code: str) -> dict[str, object]:
    one = next(one for one in data.sets if one.code == code)
    types = Counter(data.catalog[printing.card].type for printing in one.printings)
    return {
        "printings": len(one.printings),
        "types": [(TYPE_NAMES[key][types[key] != 1], types[key]) for key in TYPE_NAMES if types[key]],  # type: ignore[index]
    }
