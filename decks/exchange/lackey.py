"""LackeyCCG decks, ``.dek``: zones with an element for each copy of a card."""

from __future__ import annotations

from collections import Counter
from xml.sax.saxutils import escape, quoteattr

from decks.exchange import xml_tree
from decks.exchange.form import LARGEST, Entry, Form, FormError, Part, Reader, as_text, entries_of, known
from decks.lists.deck_list import DeckList
from decks.lists.names import Names

ZONES: tuple[tuple[Part, str], ...] = (("base", "Base"), ("deck", "Deck"), ("considering", "Sideboard"))
_PARTS: dict[str, Part] = {zone.casefold(): part for part, zone in ZONES}


def write(deck: DeckList, names: Names) -> str:
    """Return ``deck`` as LackeyCCG keeps it; raises FormError for more copies than such a file can hold."""
    entries = entries_of(deck, names)
    if sum(one.quantity for one in entries) > LARGEST:
        raise FormError(f"LackeyCCG writes each copy by itself, and there are more than {LARGEST} here.")
    lines = ['<deck version="0.8">', "  <meta>", "    <game>Battlestar Galactica</game>", "  </meta>"]
    for part, zone in ZONES:
        lines.append(f'  <superzone name="{zone}">')
        for one in entries:
            lines += [_card(one)] * one.quantity if one.part == part else []
        lines.append("  </superzone>")
    return "\n".join([*lines, "</deck>"]) + "\n"


def _card(entry: Entry) -> str:
    code, number = entry.printing or ("", "")
    known_as = quoteattr(f"{code}-{number}" if code else "")
    return f"    <card><name id={known_as}>{escape(entry.name)}</name><set>{escape(code)}</set></card>"


def to_text(text: str, names: Names) -> str:
    """Return the text form of a LackeyCCG deck, equal cards of a zone as one line; raises FormError."""
    tree = xml_tree.read(text, "deck", "LackeyCCG")
    copies: Counter[tuple[Part, str, str]] = Counter()
    for zone in tree.iter("superzone"):
        part = _PARTS.get((zone.get("name") or "").strip().casefold(), "deck")
        for card in zone.iter("card"):
            name = card.find("name")
            copies[part, (name.get("id") or "") if name is not None else "", xml_tree.words_of(name)] += 1
    return as_text(_entry(*key, count, names) for key, count in copies.items())


def _entry(part: Part, id: str, name: str, count: int, names: Names) -> Entry:
    found = known(id, names, quantity=count, part=part)
    if found.printing is None or name:
        found.name = name  # where it disagrees with the printing, the reader says so
    return found


FORM = Form(
    code="lackey",
    name="LackeyCCG",
    told="For LackeyCCG (.dek).",
    extension="dek",
    media_type="application/xml",
    holds=frozenset({"considering"}),
    write=write,
    reader=Reader(
        name="LackeyCCG",
        seems=lambda glance: xml_tree.seems(glance, "deck") and "<superzone" in glance,
        to_text=to_text,
    ),
)
