"""Games to test with: positions, random games, and cards made up for a purpose."""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from typing import Any

import msgspec

from ccg.rules import Catalog, Game, Seat
from ccg.rules.game import BACK
from ccg.rules.scenario.files import Given
from ccg.rules.scenario.positions import build
from ccg.rules.soak import dealing
from ccg.rules.soak.playing import random_move

PLAIN_BASE = "BSG1P-1"
"""A base without an ability: Captain's Quarters, persuasion."""
PLAIN_SHIP = "BSG1-146"
"""A ship without an ability: Colonial Shuttle."""


def position(catalog: Catalog, *players: Mapping[str, Any], **given: Any) -> Game:
    """Build a position as scenarios give it; players without a name are Ana, Ben, Cleo and so on."""
    named = [{"name": name, **player} for name, player in zip(dealing.NAMES, players, strict=False)]
    game = build(msgspec.convert({"players": named, **given}, Given), catalog)
    game.engine.events.clear()  # what happened on the way to the position
    return game


def start(catalog: Catalog, seed: object = 0, players: int = 2, decks: str = "legal") -> Game:
    """Start a game with random decks that depend on nothing but the arguments."""
    rng = random.Random(f"decks/{seed}/{players}/{decks}")
    return Game.start(dealing.seats(decks, players, catalog, rng), catalog, f"game/{seed}".encode())


def walk(catalog: Catalog, seed: object = 0, players: int = 2, decks: str = "legal", most: int = 400) -> Iterator[Game]:
    """Play a random game and yield it at every decision, up to ``most`` of them; nobody concedes or takes back."""
    game = start(catalog, seed, players, decks)
    rng = random.Random(f"moves/{seed}")
    for _ in range(most):
        yield game
        if game.decision is None:
            return
        game.choose(game.key(rng.choice(game.decision.options)))


def restless(catalog: Catalog, seed: object, players: int = 2) -> tuple[list[Seat], bytes, list[str], Game]:
    """Play a random game to its end with moves taken back and players conceding; give all that a record needs."""
    rng = random.Random(f"restless/{seed}")
    seats = dealing.seats("legal", players, catalog, rng)
    game = Game.start(seats, catalog, f"restless/{seed}".encode())
    moves: list[str] = []
    while game.decision is not None:
        move = random_move(game, rng, weary=len(moves) > 300)
        if game.decision.can_take_back and rng.random() < 0.3:
            move = BACK
        moves.append(move)
        game.move(move)
    return seats, f"restless/{seed}".encode(), moves, game


def keys(game: Game) -> list[str]:
    """The keys of the options that are open now."""
    return [game.key(option) for option in game.decision.options] if game.decision is not None else []
