"""The proof of playtests: what it calls a miss, and its short form."""

from __future__ import annotations

import pytest

from ccg.server.proving.client.load import Measured
from ccg.server.proving.playtests import PROMISED, PlaytestRun, missed
from tests.proving import short


@pytest.mark.parametrize(
    ("tested", "answered", "name"),
    [
        (PlaytestRun(1199, 1200, 0, 30), [0.01] * 100, ["games"]),
        (PlaytestRun(0, 0, 0, 30), [0.01] * 100, ["games"]),
        (PlaytestRun(1200, 1200, 1, 30), [0.01] * 100, ["stopped"]),
        (PlaytestRun(1200, 1200, 0, 91), [0.01] * 100, ["seconds"]),
        (PlaytestRun(1200, 1200, 0, 30), [0.01] * 98 + [0.2] * 2, ["answer_ms"]),
        (PlaytestRun(1200, 1200, 0, 30), [], ["choices"]),
        (PlaytestRun(1200, 1200, 0, 30), [0.01] * 100, []),
    ],
)
def test_what_is_not_kept_is_named(tested: PlaytestRun, answered: list[float], name: list[str]) -> None:
    measured = Measured()
    measured.answered = answered
    assert missed(tested, measured, PROMISED) == name


@pytest.mark.proof
def test_a_few_games_are_played_beside_tables() -> None:
    assert short("playtests")["figures"]["games"] == 12
