"""Making a failure small: fewer moves that still break the same thing (delta debugging)."""

from __future__ import annotations

import time
from collections.abc import Sequence

from msgspec import structs

from ccg.rules.cards.definitions import Catalog
from ccg.rules.errors import IllegalOption
from ccg.rules.game import Game
from ccg.rules.soak.playing import Story, Table, replayed, what_broke

LOOKED_AT = 4
"""Moves at the end of a game that are checked while it is being shrunk: looking at all of them takes too long."""


def shrink(story: Story, catalog: Catalog, seconds: float = 60.0) -> Story:
    """Return a story with as few moves as can be found within ``seconds`` that breaks the same check.

    A move that is no longer legal once an earlier one is gone is left out as well.
    """
    until = time.monotonic() + seconds
    best = retold(story, story.moves, catalog, LOOKED_AT)
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
    """Leave ``size`` moves out, wherever it makes no difference; None if it does everywhere."""
    best, end = story, len(story.moves)
    while end > 0 and time.monotonic() < until:
        start = max(0, end - size)
        tried = retold(story, [*best.moves[:start], *best.moves[end:]], catalog, LOOKED_AT)
        if tried.broken == story.broken and len(tried.moves) < len(best.moves):
            best = tried
        end = min(start, len(best.moves))
    return best if len(best.moves) < len(story.moves) else None


def retold(story: Story, moves: Sequence[str], catalog: Catalog, looked_at: int | None = None) -> Story:
    """Play ``moves`` from the beginning of ``story``, leaving out those that are not legal.

    All of them are checked, or only the last ``looked_at``.
    """
    again = structs.replace(story, moves=[], broken="", message="")
    try:
        game = Game.start(story.seats, catalog, story.seed)
        table = Table(game)
        unseen = 0 if looked_at is None else max(0, len(moves) - looked_at)
        for place, move in enumerate(moves):
            if place == unseen:
                table.look()
            if not _legal(game, move):
                continue
            again.moves.append(move)
            if place < unseen:
                table.follow(move)
            else:
                table.move(move)
        if game.decision is None:
            replayed(again, game, catalog)
    except Exception as error:  # as in soak()
        again.broken, again.message = what_broke(error), f"{type(error).__name__}: {error}"
    return again


def _legal(game: Game, move: str) -> bool:
    try:
        game.copy().move(move)
    except IllegalOption:
        return False
    except Exception:  # legal, and what it breaks is what we are after
        return True
    return True
