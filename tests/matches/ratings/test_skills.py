"""What ratings are made of: the model, finishing orders, seasons, and how well they predict."""

from __future__ import annotations

import random
from datetime import UTC, datetime
from typing import Any

import pytest

from ccg.rules import EventView
from matches.ratings import fitting, orders, simulated, skills
from matches.ratings.fitting import Played, fitted
from matches.ratings.management.commands.fit_ratings import simulated_matches
from matches.ratings.skills import MU, Skill


def test_the_first_of_a_table_gains_the_last_loses_and_nobody_gets_less_sure() -> None:
    before = [Skill(), Skill(30.0, 2.0), Skill(20.0, 6.0), Skill()]
    after = skills.rated(before, [1, 2, 2, 4])
    assert after[0].mu > before[0].mu and after[3].mu < before[3].mu
    assert all(now.sigma <= was.sigma for now, was in zip(after, before, strict=True))


def test_the_places_of_all_count_not_only_who_won() -> None:
    start = [Skill()] * 3
    second, third = skills.rated(start, [1, 2, 3])[1:]
    assert second.mu > third.mu


def test_the_same_match_gives_the_same_numbers_to_the_last_digit() -> None:
    before = [Skill(27.1, 5.3), Skill(22.9, 7.7)]
    assert [skills.rated(before, [2, 1]) for _ in range(3)] == [skills.rated(before, [2, 1])] * 3


def test_a_season_takes_everybody_half_way_to_the_mean_at_most() -> None:
    for mu in (10.0, 25.0, 41.5):
        entered = skills.of_new_season(Skill(mu, 1.0))
        assert abs(entered.mu - MU) >= abs(mu - MU) / 2
        assert entered.sigma > 1.0
    assert skills.of_new_season(Skill()).sigma == Skill().sigma, "nobody is less sure than a beginner"


def test_seasons_are_quarters_and_grow() -> None:
    days = [datetime(year, month, 1, tzinfo=UTC) for year in (2026, 2027) for month in range(1, 13)]
    seasons = [skills.season_of(day) for day in days]
    assert seasons == sorted(seasons) and len(set(seasons)) == 8
    assert skills.season_name(seasons[-1]) == "October to December 2027"


def event(kind: str, player: int) -> EventView:
    return EventView(kind=kind, text=kind, player=player)


@pytest.mark.parametrize(
    ("moves", "winners", "losers", "influence", "ranks"),
    [
        ([], [1], [0, 2, 3], [5, 20, 9, 5], [3, 1, 2, 3]),
        ([[event("lose", 2)], [event("lose", 0)]], [3], [0, 1, 2], [0, 4, 0, 20], [3, 2, 4, 1]),
        ([[event("lose", 0), event("lose", 1)], [event("lose", 2)]], [3], [0, 1, 2], [0, 0, 0, 9], [3, 3, 2, 1]),
        (
            [[event("lose", 0)], [event("concede", 1), event("lose", 1)], [event("concede", 2), event("lose", 2)]],
            [3], [0, 1, 2], [0, 9, 9, 9], [2, 4, 3, 1],
        ),
        (
            [[event("out of time", 1), event("lose", 1)], [event("absent", 2), event("lose", 2)], [event("lose", 0)]],
            [3], [0, 1, 2], [0, 9, 9, 9], [2, 4, 3, 1],
        ),
        ([[event("lose", 2)], [event("lose", 0), event("lose", 1)]], [], [2], [0, 0, 0], [1, 1, 3]),
        ([], [0, 1], [2], [20, 21, 3], [1, 1, 3]),
    ],
    ids=[
        "by influence", "the later lost the better", "lost together", "leavers last", "the late and the absent last",
        "a draw of the last", "two win",
    ],
)  # fmt: skip
def test_places_at_a_table_of_several(
    moves: Any, winners: list[int], losers: list[int], influence: list[int], ranks: list[int]
) -> None:
    assert orders.ranks(len(ranks), winners, losers, moves, influence) == ranks


def test_who_has_left_a_seat_to_another_comes_last_though_that_one_wins() -> None:
    moves = [[event("play", 0)], [event("seat left", 0)], [event("concede", 1), event("lose", 1)], [event("lose", 2)]]
    assert orders.ranks(3, [0], [1, 2], moves, [20, 0, 0], {0: 2}) == [3, 2, 1]


def matches_of_chance(share: float, count: int = 600) -> list[Played]:
    """Matches of 12 players, of whom the stronger wins unless chance decides, which it does in this share."""
    rng = random.Random(7)
    found = []
    for _ in range(count):
        first, second = rng.sample(range(12), 2)
        won = first < second if rng.random() > share else rng.random() < 0.5
        found.append(Played(f"{first:02}", f"{second:02}", float(won)))
    return found


def test_the_fit_finds_more_chance_where_there_is_more() -> None:
    betas = (4.0, 12.0, 40.0)
    sure, luck = fitted(matches_of_chance(0.1), betas), fitted(matches_of_chance(0.9), betas)
    assert sure.best.beta < luck.best.beta
    assert sure.best.held_out < 0.15


def test_what_is_held_out_chooses_nothing() -> None:
    """The matches at the end are turned round: the value chosen stays, and its score gets worse."""
    matches = matches_of_chance(0.3)
    held_out = round(len(matches) * (1 - fitting.SETTLING - fitting.CHOOSING))
    turned = matches[:-held_out] + [Played(one.second, one.first, one.score) for one in matches[-held_out:]]
    straight, wrong = (fitted(these, (6.0, 20.0)).best for these in (matches, turned))
    assert straight.beta == wrong.beta
    assert wrong.held_out > 0.3 > straight.held_out


def test_too_few_matches_say_nothing() -> None:
    with pytest.raises(ValueError, match="too few"):
        fitted(matches_of_chance(0.5, 49))


def test_the_value_in_use_predicts_simulated_matches_clearly_better_than_a_coin() -> None:
    found = fitted(simulated_matches(), (skills.BETA,))
    assert found.best.held_out + found.off < 0.24
    assert found.matches >= 300


def test_simulated_matches_name_level_and_deck() -> None:
    results = simulated.kept()
    names = {name for one in results for name in (one.first, one.second)}
    assert len(names) == 12 and {name.partition(": ")[0] for name in names} == {"sensible", "easy"}
