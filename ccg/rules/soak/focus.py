"""Games about a card or a few: decks full of them and of what they need, and moves that lean towards using them.

Random decks hardly ever bring a mission together with the units that it asks for. What a game is about
depends on nothing but the seed of a run and the number of the game, so that each game can be played alone.
"""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterator, Sequence
from functools import lru_cache

import msgspec

from ccg.rules.cards.definitions import RESOURCES, CardDef, Catalog, Requirement, Resource
from ccg.rules.core.options import Option
from ccg.rules.core.state import definition_of
from ccg.rules.effects.compiling import compile_scripts
from ccg.rules.game import Game
from ccg.rules.record import Seat

COPIES, MISSIONS = 16, 8
"""Copies in a deck of the card that the game is about; of a mission fewer, since units must resolve it."""
LEAST_CARDS = 40
"""A deck is no larger than it must be, so that its cards come up again and again."""
CHEAPEST = 4
"""How many different cards help others in the same way."""

WITH_WORDS = 0.8
"""How often a deck gets cards that the abilities of another mention; now and then an opponent has none."""
EXHAUSTING = ("exhausted", "restore")
"""Words in abilities that need cards which exhaust."""

WORD = re.compile(r"[A-Za-z]+")
TYPES = ("personnel", "ship", "mission", "event")


def focus_of(catalog: Catalog, seed: int, number: int) -> list[str]:
    """Return the card that game ``number`` of a run with this ``seed`` is about.

    Game after game goes round all cards of the catalogue in an order of chance; a card whose text hardly ever
    comes true comes up more often.
    """
    turns = _turns(catalog)
    lap, place = divmod(number, len(turns))
    return [_lap(turns, f"focus/{seed}/{lap}")[place]]


@lru_cache(maxsize=4)
def _turns(catalog: Catalog) -> tuple[str, ...]:
    """Return each card as often as it has a turn."""
    return tuple(card.id for number, card in enumerate(catalog) for _ in range(_difficulty(catalog, number)))


def _difficulty(catalog: Catalog, number: int) -> int:
    """Return how many times harder it is to see all of a card than a card without text."""
    card, script = catalog.cards[number], compile_scripts(catalog).scripts[number]
    harder = 2 * len(card.requires) + sum(card.cost) // 3
    return 1 + harder + 2 * (len(script.triggers) + len(script.replacements) + len(script.printed_changes))


@lru_cache(maxsize=8)
def _lap(turns: tuple[str, ...], seed: str) -> tuple[str, ...]:
    return tuple(random.Random(seed).sample(turns, len(turns)))


# ---------------------------------------------------------------- decks


def seat(name: str, focus: Sequence[str], catalog: Catalog, rng: random.Random) -> Seat:
    """Return a seat with a deck about the cards of ``focus``: them, a base that helps, what they need, a few others."""
    cards = [catalog[card] for card in focus]
    bases = [card for card in cards if card.type == "base"]
    asked = [sum(card.cost[kind] for card in cards) for kind in range(len(RESOURCES))]
    likely = [base for base in catalog if base.type == "base" and asked[_makes(base)] == max(asked)]
    base = rng.choice(bases or likely or [base for base in catalog if base.type == "base"])
    dealer = _Dealer(catalog, _makes(base), rng)
    copies = {"base": 0, "mission": MISSIONS}
    deck = [card for card in cards for _ in range(copies.get(card.type, COPIES))]
    deck += [needed for card in cards for needed in dealer.support(card)]
    deck += dealer.producers(deck)
    deck += rng.choices(dealer.cards, k=max(0, LEAST_CARDS - len(deck)))
    return Seat(name, base.id, [card.id for card in deck])


def _makes(card: CardDef) -> int:
    return RESOURCES.index(card.produces) if card.produces is not None else 0


Fits = Callable[[CardDef], bool]


def _producing(resource: Resource) -> Fits:
    return lambda card: card.produces == resource


def _meeting(asked: Requirement) -> Fits:
    return lambda card: (
        card.is_unit and (not asked.trait or asked.trait in card.traits) and (not asked.type or card.type == asked.type)
    )


class _Dealer:
    """Finds cards that help others, such as a base that makes resources of type ``kind`` can soon pay for."""

    def __init__(self, catalog: Catalog, kind: int, rng: random.Random) -> None:
        self.cards = [card for card in catalog if card.type != "base"]
        self.names = _names(catalog)
        self.kind = kind
        self.rng = rng

    def support(self, card: CardDef) -> Iterator[CardDef]:
        """Return cards with which ``card`` can be resolved or linked, and finds what its text speaks of."""
        yield from self._required(card)
        if card.link is not None:
            yield from self._some(4, lambda other: other.is_unit and card.link in ("unit", other.type))
        words = _words(card) if self.rng.random() < WITH_WORDS else []
        for word in words:
            found = self._some(4 if word[0].isupper() or word in EXHAUSTING else 2, self._called(word))
            yield from found * (3 if "split" in words else 1)
            if found and found[0].type == "mission":
                yield from self._required(found[0])

    def producers(self, deck: Sequence[CardDef]) -> Iterator[CardDef]:
        """Return cards that make the resources which cards of ``deck`` cost and the base does not make."""
        for kind, resource in enumerate(RESOURCES):
            if kind != self.kind and any(card.cost[kind] for card in deck):
                yield from self._some(4 + max(card.cost[kind] for card in deck), _producing(resource))

    def _called(self, word: str) -> Fits:
        return lambda card: word in self.names[card.id]

    def _required(self, mission: CardDef) -> Iterator[CardDef]:
        for asked in mission.requires:
            yield from self._some(6, _meeting(asked))

    def _some(self, number: int, fits: Fits) -> list[CardDef]:
        """Return ``number`` cards that fit: cheap ones of different titles, as a singular one would cover itself."""
        found = sorted(
            (card for card in self.cards if fits(card)), key=lambda card: (self._price(card), self.rng.random())
        )
        titles = {card.title or card.id: card for card in reversed(found)}
        cheapest = sorted(titles.values(), key=self._price)[:CHEAPEST]
        return [cheapest[place % len(cheapest)] for place in range(number)] if cheapest else []

    def _price(self, card: CardDef) -> int:
        """Return what a card costs; what the base does not make counts three times."""
        return sum(cost if kind == self.kind else 3 * cost for kind, cost in enumerate(card.cost))


def _words(card: CardDef) -> list[str]:
    """Return the words of the phrases in the abilities of ``card``, which may mean other cards."""
    words = " ".join(_strings(msgspec.to_builtins(card.abilities)))
    asked = " ".join(f"{asked.trait} {asked.type}" for asked in card.requires) if "helps" in words else ""
    return sorted({word.removesuffix("s") for word in WORD.findall(f"{words} {asked}")})


def _strings(record: object) -> Iterator[str]:
    if isinstance(record, str):
        yield record
    elif isinstance(record, dict):
        for key, value in record.items():
            yield str(key)
            yield from _strings(value)
    elif isinstance(record, (list, tuple)):
        for value in record:
            yield from _strings(value)


@lru_cache(maxsize=4)
def _names(catalog: Catalog) -> dict[str, set[str]]:
    return {card.id: _named_by(card) for card in catalog}


def _named_by(card: CardDef) -> set[str]:
    """Return the words by which an ability may mean ``card``: type, traits, title, keywords, requirements."""
    words = [card.type, *card.keywords, card.title, *(trait for trait in card.traits)]
    words += [word for asked in card.requires for word in (asked.trait, asked.type)]
    words += EXHAUSTING if "exhaust" in _strings(msgspec.to_builtins(card.abilities)) else ()
    return {word.removesuffix("s") for part in words for word in part.split()}


# ---------------------------------------------------------------- moves


def weights(game: Game, focus: frozenset[int]) -> list[float]:
    """Return how likely each option is to be taken by a player who wants to see the cards of ``focus`` used."""
    decision = game.decision
    assert decision is not None
    fighting = focus & _about_challenges(game.engine.catalog)
    return [_weight(game, decision.kind, option, focus, fighting) for option in decision.options]


@lru_cache(maxsize=4)
def _about_challenges(catalog: Catalog) -> frozenset[int]:
    """Return the cards whose abilities mention challenges."""
    return frozenset(
        number
        for number, card in enumerate(catalog.cards)
        if any(
            part in words for words in _strings(msgspec.to_builtins(card.abilities)) for part in ("challeng", "defend")
        )
    )


def _weight(game: Game, kind: str, option: Option, focus: frozenset[int], fighting: frozenset[int]) -> float:
    """What is of the focus is used, and kept for a challenge if it is for one; units stay at home if nothing is."""
    hot = _stands_for(game, option, focus)
    verb = option.verb
    if kind == "resource_card":
        return 0.3 if verb == "pass" else (0.15 if hot else 1.0) * (2.0 if verb == "asset" else 0.2)
    if verb in ("play", "use"):
        if (
            hot
            and kind == "action"
            and _stands_for(game, option, fighting)
            and (verb == "use" or _reacts(game, option))
        ):
            return 1.0
        return 8.0 if hot else 3.0 if verb == "play" else 1.0
    if verb == "challenge":
        if kind == "action":
            return (2.5 if hot else 0.8) if fighting else (0.5 if hot else 0.2)
        return 3.0 if fighting else 1.0
    if verb == "defend" and fighting:
        return 3.0
    return _WEIGHTS[verb][hot] if verb in _WEIGHTS else 2.0 if hot else 1.0


_WEIGHTS = {"resolve": (5.0, 20.0), "boost": (0.1, 0.1), "pass": (0.6, 0.6)}
"""How likely is what has nothing to do with the focus, and what has."""


def _reacts(game: Game, option: Option) -> bool:
    return game.engine.scripts[option.card].react is not None


def _stands_for(game: Game, option: Option, focus: frozenset[int]) -> bool:
    """Return whether the option is about a card of ``focus``, or about a piece that it is or is linked to."""
    if option.card in focus:
        return True
    piece = game.engine.find(option.piece) if option.piece else None
    return piece is not None and (
        definition_of(piece.top) in focus or any(definition_of(link.top) in focus for link in piece.links)
    )
