"""Options that help only an opponent, or harm only oneself, are marked so; everything that may be meant is not."""

from __future__ import annotations

from typing import Any

import pytest
import yaml

from ccg.rules import CardDef, Catalog, Game
from ccg.rules.effects.language import read_ability
from tests.rules.tables import position


def event(name: str, ability: str) -> CardDef:
    """An event whose id is its name."""
    return CardDef(id=name, type="event", subtitle=name, mystic=1, abilities=(read_ability(yaml.safe_load(ability)),))


CREW = CardDef(id="Crew", type="personnel", subtitle="Crew", power=2, threat=1, mystic=2, produces="logistics")
HOME = CardDef(id="Home", type="base", title="Home", power=9, produces="persuasion", hand=4, influence=9)
CATALOG = Catalog(
    [
        CREW,
        HOME,
        event("Repair", "do: [{restore: target personnel}]"),
        event("Boast", "do: [{power: 2, of: target personnel}]"),
        event("Jeer", "do: [{power: -2, of: target personnel}]"),
        event("Praise", "do: [{gain: 1, who: target player}]"),
        event("Bargain", "do: [{power: 2, of: target personnel}, {draw: 1}]"),
        event("Blame", "do: [{exhaust: target personnel}]"),
        event("Tax", "do: [{lose: 1, who: target player}]"),
        event("Recall", "do: [{put: target personnel, into: hand}]"),
        event("Shield", "do: [{cannot: be targeted, of: target personnel}]"),
    ]
)


def offered(name: str, mine: int = 0, theirs: int = 1, players: int = 2, exhausted: bool = False) -> tuple[Game, bool]:
    """A game in which Ana may play ``name``, with so many personnel of hers and of Ben's; and whether it is marked."""
    unit: Any = {"card": "Crew", "exhausted": True} if exhausted else "Crew"
    ana = {"hand": [name], "alert": [unit] * mine}
    others = [{"alert": [unit] * theirs}, *({} for _ in range(players - 2))]
    sides = [{"base": "Home", "fill": "Crew", **side} for side in (ana, *others)]
    game = position(CATALOG, *sides, first="Ana")
    decision = game.view(0).decision
    assert decision is not None
    option = next(option for option in decision.options if option.key == f"play {name}")
    return game, option.helps_opponent


@pytest.mark.parametrize("name", ["Boast", "Repair"])
def test_a_card_whose_every_target_is_an_opponents_helps_only_them(name: str) -> None:
    exhausted = name == "Repair"
    assert offered(name, exhausted=exhausted)[1]
    assert not offered(name, mine=1, exhausted=exhausted)[1], "a target of one's own"


@pytest.mark.parametrize("name", ["Jeer", "Blame", "Bargain", "Praise"])
def test_what_harms_or_does_something_else_as_well_is_not_marked(name: str) -> None:
    assert not offered(name)[1]


def test_with_three_players_somebody_may_want_to_help() -> None:
    assert not offered("Boast", players=3)[1]


def test_each_target_is_marked_by_whom_it_helps() -> None:
    game, _ = offered("Boast", mine=1)
    game.choose("play Boast")
    decision = game.view(0).decision
    assert decision is not None
    own, their = (game.engine.player(seat).alert[0].id for seat in (0, 1))
    assert {option.piece: option.helps_opponent for option in decision.options} == {own: False, their: True}


def test_so_is_each_player() -> None:
    game, _ = offered("Praise")
    game.choose("play Praise")
    decision = game.view(0).decision
    assert decision is not None
    assert {option.player: option.helps_opponent for option in decision.options} == {0: False, 1: True}


def harms(name: str, **people: int) -> tuple[Game, bool]:
    """A game in which Ana may play ``name``, and whether that is marked as harming her alone."""
    game, _ = offered(name, **people)
    decision = game.view(0).decision
    assert decision is not None
    return game, next(option.harms_you for option in decision.options if option.key == f"play {name}")


@pytest.mark.parametrize("name", ["Jeer", "Blame"])
def test_a_card_whose_every_target_is_ones_own_harms_only_oneself(name: str) -> None:
    assert harms(name, mine=1, theirs=0)[1]
    assert harms(name, mine=1, theirs=0, players=3)[1]
    assert not harms(name, mine=1)[1], "a target of the opponent's"


@pytest.mark.parametrize("name", ["Boast", "Bargain", "Tax", "Recall", "Shield"])
def test_what_does_no_harm_or_something_else_as_well_harms_nobody(name: str) -> None:
    assert not harms(name, mine=1, theirs=0)[1]


@pytest.mark.parametrize("name", ["Jeer", "Blame"])
def test_each_target_is_marked_that_is_ones_own(name: str) -> None:
    game, _ = offered(name, mine=1)
    game.choose(f"play {name}")
    decision = game.view(0).decision
    assert decision is not None
    own, their = (game.engine.player(seat).alert[0].id for seat in (0, 1))
    assert {option.piece: option.harms_you for option in decision.options} == {own: True, their: False}


def test_so_is_oneself_as_a_player() -> None:
    game, _ = offered("Tax")
    game.choose("play Tax")
    decision = game.view(0).decision
    assert decision is not None
    assert {option.player: option.harms_you for option in decision.options} == {0: True, 1: False}
