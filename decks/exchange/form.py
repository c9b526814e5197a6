"""What a form of decks is: how it is called, how it is written, and how it becomes the text form."""

from __future__ import annotations

from collections.abc import Callable, Iterable
from typing import Literal

from msgspec import Struct, field

from ccg.numbers import whole_number
from ccg.rules.cards.definitions import Catalog
from ccg.words import one_line
from decks.lists import listing
from decks.lists.deck_list import DeckList, clean_name
from decks.lists.names import Names
from decks.lists.textlist import MAX_LINE, MAX_QUANTITY

Part = Literal["base", "deck", "considering"]
Held = Literal["name", "format", "considering", "tags"]
"""What a form may leave out. Base, cards and counts are in all of them."""

LARGEST = 10_000
"""The largest count that is taken apart into lines; a larger one stays one line, which is then refused."""
MAX_ENTRIES = 2_000
"""Entries of a file that are looked at. A list of so many lines is refused by the reader of the text form."""


class FormError(ValueError):
    """A file or text is not of the form that it seemed to be; the message says what is wrong, in a sentence."""


class Reader(Struct, frozen=True, kw_only=True):
    """How a form is told from others by the beginning of a text, and how it becomes the text form."""

    name: str
    seems: Callable[[str], bool]
    """Takes at most :data:`GLANCE` characters, from the first that is no white space."""
    to_text: Callable[[str, Names], str]
    """Raises :class:`FormError`."""


class Form(Struct, frozen=True, kw_only=True):
    """A form of decks. One without a reader is read as the text form, or as what comes near to it."""

    code: str
    name: str
    """What people call it, as in "OCTGN"."""
    told: str
    """A sentence for whoever chooses among the forms."""
    extension: str
    media_type: str
    holds: frozenset[Held]
    write: Callable[[DeckList, Names], str]
    reader: Reader | None = None


_NO_CARDS = Names(Catalog(()), ())

GLANCE = 2_000
"""Characters by which forms are told apart."""


class Entry(Struct, kw_only=True):
    """One entry of a file, as far as the file says: a name, a printing, a card id. Nothing of it need be right."""

    name: str = ""
    printing: tuple[str, int] | None = None
    quantity: int = 1
    part: Part = "deck"
    tags: list[str] = field(default_factory=list)


def as_text(entries: Iterable[Entry], name: str = "", format: str = "") -> str:
    """Return the text form with these entries: head, bases, cards of the deck, cards considered.

    An entry is one line, or several where its count is larger than a line may say. Nothing is checked: what cannot be
    understood is refused by whoever reads the lines, with its reason.
    """
    kept = list(entries)
    if len(kept) > MAX_ENTRIES:
        raise FormError(f"There are {len(kept)} entries in this file; a deck has {MAX_ENTRIES} at most.")
    head = listing.write(DeckList(name=clean_name(name), format=clean_name(format)), _NO_CARDS).rstrip("\n")
    lines = [head] if head else []
    lines += [f"Base: {line}" for one in kept if one.part == "base" for line in _lines(one)]
    for part, heading in (("deck", "Cards"), ("considering", "Considering")):
        of_part = [line for one in kept if one.part == part for line in _lines(one)]
        lines += ["", heading, *of_part] if of_part else []
    return "\n".join(lines).lstrip("\n") + "\n"


def known(card_id: object, names: Names, **more: object) -> Entry:
    """Return the entry of a card or printing by its id; one with the id as its name if there is no such card."""
    text = card_id if isinstance(card_id, str) else repr(card_id)
    code, _, number = text.strip().rpartition("-")
    printed = (code.upper(), place) if (place := whole_number(number, 4)) is not None else None
    card = names.by_printing.get((printed[0].casefold(), printed[1])) if printed else None
    if card is None and text in names.catalog:
        card, printed = text, names.first.get(text)
    if card is None:
        return Entry(name=text, **more)  # type: ignore[arg-type]
    return Entry(name=names.catalog[card].name, printing=printed, **more)  # type: ignore[arg-type]


def entries_of(deck: DeckList, names: Names) -> list[Entry]:
    """Return everything in ``deck``, with names and first printings, in the order of the text form."""
    rows: list[tuple[Part, str, int]] = [("base", base, 1) for base in deck.bases]
    rows += [("deck", card, deck.counts[card]) for card in by_name(deck.counts, names)]
    rows += [("considering", card, deck.considering[card]) for card in by_name(deck.considering, names)]
    tagged: set[str] = set()
    entries = []
    for part, card, quantity in rows:
        tags = [] if card in tagged else deck.tags.get(card, [])
        tagged.add(card)
        entries.append(known(card, names, quantity=quantity, part=part, tags=list(tags)))
    return entries


def by_name(cards: Iterable[str], names: Names) -> list[str]:
    """Return the cards in order of their names; those that are not known come first, by id."""
    return sorted(cards, key=lambda card: (names.catalog[card].name if card in names.catalog else "", card))


def quantity_of(value: object) -> int:
    """Return the count that a file says, as a number or in digits; 0 for what is none, which no line may say."""
    if isinstance(value, bool):
        return 0
    if isinstance(value, int):
        return value if 0 <= value <= 10**9 else 0
    text = str(value).strip() if value is not None else "1"
    return whole_number(text, 9) or 0


def _lines(entry: Entry) -> list[str]:
    printing = f" ({entry.printing[0]}) {entry.printing[1]}" if entry.printing else ""
    tags = "".join(f" #{tag}" for tag in entry.tags)
    rest = f"{one_line(entry.name, MAX_LINE)}{printing}{tags}"
    whole, left = divmod(entry.quantity, MAX_QUANTITY) if 0 < entry.quantity <= LARGEST else (0, entry.quantity)
    quantities = [MAX_QUANTITY] * whole + [left] * bool(left or not whole)
    return [rest if entry.part == "base" and quantity == 1 else f"{quantity} {rest}" for quantity in quantities]
