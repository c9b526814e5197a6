"""Shares and intervals, against published examples and by hand."""

from __future__ import annotations

import pytest

from matches.playtests.figures import Share, difference, figures, impact_order, paired, wilson
from matches.playtests.games import GameResult, Outcome


def game(
    number: int, outcome: Outcome, drawn: int = 0, *, paid: int = 0, began: bool = True, turns: int = 6
) -> GameResult:
    return GameResult(number % 2, number, outcome, began, turns, f"{drawn:x}", f"{paid:x}")


@pytest.mark.parametrize(
    ("won", "games", "low", "high"),
    [
        # Newcombe, Two-sided confidence intervals for the single proportion (1998), table I, method 3.
        (81, 263, 0.2553, 0.3662),
        (15, 148, 0.0624, 0.1605),
        (0, 20, 0.0, 0.1611),
        (1, 29, 0.0061, 0.1718),
    ],
)
def test_the_interval_of_a_share_is_wilsons(won: int, games: int, low: float, high: float) -> None:
    found = wilson(won, games)
    assert (round(found.low, 4), round(found.high, 4)) == (low, high)
    assert found.value == won / games


def test_the_interval_of_a_difference_is_newcombes() -> None:
    # Newcombe, Interval estimation for the difference between independent proportions (1998), table II, method 10.
    found = difference(Share(70, 56), Share(80, 48))
    assert found is not None
    assert (round(found.value, 4), round(found.low, 4), round(found.high, 4)) == (0.2, 0.0524, 0.3339)
    assert found.clear
    nothing = difference(Share(10, 5), Share(10, 5))
    assert nothing is not None
    assert not nothing.clear
    assert difference(Share(0, 0), Share(10, 5)) is None


def test_games_with_the_same_luck_are_compared_one_by_one() -> None:
    mine = [game(0, "won"), game(1, "won"), game(2, "lost"), game(3, "drawn"), game(4, "stopped"), game(7, "won")]
    theirs = [game(3, "lost"), game(2, "lost"), game(1, "lost"), game(0, "won"), game(4, "won"), game(6, "lost")]
    count, gap = paired(mine, theirs)
    assert count == 4, "a stopped game, and one that the other has not played, are not compared"
    assert gap is not None
    assert gap.value == (0 + 1 + 0 + 0.5) / 4
    assert gap.low == pytest.approx(0.375 - 1.959964 * 0.4787 / 2, abs=1e-3)
    assert paired(mine, []) == (0, None)


def test_what_is_told_of_a_playtest() -> None:
    results = [
        game(0, "won", 0b01, paid=0b01, turns=5),
        game(1, "lost", 0b10, began=False, turns=7),
        game(2, "won", 0b11, paid=0b01),
        game(3, "drawn", 0b10, began=False, turns=9),
        game(4, "stopped", 0b11),
    ]
    told = figures(results, ["A", "B", "C"], 2)
    assert (told.overall, told.drawn_games, told.stopped) == (Share(4, 2.5), 1, 1)
    assert told.by_opponent == [Share(2, 2.0), Share(2, 0.5)]
    assert (told.began, told.followed) == (Share(2, 2.0), Share(2, 0.5))
    assert told.lengths == {5: 1, 6: 1, 7: 1, 9: 1}
    assert told.middle_length == 6.5
    first, second, third = told.cards
    assert (first.drawn, first.paid, first.won_drawn, first.won_without) == (2, 2, Share(2, 2.0), Share(2, 0.5))
    assert first.impact is not None
    assert first.impact.value == 0.75
    assert [card.card for card in told.never_paid] == ["B"], "C was never drawn, which says nothing"
    assert third.impact is None
    assert [card.card for card in impact_order([third, second, first])] == ["A", "B", "C"]


def test_without_games_nothing_is_said() -> None:
    told = figures([], ["A"], 1)
    assert told.overall.rate is None
    assert told.cards[0].impact is None
    assert told.lengths == {}
