"""Who sits down with what: random decks for random games."""

from __future__ import annotations

import random
import re
from collections.abc import Sequence
from functools import lru_cache
from pathlib import Path

from ccg.rules.cards import Catalog
from ccg.rules.game import Seat
from ccg.rules.soak import focus as focused

KINDS = ("legal", "nonsense", "starter", "focused")
STARTERS = Path(__file__).resolve().parents[3] / "decks" / "starters"
NAMES = ("Ana", "Ben", "Cleo", "Dan", "Eva", "Finn", "Gus", "Hana")
PRINTING = re.compile(r" \([A-Z0-9]+\)( \d+)?$")
DECK_SIZE, MOST_COPIES = 60, 4


def seats(kind: str, players: int, catalog: Catalog, rng: random.Random, focus: Sequence[str] = ()) -> list[Seat]:
    """Give ``players`` seats with decks of this ``kind`` (one of :data:`KINDS`), "focused" ones about ``focus``."""
    if kind == "focused":
        return [focused.seat(NAMES[place], focus, catalog, rng) for place in range(players)]
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


@lru_cache(maxsize=4)
def starters(catalog: Catalog) -> tuple[tuple[str, tuple[str, ...]], ...]:
    """Give base and cards of each starter deck. Their lists are simple ones: number, full name, perhaps a printing."""
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
