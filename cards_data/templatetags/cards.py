"""Template tags for pages that show cards, of this app and of those above it."""

from __future__ import annotations

from django import template
from django.urls import reverse
from django.utils.html import format_html
from django.utils.safestring import SafeString

from cards_data.export import public_version
from cards_data.models import Card
from ccg.rules.cards.definitions import CardDef
from ccg.rules.telling.wording.marks import parts

register = template.Library()


@register.simple_tag
def catalog_version() -> str:
    """Return the version for ``<meta name="catalog-version">``: it names one ``catalog.json`` for ever."""
    return public_version()


@register.simple_tag
def card_name(card: Card | CardDef, parameters: str = "") -> SafeString:
    """Return the name of a card as a link to its page, over which the client shows the card.

    ``parameters`` go with the address: the search that found it, in which one steps on from there.
    """
    address = reverse("cards_data:card", args=[card.id]) + (f"?{parameters}" if parameters else "")
    return format_html(
        '<a class="card-name" data-card="{}" data-type="{}" href="{}">{}</a>', card.id, card.type, address, card.name
    )


DONE = frozenset({"ready", "commit", "exhaust", "restore", "sacrifice"})
"""Icons that stand beside their word; the others stand for it."""


@register.inclusion_tag("cards_data/_marked.html")
def marked(text: str) -> dict[str, object]:
    """Show marked text: icons, and traits and keywords in bold."""
    return {"parts": parts(text), "done": DONE}
