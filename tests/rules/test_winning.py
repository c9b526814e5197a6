"""Winning and losing by one instruction that does both (WIN-5; ruling 4), which no card there is can do."""

from __future__ import annotations

from ccg.rules import Catalog, Game
from ccg.rules.rulebook.influence import Influence
from tests.rules.tables import position


def after(catalog: Catalog, before: list[int], changes: list[tuple[int, int]]) -> Game:
    """A game in which one instruction changes the influence that players have ``before``."""
    game = position(catalog, *({"influence": points} for points in before))
    game.engine.state.asking = None
    game.engine.push(Influence(changes))
    game.engine.advance()
    return game


def test_who_falls_to_nothing_as_others_reach_twenty_does_not_share_in_the_win(catalog: Catalog) -> None:
    for changes in ([(0, -2), (1, 2), (2, 2)], [(2, 2), (1, 2), (0, -2)]):
        result = after(catalog, [2, 18, 18], changes).result

        assert result is not None
        assert (result.winners, result.losers, result.reason) == ((1, 2), (0,), "influence")


def test_with_two_players_the_one_at_twenty_wins_by_influence_and_not_as_the_last(catalog: Catalog) -> None:
    result = after(catalog, [1, 19], [(0, -1), (1, 1)]).result

    assert result is not None
    assert (result.winners, result.losers, result.reason) == ((1,), (0,), "influence")


def test_nobody_wins_by_a_change_that_takes_another_player_out(catalog: Catalog) -> None:
    game = after(catalog, [1, 18, 10], [(0, -1), (1, 1)])

    assert game.result is None
    assert game.engine.player(0).lost


def test_all_who_fall_together_draw(catalog: Catalog) -> None:
    result = after(catalog, [1, 2, 3], [(0, -1), (1, -2), (2, -3)]).result

    assert result is not None
    assert (result.winners, result.reason) == ((), "draw")
