"""What a process remembers of matches: no more than it has use for."""

from __future__ import annotations

import gc

import pytest

from matches.models import Match
from matches.playing import match_cache
from matches.protocol.messages import Concede
from tests.matches.conftest import Table

pytestmark = pytest.mark.django_db


def test_of_matches_that_are_over_only_the_last_ones_are_remembered(table: Table) -> None:
    """A process that has served some hundreds of matches would hold them all for the collector to look at."""
    running = match_cache.newest(table.id)
    assert running is not None
    match_cache.remember("before", 7, running.game, b"")
    table.act(0, Concede(id="c"))
    over = match_cache.newest(table.id)
    assert over is not None
    assert over.game.result is not None
    for number in range(match_cache.MOST_OVER):
        match_cache.remember(f"over-{number}", 7, over.game, b"")
    assert match_cache.newest(table.id) is None, "it was over first"
    assert match_cache.newest("over-0") is not None
    assert match_cache.newest("before") is not None, "it is not over"
    match_cache.remember(table.id, over.version, over.game, b"")
    assert match_cache.newest(table.id) is not None, "who looks at it again finds it"
    assert match_cache.newest("over-0") is None


def test_nothing_earlier_is_remembered_of_a_match_that_is_over(table: Table) -> None:
    table.play(moves=12)
    assert match_cache.earlier_games(table.id)
    table.act(0, Concede(id="c"))
    assert not match_cache.earlier_games(table.id)


def test_the_collector_has_no_earlier_games_to_look_at(table: Table) -> None:
    table.play(moves=12)
    known = match_cache.earlier_games(table.id)
    assert known
    assert not any(gc.is_tracked(game) for game in known.values())


def test_nothing_earlier_is_remembered_where_no_move_is_taken_back(table: Table) -> None:
    Match.objects.update(rated=True)
    match_cache.clear()
    table.play(moves=12)
    assert not match_cache.earlier_games(table.id)
