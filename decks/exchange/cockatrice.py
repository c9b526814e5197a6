"""Cockatrice decks, ``.cod``: the cards in the zone ``main``, the base in ``side``."""

from __future__ import annotations

from xml.etree.ElementTree import Element
from xml.sax.saxutils import escape, quoteattr

from decks.exchange import xml_tree
from decks.exchange.form import Entry, Form, Reader, as_text, entries_of, quantity_of
from decks.lists.deck_list import DeckList
from decks.lists.names import Names


def write(deck: DeckList, names: Names) -> str:
    """Return ``deck`` as Cockatrice keeps it."""
    entries = entries_of(deck, names)
    lines = ['<?xml version="1.0" encoding="UTF-8"?>', '<cockatrice_deck version="1">']
    lines += [f"  <deckname>{escape(deck.name)}</deckname>", "  <comments></comments>"]
    for zone, part in (("main", "deck"), ("side", "base")):
        lines.append(f'  <zone name="{zone}">')
        lines += [_card(one) for one in entries if one.part == part]
        lines.append("  </zone>")
    return "\n".join([*lines, "</cockatrice_deck>"]) + "\n"


def _card(entry: Entry) -> str:
    code, number = entry.printing or ("", "")
    printing = f' setShortName="{code}" collectorNumber="{number}"' if code else ""
    return f"    <card number={quoteattr(str(entry.quantity))} name={quoteattr(entry.name)}{printing}/>"


def to_text(text: str, names: Names) -> str:
    """Return the text form of a Cockatrice deck; raises FormError.

    In the zone ``side`` bases are the base, and other cards are considered. What is in the zone ``tokens`` is no card.
    """
    tree = xml_tree.read(text, "cockatrice_deck", "Cockatrice")
    zones = [((zone.get("name") or "").casefold(), zone) for zone in tree.iter("zone")]
    entries = [
        _entry(card, name == "side", names) for name, zone in zones if name != "tokens" for card in zone.iter("card")
    ]
    return as_text(entries, name=xml_tree.words_of(tree.find("deckname")))


def _entry(card: Element, aside: bool, names: Names) -> Entry:
    name, code = " ".join((card.get("name") or "").split()), card.get("setShortName") or ""
    number = quantity_of(card.get("collectorNumber") or "0")
    printing = (code, number) if code.casefold() in names.codes and number else None
    is_base = aside and bool(names.find(name, bases_only=True))
    part = "base" if is_base else "considering" if aside else "deck"
    return Entry(name=name, printing=printing, quantity=quantity_of(card.get("number")), part=part)  # type: ignore[arg-type]


FORM = Form(
    code="cockatrice",
    name="Cockatrice",
    told="For Cockatrice (.cod).",
    extension="cod",
    media_type="application/xml",
    holds=frozenset({"name"}),
    write=write,
    reader=Reader(
        name="Cockatrice",
        seems=lambda glance: xml_tree.seems(glance, "cockatrice_deck"),
        to_text=to_text,
    ),
)
