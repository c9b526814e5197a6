"""Making a failure small: fewer moves that still break the same thing (delta debugging)."""

from __future__ import annotations

import time
from collections.abc import Sequence

from msgspec import structs

from ccg.rules.cards import Catalog
from ccg.rules.errors import IllegalOption
from ccg.rules.game import Game
from ccg.rules.soak.playing import Story, Table, replayed, what_broke


def shrink(story: Story, catalog: Catalog, seconds: float = 60.0) -> Story:
    """Give a story with as few moves as can be found within ``seconds`` that breaks the same check.

    A move that is no longer legal once an earlier one is gone is left out as well; a game that has not
    come to an end by the last move is left there.
    """
    until = time.monotonic() + seconds
    best = retold(story, story.moves, catalog)
    if best.broken != story.broken:
        return story
    size = max(1, len(best.moves) // 2)
    while time.monotonic() < until:
        smaller = _without_some(best, size, catalog, until)
        if smaller is not None:
            best = smaller
        elif size == 1:
            break
        size = max(1, min(size, len(best.moves)) // (1 if smaller is not None else 2))
    return best


def _without_some(story: Story, size: int, catalog: Catalog, until: float) -> Story | None:
    for start in range(0, len(story.moves), size):
        if time.monotonic() > until:
            return None
        tried = retold(story, [*story.moves[:start], *story.moves[start + size :]], catalog)
        if tried.broken == story.broken and len(tried.moves) < len(story.moves):
            return tried
    return None


def retold(story: Story, moves: Sequence[str], catalog: Catalog) -> Story:
    """Play ``moves`` from the beginning of ``story`` with all checks, leaving out those that are not legal."""
    told = structs.replace(story, moves=[], broken="", message="")
    try:
        game = Game.start(story.seats, catalog, story.seed)
        table = Table(game)
        table.look()
        for move in moves:
            if not _legal(game, move):
                continue
            told.moves.append(move)
            table.move(move)
        if game.decision is None:
            replayed(told, game, catalog)
    except Exception as error:  # as in soak()
        told.broken, told.message = what_broke(error), f"{type(error).__name__}: {error}"
    return told


def _legal(game: Game, move: str) -> bool:
    try:
        game.copy().move(move)
    except IllegalOption:
        return False
    except Exception:  # legal, and what it breaks is what we are after
        return True
    return True
