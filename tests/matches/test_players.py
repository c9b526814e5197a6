"""The computer players: they choose what is offered, quickly, and the sensible one is worth playing against."""

from __future__ import annotations

import inspect
import random
import statistics
import time

import msgspec
import pytest

from ccg.rules import Game
from ccg.rules.cardfiles import read_catalog
from ccg.rules.soak import checks, dealing
from ccg.rules.view import View
from matches.players import DEFAULT, PLAYERS, duel
from matches.players.odds import pay
from matches.players.worth import plan

CATALOG = read_catalog()


def test_the_sensible_player_wins_at_least_nine_of_ten_games_against_chance() -> None:
    tally = duel.duel("sensible", "chance", games=60, seed=1, decks=duel.starter_decks())

    assert tally.wins >= 0.9 * tally.games, duel.report("sensible", "chance", tally)
    assert max(tally.turns) < 60


def test_it_also_wins_more_than_its_share_at_a_larger_table() -> None:
    tally = duel.duel("sensible", "chance", games=12, seed=3, decks=duel.starter_decks(), players=4)

    assert tally.wins >= tally.games / 2, duel.report("sensible", "chance", tally)


@pytest.mark.parametrize("name", PLAYERS)
@pytest.mark.parametrize(("players", "decks"), [(2, "legal"), (2, "nonsense"), (3, "legal"), (5, "nonsense")])
def test_players_choose_what_is_offered_whatever_the_deck(name: str, players: int, decks: str) -> None:
    rng = random.Random(f"{name} {players} {decks}")
    game = Game.start(dealing.seats(decks, players, CATALOG, rng), CATALOG, b"players")
    player = PLAYERS[name](rng)
    for _ in range(400):
        decision = game.decision
        if decision is None:
            break
        key = player.choose(game.view(decision.seat), CATALOG)

        assert key in [game.key(option) for option in decision.options]
        # Now and then something else, so that positions come about which no sensible player brings about.
        game.choose(key if rng.random() < 0.7 else rng.choice(decision.options))


def test_a_choice_depends_on_nothing_that_the_seat_may_not_know() -> None:
    rng = random.Random(1)
    game = Game.start(dealing.seats("legal", 2, CATALOG, rng), CATALOG, b"fair")
    for number in range(150):
        decision = game.decision
        if decision is None:
            break
        twin = game.copy()
        checks.shuffle_hidden(twin, decision.seat, random.Random(number))
        keys = [PLAYERS[DEFAULT](random.Random(7)).choose(one.view(decision.seat), CATALOG) for one in (game, twin)]

        assert keys[0] == keys[1]
        game.choose(keys[0])


def test_a_player_is_handed_a_view_and_the_catalogue_and_nothing_else() -> None:
    for make in PLAYERS.values():
        assert list(inspect.signature(make(random.Random(1)).choose).parameters) == ["view", "catalog"]


def test_a_choice_takes_less_than_five_milliseconds() -> None:
    rng = random.Random(2)
    game = Game.start(dealing.seats("starter", 2, CATALOG, rng), CATALOG, b"quick")
    player = PLAYERS["sensible"](rng)
    taken = []
    for _ in range(200):
        decision = game.decision
        if decision is None:
            break
        view = game.view(decision.seat)
        begun = time.perf_counter()
        key = player.choose(view, CATALOG)
        taken.append(time.perf_counter() - begun)
        game.choose(key)

    # The slowest of so many may have been interrupted by another process; the middle one was not.
    assert statistics.median(taken) < 0.005
    assert statistics.quantiles(taken, n=10)[-1] < 0.005


def test_an_unknown_kind_of_decision_is_answered_as_well() -> None:
    game = Game.start(dealing.seats("starter", 2, CATALOG, random.Random(3)), CATALOG, b"new")
    assert game.decision is not None
    view = game.view(game.decision.seat)
    assert view.decision is not None
    strange: View = msgspec.structs.replace(view, decision=msgspec.structs.replace(view.decision, kind="a new kind"))

    assert PLAYERS["sensible"](random.Random(1)).choose(strange, CATALOG) in ("keep", "redraw")


# ---------------------------------------------------------------- what its judgement is made of


@pytest.mark.parametrize(
    ("stacks", "owed", "left"),
    [
        ((1, 2, 3), 3, (1, 2)),
        ((1, 2, 4), 3, (4,)),
        ((4, 4), 3, (4,)),
        ((1, 1), 3, None),
        ((), 0, ()),
        ((2, 3), 0, (2, 3)),
    ],
)
def test_stacks_are_spent_with_the_least_waste(
    stacks: tuple[int, ...], owed: int, left: tuple[int, ...] | None
) -> None:
    assert pay(stacks, owed) == left


def test_a_plan_takes_the_best_cards_that_can_be_paid_for_together() -> None:
    stacks = ((), (), (3, 3))

    assert plan(stacks, [(4.0, (0, 0, 4)), (3.0, (0, 0, 3)), (2.5, (0, 0, 2))]) == 5.5
    assert plan(stacks, [(4.0, (1, 0, 0))]) == 0.0
