"""Cards that set each other off for ever: cut off with an error that names them, and the game stands as before."""

from __future__ import annotations

from typing import Any

import pytest

from ccg.rules import Catalog, EngineError, Game
from ccg.rules.cards.definitions import CardDef
from ccg.rules.core import engine
from ccg.rules.effects.language import read_ability
from tests.rules.tables import keys, position
from tests.soon import soon

SUPPLIED = {"base": "BSG1-004", "fill": "Colonial Shuttle", "base_supplies": 3}


def made(title: str, ability: dict[str, Any], kind: str = "ship") -> CardDef:
    """Make up a card that costs nothing and does ``ability``."""
    return CardDef(
        id=f"XXX-{title}",
        type=kind,
        title=title,
        power=1,
        threat=0,
        mystic=1,
        produces="logistics",
        abilities=(read_ability(ability),),
    )


REVEAL = {"x": "revealed mystic value"}
ECHO = made("Echo", {"when": "you reveal a mystic value", "do": [REVEAL]})
ORACLE = made("Oracle", {"when": "a player draws a card", "do": [REVEAL]})
SCRIBE = made("Scribe", {"when": "you reveal a mystic value", "do": [{"discard": 1}, {"draw": 1}]})
CHOOSY = made("Choosy", {"when": "you reveal a mystic value", "do": [{"choose one": [REVEAL, [{"gain": 1}, REVEAL]]}]})
CROWD = made("Crowd", {"do": [{"for": "each player", "do": [{"for": "each player", "do": [
    {"for": "each player", "do": [{"for": "each player", "do": [{"for": "each player", "do": [{"gain": 0}]}]}]}
]}]}]}, "event")  # fmt: skip
SPARK = made("Spark", {"do": [REVEAL]}, "event")


@pytest.fixture(scope="module")
def with_loops(catalog: Catalog) -> Catalog:
    return Catalog([*catalog, ECHO, ORACLE, SCRIBE, CHOOSY, CROWD, SPARK])


def table(catalog: Catalog, *units: str, hand: str = "Spark", players: int = 2) -> Game:
    ana = {**SUPPLIED, "hand": [hand], "alert": list(units)}
    return position(catalog, ana, *[SUPPLIED] * (players - 1), phase="execution", first="Ana")


def stopped(game: Game, move: str) -> EngineError:
    """Make ``move``, which never ends: it is stopped soon, and nothing at all has changed."""
    before, offered = game.save(), keys(game)
    with soon(), pytest.raises(EngineError) as caught:
        game.choose(move)
    assert (game.save(), keys(game), game.engine.events) == (before, offered, [])
    assert caught.value.code == "loop"
    return caught.value


def can_go_on(game: Game, move: str) -> bool:
    """Whether ``move`` leads to another decision."""
    try:
        game.copy().choose(move)
    except EngineError:
        return False
    return True


def test_a_card_that_sets_itself_off_is_stopped_and_named(with_loops: Catalog) -> None:
    game = table(with_loops, "Echo")
    error = stopped(game, "play XXX-Spark")
    assert error.message == "What Echo does would never end; it was stopped and nothing has changed."
    assert game.choose("pass"), "the game goes on another way"


def test_cards_that_set_each_other_off_are_all_named(with_loops: Catalog) -> None:
    error = stopped(table(with_loops, "Oracle", "Scribe"), "play XXX-Spark")
    assert "Oracle" in error.message
    assert "Scribe" in error.message


def test_a_chain_that_asks_at_each_link_is_stopped_too(with_loops: Catalog, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(engine, "DEPTH_LIMIT", 150)  # a real one takes as long, only longer
    game = table(with_loops, "Choosy")
    game.choose("play XXX-Spark")
    while can_go_on(game, keys(game)[0]):
        game.choose(keys(game)[0])
    assert "Choosy" in stopped(game, keys(game)[0]).message
    assert len(game.engine.state.agenda) <= 150
    game.concede(0)
    assert game.result is not None, "whoever is caught in it can still leave"


def test_what_goes_on_in_breadth_is_stopped(with_loops: Catalog) -> None:
    assert "Crowd" in stopped(table(with_loops, hand="Crowd", players=8), "play XXX-Crowd").message


def test_a_copy_of_the_table_is_not_touched(with_loops: Catalog) -> None:
    game = table(with_loops, "Echo")
    copy = game.copy()
    stopped(copy, "play XXX-Spark")
    assert copy.digest() == game.digest()


def test_only_the_first_move_of_a_trial_cannot_be_gone_back_on(with_loops: Catalog) -> None:
    game = table(with_loops, "Echo")
    before = game.digest()

    with pytest.raises(EngineError):
        game.trial().choose("play XXX-Spark")
    assert game.digest() == before

    tried, stood = game.trial(), ""
    tried.choose("pass")
    while "play XXX-Spark" not in keys(tried):
        tried.choose("pass")
        stood = tried.digest()
    stopped(tried, "play XXX-Spark")
    assert tried.digest() == stood
