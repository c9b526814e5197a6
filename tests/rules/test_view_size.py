"""Views as they are written out: nothing is lost by what is left out, and a view stays small."""

from __future__ import annotations

from statistics import median

import msgspec
import pytest

from ccg.rules import Catalog, EventView, View
from ccg.rules.soak import hidden
from ccg.rules.telling.view import PieceView
from tests.rules.tables import walk

MOST_BYTES = 3_072
"""What a view of two players is to have at most, as a rule (docs/performance.md: must 4,096, aim 3,072)."""


@pytest.mark.parametrize(("players", "decks"), [(2, "starter"), (2, "legal"), (4, "legal")])
def test_a_view_read_back_is_the_view_that_was_written(catalog: Catalog, players: int, decks: str) -> None:
    for game in walk(catalog, "lean", players, decks, most=120):
        for viewer in hidden.viewers(game):
            view = game.view(viewer)
            assert msgspec.json.decode(msgspec.json.encode(view), type=View) == view


def test_an_event_read_back_is_the_event_that_was_written(catalog: Catalog) -> None:
    for game in walk(catalog, "lean events", 2, most=60):
        option = game.decision.options[0] if game.decision is not None else None
        if option is None:
            break
        twin = game.copy()
        for event in twin.choose(option):
            seen = twin.seen(event, 0)
            assert msgspec.json.decode(msgspec.json.encode(seen), type=EventView) == seen


def test_a_view_has_few_bytes(catalog: Catalog) -> None:
    sizes = [len(msgspec.json.encode(game.view(0))) for game in walk(catalog, "bytes", 2, "starter", most=300)]

    assert median(sizes) < MOST_BYTES


def test_what_is_usual_is_left_out() -> None:
    assert (
        msgspec.json.encode(PieceView(7, "X-1", 0, "asset")) == b'{"id":7,"card":"X-1","controller":0,"role":"asset"}'
    )
