"""Random games over all sets, in short; and that a game which fails is kept so that it can be played again."""

from __future__ import annotations

from pathlib import Path

import pytest

from ccg.rules.core import zones
from ccg.rules.soak.playing import Story
from ccg.server.proving import games
from tests.conftest import PATCHED
from tests.proving import short


@pytest.mark.ci
@pytest.mark.slow
def test_all_rules_hold_and_a_fault_is_noticed() -> None:
    figures = short("games")["figures"]
    assert (figures["games"], figures["failures"]) == (10, 0)
    assert figures["tables"] == {"of 2": 6, "of 3": 2, "of 4": 2}


@pytest.mark.slow
@pytest.mark.pure_only(PATCHED)
def test_a_game_that_fails_is_kept_for_the_tests(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(zones, "to_discard", zones.to_discard)
    monkeypatch.setattr(games, "SHRINK_SECONDS", 1.0)
    games.a_discarded_card_is_lost()
    found = games.read(games.play({"from": 0, "to": 1, "seed": 1, "keep": str(tmp_path)}))
    assert len(found.failures) == 1
    (kept,) = tmp_path.glob("*.json")
    assert Story.from_json(kept.read_bytes()).broken == "conservation"
