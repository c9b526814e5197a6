"""The computer players: they choose what is offered, quickly, and the sensible one is worth playing against."""

from __future__ import annotations

import inspect
import random
import re

import msgspec
import pytest

from ccg.rules import Game
from ccg.rules.soak import dealing, hidden
from ccg.rules.telling.view import View
from matches.players import (
    DEFAULT,
    LEVELS,
    NORMAL,
    PLAYERS,
    ability_evaluation,
    duel,
    easy_player,
    heuristic_player,
    level_of,
    player_at,
)
from matches.players.board import Board
from matches.players.evaluation import plan
from matches.players.hand_evaluation import worth_if_played
from matches.players.odds import pay
from tests.reading import own_cards
from tests.rules.tables import keys, position

CATALOG = own_cards()


def test_the_sensible_player_wins_at_least_nine_of_ten_games_against_chance() -> None:
    tally = duel.duel("sensible", "chance", games=60, seed=1, decks=duel.starter_decks())

    assert tally.wins >= 0.9 * tally.games, duel.report("sensible", "chance", tally)
    assert max(tally.turns) < 60


def test_it_also_wins_more_than_its_share_at_a_larger_table() -> None:
    tally = duel.duel("sensible", "chance", games=12, seed=3, decks=duel.starter_decks(), players=4)

    assert tally.wins >= tally.games / 2, duel.report("sensible", "chance", tally)


def test_the_normal_level_clearly_beats_the_easy_one() -> None:
    normal, easy = (level.player for level in reversed(LEVELS))
    tally = duel.duel(normal, easy, games=30, seed=1, decks=duel.starter_decks())

    assert tally.wins >= 0.7 * tally.games, duel.report(normal, easy, tally)


def test_the_easy_player_has_some_sense_and_beats_chance() -> None:
    tally = duel.duel("easy", "chance", games=20, seed=2, decks=duel.starter_decks())

    assert tally.wins >= 0.7 * tally.games, duel.report("easy", "chance", tally)


def test_every_level_has_a_player_and_old_matches_were_normal() -> None:
    assert [level.name for level in LEVELS] == ["easy", "normal"]
    assert all(player_at(level.name) in PLAYERS and level_of(level.player) == level.name for level in LEVELS)
    assert level_of("sensible") == level_of("") == level_of("a player of long ago") == NORMAL
    with pytest.raises(KeyError):
        player_at("hard")


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
        hidden.shuffle(twin, decision.seat, random.Random(number))
        keys = [PLAYERS[DEFAULT](random.Random(7)).choose(one.view(decision.seat), CATALOG) for one in (game, twin)]

        assert keys[0] == keys[1]
        game.choose(keys[0])


def test_a_player_is_handed_a_view_and_the_catalogue_and_nothing_else() -> None:
    for make in PLAYERS.values():
        assert list(inspect.signature(make(random.Random(1)).choose).parameters) == ["view", "catalog"]


def test_an_unknown_kind_of_decision_is_answered_as_well() -> None:
    game = Game.start(dealing.seats("starter", 2, CATALOG, random.Random(3)), CATALOG, b"new")
    assert game.decision is not None
    view = game.view(game.decision.seat)
    assert view.decision is not None
    strange: View = msgspec.structs.replace(view, decision=msgspec.structs.replace(view.decision, kind="a new kind"))

    assert PLAYERS["sensible"](random.Random(1)).choose(strange, CATALOG) in ("keep", "redraw")


# ---------------------------------------------------------------- what it does in a position


def chosen(game: Game) -> str:
    """What the sensible player chooses now, in the words of the screen."""
    assert game.decision is not None
    view = game.view(game.decision.seat)
    key = PLAYERS["sensible"](random.Random(1)).choose(view, CATALOG)
    assert view.decision is not None
    text = next(option.text for option in view.decision.options if option.key == key)
    return re.sub(r"\[\[\w+:[^|]*\|([^\]]*)\]\]", r"\1", text)


def test_it_takes_the_last_influence_when_nobody_can_defend() -> None:
    game = position(
        CATALOG,
        {"alert": ["Raptor 101"], "hand": ["Colonial Viper 113"], "base": "Hangar Bay", "base_supplies": 2},
        {"influence": 1},
        first="Ana",
    )

    assert chosen(game) == "Challenge Ben with Raptor 101"


def test_it_does_not_challenge_into_a_much_stronger_defender() -> None:
    ana = {"alert": ["Raptor 101"], "base": "Hangar Bay"}
    game = position(CATALOG, ana, {"alert": ["Assault Heavy Raider"], "base": "Hangar Bay"}, first="Ana")

    assert chosen(game) == "Pass"


def test_it_defends_when_the_loss_would_be_the_last() -> None:
    ben = {"alert": ["Raptor 101"], "influence": 2}
    game = position(CATALOG, {"alert": ["3 x Assault Heavy Raider"]}, ben, first="Ana")
    game.choose(next(key for key in keys(game) if key.startswith("challenge")))

    assert chosen(game) == "Defend with Raptor 101"


def test_it_strafes_as_the_type_that_nobody_can_answer() -> None:
    strafing = next(card for card in CATALOG if "strafe" in card.keywords)
    game = position(CATALOG, {"alert": [strafing.name]}, {"alert": ["Assault Heavy Raider"]}, first="Ana")
    game.choose(next(key for key in keys(game) if key.startswith("challenge")))

    assert game.decision is not None
    assert game.decision.kind == "strafe"
    assert chosen(game).endswith("personnel")


def easy_choices(game: Game) -> set[str]:
    """All that the easy player would take now, in the words of the screen."""
    assert game.decision is not None
    view = game.view(game.decision.seat)
    assert view.decision is not None
    words = {option.key: option.text for option in view.decision.options}
    taken = easy_player.harmless(heuristic_player.scores(view, CATALOG))
    return {re.sub(r"\[\[\w+:[^|]*\|([^\]]*)\]\]", r"\1", words[key]) for key in taken}


def test_the_easy_player_may_pass_but_does_not_throw_a_unit_away() -> None:
    ana = {"alert": ["Raptor 101"], "hand": ["Colonial Viper 113"], "base": "Hangar Bay", "base_supplies": 2}
    game = position(CATALOG, ana, {"alert": ["Assault Heavy Raider"], "base": "Hangar Bay"}, first="Ana")

    assert easy_choices(game) == {"Pass", "Play Colonial Viper 113"}


def test_the_easy_player_aims_what_harms_at_others() -> None:
    fleets = {"alert": ["Colonial Viper 113", "Apollo, Ace Pilot"]}
    ana = {"hand": ["Condition Two"], "base": "Hangar Bay", "base_supplies": 4, **fleets}
    game = position(CATALOG, ana, {"alert": ["Helo, Flight Officer", "Raptor 101"]}, first="Ana")
    game.choose("play BSG1-016")

    assert easy_choices(game) <= {"Choose Helo, Flight Officer", "Choose Raptor 101"}


def test_it_plays_a_unit_rather_than_pass() -> None:
    game = position(
        CATALOG, {"hand": ["Colonial Viper 113"], "base": "Hangar Bay", "base_supplies": 2}, {}, first="Ana"
    )

    assert chosen(game) == "Play Colonial Viper 113"


def test_it_keeps_what_helps_in_a_challenge_until_there_is_one() -> None:
    ana = {"hand": ["Fury"], "base": "Hangar Bay", "base_supplies": 4, "assets": ["Raptor 101", "Shuttle"]}
    game = position(CATALOG, {**ana, "alert": ["Colonial Viper 113"]}, {"influence": 15}, first="Ana")

    assert chosen(game) != "Play Fury"


def test_it_harms_others_and_helps_itself() -> None:
    fleets = {"alert": ["Colonial Viper 113", "Apollo, Ace Pilot"]}
    ana = {"hand": ["Condition Two"], "base": "Hangar Bay", "base_supplies": 4, **fleets}
    game = position(CATALOG, ana, {"alert": ["Helo, Flight Officer", "Raptor 101"]}, first="Ana")
    game.choose("play BSG1-016")
    assert game.decision is not None
    view = game.view(0)
    key = PLAYERS["sensible"](random.Random(1)).choose(view, CATALOG)
    target = next(piece for player in view.players for piece in player.alert if key == f"choose {piece.id}")

    assert target.controller == 1


def test_it_beats_a_cylon_threat_that_it_can_beat() -> None:
    game = position(
        CATALOG,
        {"alert": ["Assault Heavy Raider", "Cruising Heavy Raider"], "deck": ["Raptor 101"], "base": "Flattop"},
        {"alert": ["Assault Heavy Raider", "Cruising Heavy Raider"], "deck": ["Raptor 168"], "base": "Flattop"},
        phase="cylon",
        first="Ana",
    )

    assert game.decision is not None
    assert game.decision.kind == "cylon"
    assert chosen(game).startswith("Challenge the threat")


def test_it_gives_up_the_least_in_a_jump() -> None:
    ana = {"base": "Flattop", "base_supplies": 3, "assets": [{"card": "Raptor 101", "supplies": 2}, "Raptor 168"]}
    cylons = {"alert": ["3 x Assault Heavy Raider", "2 x Cruising Heavy Raider"], "deck": ["Centurion Guardian"]}
    game = position(CATALOG, {**ana, **cylons}, {"base": "Flattop", **cylons}, phase="cylon", first="Ana")
    while game.decision is not None and game.decision.kind != "jump":
        game.choose(keys(game)[-1])

    assert chosen(game) != "Choose Raptor 101"


def test_every_text_has_a_worth_on_every_board() -> None:
    """All cards, on an empty board and on a full one, in a challenge and out of it."""
    full = {
        "alert": ["Colonial Viper 113", "Apollo, Ace Pilot"],
        "reserve": ["Helo, Flight Officer"],
        "assets": ["Shuttle"],
    }
    for ana in ({}, full):
        for ben in ({}, full):
            game = position(CATALOG, ana, ben, first="Ana")
            board = Board(game.view(0), CATALOG)
            for card in CATALOG:
                if card.type != "base":
                    assert -50 < worth_if_played(board, card) < 50
                    assert ability_evaluation.aim_of(card) in ("help", "harm", "")


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
