"""One game of a playtest, and many of them in a child process: engine and players only, no Django.

A game depends on the two lists, its number and nothing else, so that two drafts of a deck meet the same luck: the same
seed shuffles both, and who comes first in the order of turns is the same. What can be compared game by game needs
fewer games to show a difference.
"""

from __future__ import annotations

import random
import time
from collections.abc import Iterator, Sequence
from typing import Literal

from msgspec import Struct

from ccg.rules.authoring.card_files import CardSet
from ccg.rules.cards.definitions import Catalog
from ccg.rules.core.events import Event
from ccg.rules.core.state import definition_of
from ccg.rules.game import Game
from ccg.rules.record import Seat
from matches.players import DEFAULT, PLAYERS

MOST_CHOICES = 3_000
"""A game that goes on beyond this is stopped and counts for nobody; between players who try, hardly any does."""

Outcome = Literal["won", "lost", "drawn", "stopped"]


class PlayedList(Struct, frozen=True):
    """A list to play with: a base, and how many copies of which cards, by id."""

    base: str
    counts: dict[str, int]

    @property
    def kinds(self) -> list[str]:
        """The ids of its cards, in the order in which masks have them."""
        return sorted(self.counts)

    @property
    def cards(self) -> list[str]:
        """Every copy."""
        return [card for card in self.kinds for _ in range(self.counts[card])]


class GameResult(Struct, array_like=True, frozen=True):
    """How a game of the tested deck went.

    ``opponent`` is the place of the other deck in the playtest, ``number`` that of the game against it. ``began`` says
    whether the tested deck had the first turn, ``turns`` in which turn the game ended. ``drawn`` and ``paid`` are sets
    of cards as masks in hexadecimal (bit 0 is the first of :attr:`PlayedList.kinds`): those that came into the hand,
    and those that were paid for and played.
    """

    opponent: int
    number: int
    outcome: Outcome
    began: bool
    turns: int
    drawn: str
    paid: str


class Request(Struct, kw_only=True):
    """Games to be played in a child process: ``games`` names them by opponent and number."""

    sets: tuple[CardSet, ...]
    deck: PlayedList
    opponents: list[PlayedList]
    games: list[tuple[int, int]]
    seconds: float


def work(request: Request) -> Iterator[GameResult]:
    """Play the games one after the other, as far as the seconds allow; yield the result of each."""
    until = time.monotonic() + request.seconds
    catalog = Catalog(card for one in request.sets for card in one.cards)
    for opponent, number in request.games:
        yield play(catalog, request.deck, request.opponents[opponent], opponent, number)
        if time.monotonic() >= until:
            return


def play(catalog: Catalog, deck: PlayedList, other: PlayedList, opponent: int, number: int) -> GameResult:
    """Play game ``number`` of ``deck`` against ``other``; a fault of the cards stops it and is no result.

    The tested deck has the first seat in every other game: seats decide who comes first where influence does not.
    """
    own = number % 2
    seats = [Seat("Deck", deck.base, deck.cards), Seat("Opponent", other.base, other.cards)]
    if own:
        seats.reverse()
    players = [PLAYERS[DEFAULT](random.Random(f"playtest/{number}/{place}")) for place in range(2)]
    seen = _Seen(own)
    choices = 0
    try:
        game = Game.start(seats, catalog, f"playtest/{number}".encode())
        seen.take_in(game.beginning)
        while (decision := game.decision) is not None and choices < MOST_CHOICES:
            seen.take_in(game.choose(players[decision.seat].choose(game.view(decision.seat), catalog)))
            choices += 1
    except Exception:
        return GameResult(opponent, number, "stopped", False, 0, "0", "0")
    return GameResult(
        opponent,
        number,
        _outcome(game, own),
        seen.first == own,
        game.engine.state.turn,
        _mask(catalog, deck, seen.drawn),
        _mask(catalog, deck, seen.paid),
    )


class _Seen:
    """What the events tell of the player in seat ``own``: which cards came and went, and who began."""

    def __init__(self, own: int) -> None:
        self._own = own
        self.first: int | None = None
        self.drawn: set[int] = set()
        self.paid: set[int] = set()

    def take_in(self, events: Sequence[Event]) -> None:
        for event in events:
            if event.kind == "first" and self.first is None:
                self.first = event.player
            elif event.player == self._own:
                if event.kind == "redraw":
                    self.drawn.clear()
                elif event.card is not None and event.kind in ("draw", "take"):
                    self.drawn.add(definition_of(event.card))
                elif event.card is not None and event.kind == "play":
                    self.paid.add(definition_of(event.card))


def _outcome(game: Game, own: int) -> Outcome:
    result = game.result
    if result is None:
        return "stopped"
    if own in result.winners:
        return "won"
    return "lost" if result.winners else "drawn"


def _mask(catalog: Catalog, deck: PlayedList, found: set[int]) -> str:
    return f"{sum(1 << place for place, card in enumerate(deck.kinds) if catalog.index[card] in found):x}"
