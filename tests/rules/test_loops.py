"""Whoever goes round in a loop can only pass: no text lets a player keep the others from their turn (ruling 92)."""

from __future__ import annotations

from typing import Any

import pytest

from ccg.rules import Catalog, Game
from ccg.rules.cards.definitions import CardDef
from ccg.rules.core import engine, loops
from ccg.rules.core.engine import MOST_CHOICES
from ccg.rules.core.loops import MOST_DEEDS
from ccg.rules.effects.language import read_ability
from tests.rules.tables import keys, position

BASE = {"base": "BSG1-004", "fill": "Raptor 227"}


def made(title: str, *abilities: dict[str, Any], **facts: Any) -> CardDef:
    """Make up a card, a ship if nothing else is said, that does ``abilities``."""
    return CardDef(
        id=f"XXX-{title}", title=title, abilities=tuple(map(read_ability, abilities)),
        **{"type": "ship", "power": 2, "threat": 0, "mystic": 1, "produces": "logistics", **facts},
    )  # fmt: skip


CHORUS = made("Chorus", {"cost": "commit", "do": [{"ready": "all units you control"}]})
MILL = made("Mill", {"cost": "commit", "do": [{"ready": "all units you control"}, {"power": 1, "of": "this"}]})
ECHO = made("Echo", {"when": "you reveal a mystic value", "may": True, "do": [{"x": "revealed mystic value"}]})
REVEAL = {"x": "revealed mystic value"}
ALWAYS = made("Always", {"when": "you reveal a mystic value", "do": [REVEAL]})
AIMED = made("Aimed", {"when": "you reveal a mystic value", "do": [{"power": 1, "of": "target unit"}, REVEAL]})
READER = made("Reader", {"when": "you reveal a mystic value", "do": [{"discard": 1}, {"draw": 1}]})
WRITER = made("Writer", {"when": "a player draws a card", "do": [REVEAL]})
FORUM = made("Forum", {"when": "you reveal a mystic value", "do": [
    {"for": "each player", "do": [{"power": 1, "of": "a unit"}]}, REVEAL,
]})  # fmt: skip
TWIN = made("Twin", {"when": "you reveal a mystic value", "do": [{"power": 1, "of": "this"}, REVEAL]})
BRANCH = made(
    "Branch", {"when": "you reveal a mystic value", "do": [{"power": 1, "of": "target unit"}, REVEAL, REVEAL]}
)
DOUBT = made("Doubt", {"when": "you reveal a mystic value", "may": True, "do": [{"gain": 1}]})
BLAME = made("Blame", {"instead of": "you would lose influence", "do": [
    {"power": 1, "of": "target unit"}, {"lose": 1, "who": "each opponent"},
]})  # fmt: skip
WOUND = made("Wound", {"do": [{"lose": 1}]}, type="event")
SHIELD = made("Shield", {"instead of": "you would lose influence", "may": True, "do": [{"draw": 1}]})
STING = made("Sting", {"do": [{"lose": 1, "who": "each opponent"}]}, type="event")
SPARK = made("Spark", {"do": [{"x": "revealed mystic value"}]}, type="event")
BEACON = made("Beacon", threat=30, power=9)


@pytest.fixture(scope="module")
def with_loops(catalog: Catalog) -> Catalog:
    return Catalog([
        *catalog, CHORUS, MILL, ECHO, SPARK, BEACON, ALWAYS, AIMED, READER, WRITER, FORUM, TWIN, BRANCH, DOUBT, BLAME,
        WOUND, SHIELD, STING,
    ])  # fmt: skip


def table(catalog: Catalog, *units: str, phase: str = "execution", players: int = 2, **ana: Any) -> Game:
    others = [{**BASE, "influence": 12}] * (players - 1)
    return position(catalog, {**BASE, "alert": list(units), **ana}, *others, phase=phase, first="Ana")


def again_and_again(game: Game, verb: str, most: int = 400) -> int:
    """Let Ana do what begins with ``verb`` as long as it is offered while all others pass; return how often."""
    done = 0
    for _ in range(most * 4):
        offered = next((key for key in keys(game) if key.startswith(verb)), None)
        decision = game.decision
        assert decision is not None
        if decision.seat == 0 and decision.kind == "action" and offered is None:
            return done
        done += decision.seat == 0 and offered is not None
        game.choose(offered if decision.seat == 0 and offered is not None else keys(game)[-1])
    raise AssertionError(f"{verb} went on for {done} times")


@pytest.mark.parametrize("players", [2, 3, 8])
def test_a_position_that_stands_a_third_time_holds_its_player(with_loops: Catalog, players: int) -> None:
    game = table(with_loops, "Chorus", players=players)

    assert again_and_again(game, "use") == 3
    assert keys(game) == ["pass"]
    assert {use.reason for use in game.reasons(0)} == {"loop"}
    assert {use.reason for use in game.reasons(1)} == {"not_your_decision"}


def test_what_changes_a_little_each_time_ends_after_so_many_deeds(with_loops: Catalog) -> None:
    game = table(with_loops, "Mill")

    assert again_and_again(game, "use") == MOST_DEEDS
    assert keys(game) == ["pass"]


def test_nobody_else_is_held_and_only_for_this_phase(with_loops: Catalog) -> None:
    game = table(with_loops, "Chorus")
    again_and_again(game, "use")

    assert game.engine.state.deeds.held == [0]
    while game.engine.phase != "execution" or game.engine.state.turn == 1:
        game.choose(keys(game)[-1])
    assert game.engine.state.deeds.held == []
    assert any(key.startswith("use") for key in keys(game))


def test_an_offer_that_goes_on_for_ever_is_offered_only_so_often(with_loops: Catalog) -> None:
    game = table(with_loops, "Echo", hand=["Spark"])
    game.choose("play XXX-Spark")
    yes = 0
    while "yes" in keys(game):
        yes += 1
        game.choose("yes")

    assert yes == MOST_DEEDS


@pytest.mark.parametrize("held", [False, True])
def test_a_replacement_that_may_be_declined_is_not_offered_to_who_is_held(with_loops: Catalog, held: bool) -> None:
    game = position(
        with_loops, {**BASE, "hand": ["Sting"]}, {**BASE, "alert": ["Shield"]}, phase="execution", first="Ana"
    )
    game.engine.state.deeds.held += [1] if held else []
    game.choose("play XXX-Sting")

    assert game.decision is not None
    assert (game.decision.kind == "may") is not held
    assert game.engine.state.players[1].influence == game.engine.state.players[0].influence - held


def test_who_is_held_is_saved_with_the_game(with_loops: Catalog) -> None:
    game = table(with_loops, "Chorus")
    again_and_again(game, "use")

    assert keys(Game.load(game.save(), with_loops)) == ["pass"]
    assert keys(game.copy()) == ["pass"]


def test_whoever_goes_round_against_a_cylon_threat_challenges_no_other(with_loops: Catalog) -> None:
    game = table(with_loops, "Chorus", "Beacon", phase="cylon")
    chorus, beacon = (piece.id for piece in game.engine.state.players[0].alert)
    game.choose(next(key for key in keys(game) if key.startswith(f"challenge {beacon} ")))
    uses = 0
    while game.engine.state.challenge is not None:
        offered = [key for key in keys(game) if key.startswith(f"use {chorus} ")]
        uses += len(offered)
        game.choose(offered[0] if offered else keys(game)[-1])
    while game.decision is not None and game.decision.seat != 0:
        game.choose("pass")

    assert uses == 3
    assert game.engine.state.threats
    assert keys(game) == ["pass"]
    assert {use.reason for use in game.reasons(0)} == {"loop"}


CHAINS = {
    "chooses a target each time": (["Aimed"], [], "Spark"),
    "two cards set each other off": (["Reader", "Writer"], [], "Spark"),
    "everybody is asked": (["Forum"], [], "Spark"),
    "only the order is asked": (["Always", "Twin"], [], "Spark"),
    "sets off two of itself each time": (["Branch"], [], "Spark"),
    "an offer is declined each time": (["Always", "Doubt"], [], "Spark"),
    "happens instead of what it does": (["Blame"], ["Blame"], "Wound"),
}


def answer(game: Game) -> str:
    """Choose what comes first, and decline what is offered."""
    offered = keys(game)
    return "no" if "no" in offered else offered[0]


@pytest.mark.parametrize("players", [2, 4])
@pytest.mark.parametrize("chain", CHAINS)
def test_what_sets_each_other_off_and_asks_each_time_ends(with_loops: Catalog, chain: str, players: int) -> None:
    mine, theirs, event = CHAINS[chain]
    ana = {**BASE, "alert": [*mine, "Raptor 227"], "hand": [event, "Raptor 101", "Colonial Viper 0205"]}
    others = [{**BASE, "influence": 12, "alert": ["Raptor 227", *theirs]}] * (players - 1)
    begun = position(with_loops, ana, *others, phase="execution", first="Ana")
    again = begun.copy()
    game, moves, told = begun, [f"play XXX-{event}"], []
    told += game.choose(moves[0])
    while game.decision is not None and game.decision.kind != "action":
        moves.append(answer(game))
        told += game.choose(moves[-1])
        if len(moves) % 40 == 0:
            game = Game.load(game.save(), with_loops)
        assert len(moves) < 1_500

    assert [event.kind for event in told].count("chain") == 1
    assert len(moves) > MOST_CHOICES
    assert game.decision is not None
    assert game.decision.seat == 1, "the action is over, and the next player has theirs"
    for move in moves:
        again.choose(move)
    assert again.digest() == game.digest()
    assert not game.engine.state.deeds.held


def test_what_is_cut_off_is_cut_off_for_one_phase_only(with_loops: Catalog) -> None:
    game = table(with_loops, "Aimed", "Raptor 227", hand=["Spark", "Spark"])
    for turn in (1, 2):
        while "play XXX-Spark" not in keys(game):
            game.choose(keys(game)[-1])
        assert game.engine.state.turn == turn
        told = game.choose("play XXX-Spark")
        while game.decision is not None and game.decision.kind == "choose":
            told += game.choose(keys(game)[0])
        assert "chain" in {event.kind for event in told}
        assert len(game.engine.state.agenda) < 5
        game.choose(keys(game)[-1])
        game.choose(keys(game)[-1])


def test_what_a_deed_sets_off_still_happens_when_chains_are_cut_off(with_loops: Catalog) -> None:
    game = table(with_loops, "Aimed", "Raptor 227", hand=["Spark", "Spark"])
    asked = []
    for _ in range(2):
        game.choose("play XXX-Spark")
        asked.append(0)
        while game.decision is not None and game.decision.kind == "choose":
            game.choose(keys(game)[0])
            asked[-1] += 1
        game.choose("pass")

    assert asked == [MOST_CHOICES + 1, 1]


@pytest.mark.pure_only("replaces numbers inside the rules")
def test_a_chain_that_lies_too_deep_is_cut_off_before_it_is_a_fault(
    with_loops: Catalog, monkeypatch: pytest.MonkeyPatch
) -> None:
    for module in (engine, loops):
        monkeypatch.setattr(module, "MOST_CHOICES", 10_000)
    game = table(with_loops, "Aimed", "Raptor 227", hand=["Spark"])
    told = game.choose("play XXX-Spark")
    deepest = 0
    while game.decision is not None and game.decision.kind == "choose":
        deepest = max(deepest, len(game.engine.state.agenda))
        told += game.choose(keys(game)[0])

    assert "chain" in {event.kind for event in told}
    assert deepest < loops.DEEPEST + 10
