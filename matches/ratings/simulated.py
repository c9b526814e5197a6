"""Matches between computers, to find out how much of this game is chance before there are enough matches of people.

A player is a starter deck in the hands of one computer level: so strong ones and weak ones meet, as among people.
"""

from __future__ import annotations

import json
import random
from collections.abc import Iterable, Iterator
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from pathlib import Path

from msgspec import Struct

from cards_data.catalog import CardData
from ccg.rules.cards.definitions import Catalog
from ccg.rules.game import Game
from ccg.rules.record import Seat
from matches.players import PLAYERS

KEPT = Path(__file__).parent / "simulated.json"
"""Results kept with the code, so that the fit can be made again in seconds."""

MOST_CHOICES = 3_000


class Entrant(Struct, frozen=True):
    """Who plays: a computer player by name, with a deck."""

    player: str
    deck: str
    base: str
    cards: tuple[str, ...]

    @property
    def name(self) -> str:
        """What the results call it."""
        return f"{self.player}: {self.deck}"


class Result(Struct, frozen=True, array_like=True):
    """A match: the names of two players, and whether the first has won; None for a draw."""

    first: str
    second: str
    won: bool | None


def played(entrants: list[Entrant], cards: CardData, seed: int, matches: int, processes: int) -> Iterator[Result]:
    """Play so many matches between two entrants by chance; yield the results in the order of their numbers."""
    with ProcessPoolExecutor(processes) as pool:
        play = partial(_play, entrants, cards, seed)
        yield from (result for result in pool.map(play, range(matches), chunksize=4) if result is not None)


def _play(entrants: list[Entrant], cards: CardData, seed: int, number: int) -> Result | None:
    """Play one match; None where it does not end."""
    rng = random.Random(f"ratings/{seed}/{number}")
    pair = rng.sample(entrants, 2)
    catalog = Catalog(card for one in cards.sets for card in one.cards)
    players = [PLAYERS[one.player](random.Random(rng.random())) for one in pair]
    game = Game.start([Seat(one.name, one.base, one.cards) for one in pair], catalog, rng.randbytes(16))
    for _ in range(MOST_CHOICES):
        decision = game.decision
        if decision is None:
            break
        game.choose(players[decision.seat].choose(game.view(decision.seat), catalog))
    if game.result is None:
        return None
    won = 0 in game.result.winners if game.result.winners else None
    return Result(pair[0].name, pair[1].name, won)


def kept() -> list[Result]:
    """Return the results kept with the code."""
    return [Result(*row) for row in json.loads(KEPT.read_text(encoding="utf-8"))]


def keep(results: Iterable[Result]) -> None:
    """Keep ``results`` with the code."""
    rows = [json.dumps([one.first, one.second, one.won]) for one in results]
    KEPT.write_text("[\n" + ",\n".join(rows) + "\n]\n", encoding="utf-8")
