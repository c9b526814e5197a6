"""Who sits down with what: random decks for random games."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from ccg.rules.cards.definitions import CardDef, Catalog
from ccg.rules.effects.word import Word
from ccg.rules.record import Seat
from ccg.rules.soak import focus as focused

KINDS = ("legal", "nonsense", "starter", "focused", "equal")
STARTERS = Path(__file__).resolve().parents[3] / "decks" / "starters"
NAMES = ("Ana", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gus", "Hana")
PRINTING = re.compile(r" \([A-Z0-9]+\)( \d+)?$")
DECK_SIZE, MOST_COPIES = 60, 4
CHEAP = 2
"""What a cheap unit costs at most."""
TURNING = 0.3
"""How often a deck of equal cards has a base that turns resources into others."""


def seats(kind: str, players: int, catalog: Catalog, rng: random.Random, focus: Sequence[str] = ()) -> list[Seat]:
    """Return ``players`` seats with decks of this ``kind`` (one of :data:`KINDS`), "focused" ones about ``focus``."""
    if kind == "focused":
        return [focused.seat(NAMES[place], focus, catalog, rng) for place in range(players)]
    if kind == "equal":
        few = _few(catalog, rng)
        return [_equal(NAMES[place], few, catalog, rng) for place in range(players)]
    return [_seat(NAMES[place], kind, catalog, rng) for place in range(players)]


def _seat(name: str, kind: str, catalog: Catalog, rng: random.Random) -> Seat:
    if kind == "starter":
        base, deck = rng.choice(starters(catalog))
        return Seat(name, base, list(deck))
    base = rng.choice([card.id for card in catalog if card.type == "base"])
    cards = [card.id for card in catalog if card.type != "base"]
    if kind == "legal":
        return Seat(name, base, _legal(cards, rng))
    return Seat(name, base, _nonsense(cards, rng))


def _legal(cards: list[str], rng: random.Random) -> list[str]:
    """Sixty cards and sometimes more, no more than four of any."""
    copies = rng.randint(1, MOST_COPIES)
    wanted = DECK_SIZE + rng.choice((0, 0, 0, 5, 20))
    deck: list[str] = []
    for card in rng.sample(cards, len(cards)):
        deck += [card] * rng.randint(1, copies)
        if len(deck) >= wanted:
            break
    return deck[:wanted]


def _nonsense(cards: list[str], rng: random.Random) -> list[str]:
    """What no format allows: hardly any cards, all the same card, a handful of cards many times."""
    few = rng.sample(cards, rng.randint(1, 12))
    return [rng.choice(few) for _ in range(rng.choice((0, 1, 5, 12, 30, 60, 100)))]


def _few(catalog: Catalog, rng: random.Random) -> list[str]:
    """Return a few cards of which decks can be full: some that change paying, what costs several types, and others."""
    cards = [card for card in catalog if card.type != "base"]
    kinds = [
        (2, [card for card in cards if _has(card, "add")]),
        (2, [card for card in cards if _has(card, "cheaper")]),
        (1, [card for card in cards if card.expedite is not None]),
        (1, [card for card in cards if sum(map(bool, card.cost)) > 1]),
        (2, [card for card in cards if card.is_unit and sum(card.cost) <= CHEAP]),
        (1, cards),
    ]
    return [rng.choice(kind).id for number, kind in kinds if kind for _ in range(number)]


def _has(card: CardDef, word: str) -> bool:
    """Return whether an ability of the card has a step with this word."""
    return any(isinstance(step, Word) and step.verb == word for ability in card.abilities for step in ability.do)


def _equal(name: str, few: Sequence[str], catalog: Catalog, rng: random.Random) -> Seat:
    """Return a seat with a deck of the same few cards as the others, so that equal ones lie in several places."""
    bases = [card for card in catalog if card.type == "base"]
    turning = [base for base in bases if _has(base, "convert")]
    base = rng.choice(turning if turning and rng.random() < TURNING else bases)
    return Seat(name, base.id, [rng.choice(few) for _ in range(DECK_SIZE)])


@lru_cache(maxsize=4)
def starters(catalog: Catalog) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Return base and cards of each starter deck. Their lists are simple: number, full name, perhaps a printing."""
    return tuple(_starter(path, catalog) for path in sorted(STARTERS.glob("*.txt")))


def _starter(path: Path, catalog: Catalog) -> tuple[str, tuple[str, ...]]:
    base, deck = "", []
    for line in path.read_text(encoding="utf-8").splitlines():
        count, _, name = PRINTING.sub("", line).partition(" ")
        if count == "Base:":
            base = next(card.id for card in catalog.named(name) if card.type == "base")
        elif count.isdecimal():
            card = next(card.id for card in catalog.named(name) if card.type != "base")
            deck += [card] * int(count)
    return base, tuple(deck)
