"""Faults that proofs put in on purpose: each does what it says, and does not stop the game instead."""

from __future__ import annotations

import pytest

from ccg.rules import Catalog, Game
from ccg.server.proving.plants import before_each_choice
from tests.rules.tables import start


def test_work_before_a_choice_leaves_the_choice_as_it_is(catalog: Catalog, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(Game, "choose", Game.choose)
    done: list[str] = []
    before_each_choice(lambda: done.append("work"))
    game = start(catalog)
    seat = game.deciding[-1]
    game.choose("keep", seat)
    assert done == ["work"]
    assert seat not in game.deciding
