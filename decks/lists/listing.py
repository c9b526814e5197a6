"""A deck is written in its text form, so that :mod:`decks.lists.textlist` reads it as the same deck."""

from __future__ import annotations

from collections.abc import Iterable, Mapping

from ccg.rules.authoring.deck_lines import heading
from decks.lists.deck_list import DeckList
from decks.lists.names import Names
from decks.lists.textlist import MAX_QUANTITY

_TYPES: tuple[tuple[str, str], ...] = (
    ("personnel", "Personnel"),
    ("ship", "Ships"),
    ("mission", "Missions"),
    ("event", "Events"),
    ("base", "Bases"),
)


def write(deck: DeckList, names: Names) -> str:
    """Return ``deck`` as text that the reader reads as the same deck; a card not known stands by its id."""
    lines = [f"Name: {deck.name}" if heading(deck.name) else f"# {deck.name}"] if deck.name else []
    lines += [f"Format: {deck.format}"] if deck.format else []
    lines += [f"Base: {_written(base, names)}{_written_tags(base, deck)}" for base in deck.bases]
    for kind, words in _TYPES:
        cards = [card for card in deck.counts if card in names.catalog and names.catalog[card].type == kind]
        lines += _block(f"{words} ({sum(deck.counts[card] for card in cards)})", cards, deck.counts, deck, names)
    strange = [card for card in deck.counts if card not in names.catalog]
    lines += _block("Cards", strange, deck.counts, deck, names)
    lines += _block("Considering", deck.considering, deck.considering, deck, names)
    return "\n".join(lines).lstrip("\n") + "\n"


def _block(heading: str, cards: Iterable[str], counts: Mapping[str, int], deck: DeckList, names: Names) -> list[str]:
    order = sorted(cards, key=lambda card: (names.catalog[card].name if card in names.catalog else "", card))
    if not order:
        return []
    lines = ["", heading]
    for card in order:
        whole, rest = divmod(counts[card], MAX_QUANTITY)
        quantities = [MAX_QUANTITY] * whole + [rest] * bool(rest)
        lines += [f"{quantity} {_written(card, names)}{_written_tags(card, deck)}" for quantity in quantities]
    return lines


def _written(card_id: str, names: Names) -> str:
    if card_id not in names.catalog:
        return card_id
    name, printing = names.catalog[card_id].name, names.first.get(card_id)
    return f"{name} ({printing[0]}) {printing[1]}" if printing else name


def _written_tags(card_id: str, deck: DeckList) -> str:
    return "".join(f" #{tag}" for tag in deck.tags.get(card_id, ()))
