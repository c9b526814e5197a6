"""Worked pictures for the rules: a few cards as they lie at the table, drawn by the components of the table.

In a text they are a block of code called ``position``: each line a name and the pieces that lie there, by the ids of
their cards; ``+2`` is so many supply cards, and a word after an id says how it stands (:data:`STATES`). A line that
begins with ``>`` says below the picture what is to be seen. Without JavaScript the same stands there in words.
"""

from __future__ import annotations

import re

from django.urls import reverse
from django.utils.html import format_html, format_html_join
from django.utils.safestring import SafeString
from msgspec import Struct

from ccg.rules import Catalog
from ccg.rules.cards.definitions import CardDef

STATES = {
    "exhausted": "exhausted",
    "challenges": "challenging",
    "defends": "defending",
    "threat": "as a Cylon threat",
}
"""How a piece can stand, and the same in words."""

PIECE = re.compile(r"(?P<card>[A-Z0-9]+-[A-Z0-9]+)(?:\+(?P<supplies>\d))?(?: (?P<state>[a-z]+))?")


class Piece(Struct, frozen=True):
    """A card as it lies there."""

    card: CardDef
    supplies: int
    state: str
    in_stack: bool
    """Whether it heads a resource stack."""


def picture(text: str, catalog: Catalog) -> SafeString:
    """Return the picture that a block says; raises ValueError for a line that says none."""
    lines, said = [], []
    for line in filter(None, map(str.strip, text.splitlines())):
        if line.startswith(">"):
            said.append(line[1:].strip())
            continue
        name, colon, pieces = line.partition(":")
        if not colon:
            raise ValueError(f"{line!r} has no name and colon.")
        lines.append(
            (name, format_html_join("", "<li>{}</li>", ((_drawn(one),) for one in _pieces(name, pieces, catalog))))
        )
    return format_html(
        '<figure class="position"><div class="position-lines">{}</div><figcaption>{}</figcaption></figure>',
        format_html_join("", '<div class="position-line"><span class="label">{}</span><ul>{}</ul></div>', lines),
        " ".join(said),
    )


def _pieces(name: str, text: str, catalog: Catalog) -> list[Piece]:
    found = []
    for one in text.split(","):
        match = PIECE.fullmatch(one.strip())
        if match is None or match["card"] not in catalog or (match["state"] or "exhausted") not in STATES:
            raise ValueError(f"{one.strip()!r} is no piece.")
        in_stack = name.lower().endswith("resources")
        found.append(Piece(catalog[match["card"]], int(match["supplies"] or 0), match["state"] or "", in_stack))
    return found


def _drawn(piece: Piece) -> SafeString:
    words = [f"{piece.supplies} supply card{'s' * (piece.supplies > 1)}"] if piece.supplies else []
    words += [STATES[piece.state]] if piece.state else []
    return format_html(
        '<ccg-piece card="{}" supplies="{}" state="{}"{}>'
        '<a class="card-name" data-card="{}" href="{}">{}</a>{}</ccg-piece>',
        piece.card.id,
        piece.supplies,
        piece.state,
        " stack" if piece.in_stack else "",
        piece.card.id,
        reverse("cards_data:card", args=[piece.card.id]),
        piece.card.name,
        f" ({', '.join(words)})" if words else "",
    )
