"""OCTGN decks, ``.o8d``: sections with cards, each known by a GUID.

There is no definition of the game for OCTGN that we know of, so the GUIDs are our own: made from the ids of printings,
the same for ever. Names stand beside them.
"""

from __future__ import annotations

from functools import lru_cache
from uuid import UUID, uuid5
from xml.sax.saxutils import escape, quoteattr

from decks.exchange import xml_tree
from decks.exchange.form import Entry, Form, Part, Reader, as_text, entries_of, quantity_of
from decks.lists.deck_list import DeckList
from decks.lists.names import Names

GAME = UUID("5a61c0c5-9a3a-5b0e-8f5d-7b9b6a1f2006")
SECTIONS: tuple[tuple[Part, str], ...] = (("base", "Base"), ("deck", "Deck"), ("considering", "Considering"))
_ASIDE = {"considering", "sideboard", "maybeboard"}


def guid(code: str, number: int) -> str:
    """Return the GUID of a printing."""
    return str(uuid5(GAME, f"{code.upper()}-{number}"))


@lru_cache(maxsize=2)
def _printings(names: Names) -> dict[str, tuple[str, int]]:
    return {guid(code, number): (code.upper(), number) for code, number in names.by_printing}


def write(deck: DeckList, names: Names) -> str:
    """Return ``deck`` as OCTGN keeps it; its name is in the notes."""
    entries = entries_of(deck, names)
    lines = ['<?xml version="1.0" encoding="utf-8" standalone="yes"?>', f'<deck game="{GAME}">']
    for part, section in SECTIONS:
        lines.append(f'  <section name="{section}" shared="False">')
        lines += [_card(one) for one in entries if one.part == part]
        lines.append("  </section>")
    lines += [f"  <notes>{escape(deck.name)}</notes>", "</deck>"]
    return "\n".join(lines) + "\n"


def _card(entry: Entry) -> str:
    known_as = guid(*entry.printing) if entry.printing else ""
    return f"    <card qty={quoteattr(str(entry.quantity))} id={quoteattr(known_as)}>{escape(entry.name)}</card>"


def to_text(text: str, names: Names) -> str:
    """Return the text form of an OCTGN deck; raises FormError."""
    tree = xml_tree.read(text, "deck", "OCTGN")
    entries = []
    for section in tree.iter("section"):
        part = _part(section.get("name") or "")
        for card in section.iter("card"):
            printing = _printings(names).get((card.get("id") or "").casefold())
            entries.append(
                Entry(
                    name=xml_tree.words_of(card),
                    printing=printing,
                    quantity=quantity_of(card.get("qty")),
                    part=part,
                )
            )
    return as_text(entries, name=xml_tree.words_of(tree.find("notes")))


def _part(section: str) -> Part:
    word = section.strip().casefold()
    return "base" if word == "base" else "considering" if word in _ASIDE else "deck"


FORM = Form(
    code="octgn",
    name="OCTGN",
    told="For OCTGN (.o8d).",
    extension="o8d",
    media_type="application/xml",
    holds=frozenset({"name", "considering"}),
    write=write,
    reader=Reader(
        name="OCTGN",
        seems=lambda glance: xml_tree.seems(glance, "deck") and "<section" in glance,
        to_text=to_text,
    ),
)
