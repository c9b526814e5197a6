"""Template tags of the deck pages: marked text, and pictures of numbers drawn by the server.

The charts are plain SVG with attributes only (the site's policy allows no inline style); colours come
from the classes of the icons, and each chart has a table twin in the template.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence

from django import template
from django.urls import reverse
from django.utils.html import conditional_escape, format_html
from django.utils.safestring import SafeString, mark_safe

from cards_data import catalog as cards_data
from cards_data.search.kinds import quoted
from cards_data.wording import TYPE_NAMES, paid, requirement_words
from ccg.rules.cards.definitions import RESOURCES, CardDef
from decks.lists import winning
from decks.lists.differences import Change, Difference
from decks.lists.legality import MARK
from decks.lists.stats import COLUMNS, TYPE_ORDER, Balance, CurveColumn
from decks.models import DeckTag

register = template.Library()

CURVE_HEIGHT = 96
BAR_WIDTH = 220


@register.filter
def marked(text: str) -> SafeString:
    """Return marked text as HTML: cards as links over which the client shows the card, all else escaped."""
    parts, end = [], 0
    for mark in MARK.finditer(text):
        parts.append(conditional_escape(text[end : mark.start()]))
        parts.append(
            format_html(
                '<a class="card-name" data-card="{}" href="{}">{}</a>',
                mark[1],
                reverse("cards_data:card", args=[mark[1]]),
                mark[2],
            )
        )
        end = mark.end()
    parts.append(conditional_escape(text[end:]))
    return mark_safe("".join(parts))  # noqa: S308 (every part is escaped above)


@register.filter
def asked_for(tag: DeckTag) -> str:
    """Return what the search for decks is asked for decks with this tag."""
    return f"tag:{quoted(tag.word)}"


@register.filter
def type_heading(kind: str) -> str:
    """Return the heading over cards of a type: "Ships"."""
    return TYPE_NAMES[kind][1]


@register.inclusion_tag("decks/_asks.html")
def asks(card: CardDef) -> dict[str, object]:
    """Return what ``card`` costs, in icons, and what a mission needs to be resolved."""
    return {"cost": paid(card.cost), "requires": requirement_words(card.requires)}


@register.filter
def entry(table: Mapping[str, object], key: str) -> object:
    """Return what ``table`` has under ``key``, or nothing."""
    return table.get(key, "")


@register.filter
def percent(share: float) -> str:
    """Return a share as whole percent."""
    return f"{winning.percent(share)} %"


@register.inclusion_tag("decks/_curve.html")
def cost_curve(curve: Sequence[CurveColumn]) -> dict[str, object]:
    """Draw how many cards there are of each cost, by what pays for them."""
    tallest = max((column.total for column in curve), default=0) or 1
    floor = 20 + CURVE_HEIGHT
    bars = [_bar(column, 8 + 44 * place, tallest) for place, column in enumerate(curve)]
    shown = [name for place, name in enumerate(COLUMNS) if any(column.copies[place] for column in curve)]
    rows = [(column, [column.copies[COLUMNS.index(name)] for name in shown]) for column in curve if column.total]
    return {
        "bars": bars,
        "rows": rows,
        "shown": shown,
        "width": 16 + 44 * len(curve) - 14,
        "floor": floor,
        "height": floor + 22,
        "words": ", ".join(f"{column.total} at {column.label}" for column in curve if column.total) or "no costs",
    }


@register.inclusion_tag("decks/_difference.html")
def changes(found: Difference, level: int = 3) -> dict[str, object]:
    """Show what came and what went between two lists, by type, each under a heading of this level.

    Cards that are in no set any more have their names.
    """
    catalog = cards_data.current()
    named = {change.card for change in (*found.bases, *found.cards, *found.considering)} | set(found.tagged)
    gone = cards_data.withdrawn(named - catalog.index.keys())
    cards = {card: catalog[card] if card in catalog else gone.get(card) for card in named}
    kinds: list[tuple[str, Sequence[Change]]] = [("Base", found.bases)]
    kinds += [
        (TYPE_NAMES[kind][1], [one for one in found.cards if _type(cards[one.card]) == kind]) for kind in TYPE_ORDER
    ]
    kinds += [("Not in the card database", [one for one in found.cards if cards[one.card] is None])]
    kinds += [("Considering", found.considering)]
    groups = [
        (heading, sorted(((one, cards[one.card]) for one in rows), key=_by_name)) for heading, rows in kinds if rows
    ]
    return {
        "level": level,
        "difference": found,
        "groups": groups,
        "tagged": [cards[card] for card in found.tagged if cards[card]],
    }


def _type(card: CardDef | None) -> str:
    return card.type if card else ""


def _by_name(row: tuple[Change, CardDef | None]) -> tuple[bool, str]:
    """Order rows: what came before what went, each by name."""
    change, card = row
    return change.by < 0, card.name if card else change.card


@register.inclusion_tag("decks/_balance.html")
def resource_balance(balance: Sequence[Balance]) -> dict[str, object]:
    """Draw, for each resource, its share of the makers (solid) beside its share of the costs (hatched)."""
    most = max((max(one.makes_share, one.cost_share) for one in balance), default=0) or 1
    rows = [
        {
            "one": one,
            "makes": round(BAR_WIDTH * one.makes_share / most, 1),
            "costs": round(BAR_WIDTH * one.cost_share / most, 1),
        }
        for one in balance
    ]
    return {"rows": rows, "width": BAR_WIDTH, "resources": RESOURCES}


def _bar(column: CurveColumn, left: int, tallest: int) -> dict[str, object]:
    """Stack the copies of one cost on the floor of the curve."""
    top: float = 20 + CURVE_HEIGHT
    pieces = []
    for resource, copies in zip(COLUMNS, column.copies, strict=True):
        height = CURVE_HEIGHT * copies / tallest
        top -= height
        if copies:
            pieces.append({"resource": resource, "y": round(top, 1), "height": round(max(height - 1, 1), 1)})
    return {"x": left, "middle": left + 15, "column": column, "above": round(top - 5, 1), "pieces": pieces}
