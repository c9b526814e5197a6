"""Names in scenarios: cards by full name or id, and which piece on the board a name means."""

from __future__ import annotations

from functools import lru_cache

from ccg.rules.cards.definitions import CardDef, Catalog, fold
from ccg.rules.core.engine import Engine
from ccg.rules.core.state import Area, Piece, definition_of
from ccg.rules.scenario.files import ScenarioError

MOST_DIGITS = 3
"""Digits of a count of cards; larger ones would only fill the memory."""


def card_named(catalog: Catalog, name: str, base: bool = False) -> CardDef:
    """Return the card with this full name or id; ``base`` says whether a base is meant."""
    if name in catalog:
        return catalog[name]
    found = [card for card in catalog.named(name) if (card.type == "base") == base]
    if len(found) != 1:
        raise ScenarioError(f"there is no {'base' if base else 'card'} called {name!r}")
    return found[0]


def counted(text: str) -> tuple[int, str]:
    """Read "2 x Name" as 2 and the name; a name alone is 1. Raises :class:`ScenarioError` for far too many."""
    number, mark, name = text.partition(" x ")
    if not (mark and number.strip().isdecimal()):
        return 1, text
    if len(number.strip()) > MOST_DIGITS:
        raise ScenarioError(f"{text[:40]!r}: nobody has that many cards")
    return int(number), name.strip()


_folded = lru_cache(maxsize=4096)(fold)
"""A scenario compares few names, and each of them with every card on the board, at every step."""


def is_card(catalog: Catalog, definition: CardDef, name: str) -> bool:
    """Return whether ``name`` is the full name or the id of the card."""
    return name == definition.id or _folded(name) == _folded(definition.name)


def split_names(catalog: Catalog, text: str) -> list[str]:
    """Split a list of card names at its commas, though names have commas of their own."""
    parts = text.split(", ")
    names: list[str] = []
    while parts:
        for size in range(min(4, len(parts)), 0, -1):
            name = ", ".join(parts[:size])
            if name in catalog or catalog.named(name):
                names.append(name)
                del parts[:size]
                break
        else:
            raise ScenarioError(f"there is no card called {parts[0]!r} in {text!r}")
    return names


def board(engine: Engine) -> list[Piece]:
    """Return all pieces in board order: seat by seat alert, reserve, resource; then threats."""
    return list(engine.pieces())


def pieces_named(engine: Engine, reference: str) -> list[Piece]:
    """Return the pieces that ``reference`` may mean: "NAME", "Ben's NAME" or "NAME #2"."""
    found = board(engine)
    for seat, player in enumerate(engine.state.players):
        if reference.startswith(f"{player.name}'s "):
            reference = reference.removeprefix(f"{player.name}'s ")
            found = [piece for piece in found if _side(piece) == seat]
            break
    name, mark, place = reference.rpartition(" #")
    if mark and place.isdecimal():
        same = [piece for piece in found if is_card(engine.catalog, engine.definition(piece), name)]
        return same[int(place) - 1 : int(place)] if int(place) else []
    return [piece for piece in found if is_card(engine.catalog, engine.definition(piece), reference)]


def _side(piece: Piece) -> int:
    return piece.owner if piece.area == Area.CENTER else piece.controller


def looks(engine: Engine, piece: Piece) -> tuple[object, ...]:
    """Return what tells ``piece`` from others: equal cards in the same place look the same."""
    return (
        _side(piece), piece.area, piece.role, tuple(definition_of(card) for card in piece.cards), piece.exhausted,
        len(piece.supplies), tuple(link.top for link in piece.links),
        tuple((m.kind, m.amount, m.word) for m in engine.state.modifiers if piece.id in (m.pieces or ())),
        tuple((change.seat, change.how) for change in engine.state.granted.reveals if piece.id in change.pieces),
    )  # fmt: skip
