"""Template tags for the pages of the rules."""

from __future__ import annotations

from django import template
from django.urls import reverse
from django.utils.html import conditional_escape, format_html, format_html_join
from django.utils.safestring import SafeString

from ccg.rules.telling.wording.marks import Part, parts

register = template.Library()


@register.filter
def told(text: str) -> SafeString:
    """Return marked text as HTML: cards as links over which the client shows the card, the rest as plain words."""
    return format_html_join("", "{}", ((_part(part),) for part in parts(text)))


def _part(part: Part) -> SafeString:
    if part.kind != "card":
        return conditional_escape(part.text)
    address = reverse("cards_data:card", args=[part.id])
    return format_html('<a class="card-name" data-card="{}" href="{}">{}</a>', part.id, address, part.text)
