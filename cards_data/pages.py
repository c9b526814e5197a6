"""The pages of the card database: cards, one card, sets, one set. They work without JavaScript."""

from __future__ import annotations

from collections import Counter

from django.core.paginator import Paginator
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import redirect, render
from django.views.decorators.http import require_safe

from cards_data import catalog
from cards_data.catalog import CardData
from cards_data.export import public_version
from cards_data.models import RARITIES, RESOURCES, TYPES, Card, Printing, Set
from cards_data.selection import SORTS, VIEWS, Params, Selection
from cards_data.wording import TYPE_NAMES, cost_words, describe, paid, reminders, requirement_words, words_of
from ccg.rules.cards.definitions import CardDef, fold

CARDS_A_PAGE = 60


def select(params: Params) -> tuple[Selection, CardData]:
    """Read the filters in ``params`` against what the newest data version has."""
    data = catalog.data()
    traits = {fold(trait): trait for card in data.catalog for trait in card.traits}
    return Selection.read(params, {fold(one.code): one.code for one in data.sets}, traits), data


@require_safe
def card_list(request: HttpRequest) -> HttpResponse:
    """All cards, or those that pass the filters in the address."""
    selection, data = select(request.GET)
    page = Paginator(selection.cards(), CARDS_A_PAGE).get_page(request.GET.get("page"))
    names = {one.code: one.name for one in data.sets}
    context = {
        "selection": selection,
        "page": page,
        "rows": [card_row(card.definition) for card in page],
        "empty_database": not data.sets,
        "choices": [
            ("type", "Type", [(key, name, key in selection.types) for key, name in TYPES]),
            ("resource", "Costs or makes", [(key, name, key in selection.resources) for key, name in RESOURCES]),
            ("set", "Set", [(code, name, code in selection.sets) for code, name in names.items()]),
        ],
        "traits": [
            (trait, trait in selection.traits) for trait in sorted({t for card in data.catalog for t in card.traits})
        ],
        "sorts": [(key, name, key == selection.sort) for key, (name, _) in SORTS.items()],
        "views": [(key, name, selection.query(view=key), key == selection.view) for key, name in VIEWS.items()],
        "removals": [(names.get(word, word), query) for word, query in selection.removals()],
        "here": selection.query(),
    }
    return render(request, "cards_data/list.html", context)


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
    before, after = _neighbours(row)
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
        "before": before,
        "after": after,
        "versions": [card_row(one.definition) for one in versions.exclude(pk=row.pk).order_by("id")],
    }
    return render(request, "cards_data/card.html", context)


@require_safe
def set_list(request: HttpRequest) -> HttpResponse:
    """All sets, with how many cards of each type they hold."""
    data = catalog.data()
    sets = [(one, _counts(data, one.code)) for one in data.sets]
    return render(request, "cards_data/sets.html", {"sets": sets, "cards": len(data.catalog)})


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


def _neighbours(row: Card) -> tuple[Card | None, Card | None]:
    """Return the cards before and after this one in the set of its first printing."""
    first = row.printings.filter(pk=row.pk).first()
    if first is None:
        return None, None
    others = Printing.objects.filter(set=first.set_id, withdrawn=False).select_related("card")
    before = others.filter(number__lt=first.number).order_by("-number").first()
    after = others.filter(number__gt=first.number).order_by("number").first()
    return before.card if before else None, after.card if after else None


def _counts(data: CardData, code: str) -> dict[str, object]:
    one = next(one for one in data.sets if one.code == code)
    types = Counter(data.catalog[printing.card].type for printing in one.printings)
    return {
        "printings": len(one.printings),
        "types": [(TYPE_NAMES[key][types[key] != 1], types[key]) for key in TYPE_NAMES if types[key]],  # type: ignore[index]
    }
