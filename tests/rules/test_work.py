"""What is worked out for one decision is bounded, by a count: cards that need more are named, and nothing happens."""

from __future__ import annotations

from typing import Any

import pytest

from ccg.rules import Catalog, EngineError, Game
from ccg.rules.cards.definitions import CardDef, Requirement
from ccg.rules.core.work import WORK_LIMIT
from ccg.rules.effects.language import read_ability
from tests.rules.tables import keys, position, walk
from tests.soon import soon

BASE = {"base": "BSG1-004", "fill": "Raptor 227"}
COUNTED = ("unit", "ship", "personnel", "alert unit", "Fighter", "Pilot")


def made(title: str, abilities: list[dict[str, Any]], kind: str = "ship", **facts: Any) -> CardDef:
    return CardDef(
        id=f"XXX-{title}", type=kind, title=title, power=2, threat=0, mystic=1, produces="logistics",
        abilities=tuple(map(read_ability, abilities)), **facts,
    )  # fmt: skip


COUNTER = made("Counter", [{"always": [{"power": f"1 for each {what}", "of": "all units"}]} for what in COUNTED])
PICKER = made(
    "Picker",
    [{"cost": "commit", "do": [{"commit": "target alert unit"}, *[{"exhaust": "target other personnel"}] * 6]}] * 6,
)
JOKER = made("Joker", [{"counts as": ["Pilot unit", "Civilian unit"]}])
MUSTER = made(
    "Muster", [{"do": [{"gain": 1}]}], "mission", requires=(*[Requirement("Pilot", "")] * 9, Requirement("Cylon", ""))
)
FLOCK = made("Flock", [{"do": [{"ready": "all units"}]}], "event")


@pytest.fixture(scope="module")
def with_counters(catalog: Catalog) -> Catalog:
    return Catalog([*catalog, COUNTER, PICKER, FLOCK, JOKER, MUSTER])


def table(catalog: Catalog, *alert: str, reserve: tuple[str, ...] = ()) -> Game:
    mine = {**BASE, "alert": list(alert), "reserve": list(reserve)}
    return position(catalog, {**mine, "hand": ["Flock"]}, {**mine}, phase="execution", first="Ana")


def test_six_counting_texts_on_each_of_twenty_units_are_no_burden(with_counters: Catalog) -> None:
    game = table(with_counters, *["Counter"] * 10)
    with soon():
        game.choose("pass")
        views = [game.view(seat) for seat in (0, 1, None)]

    assert game.engine.work < WORK_LIMIT / 4
    assert views[0].players[0].alert[0].power == 2 + 20 * (20 + 20 + 0 + 20 + 0 + 0)


@pytest.mark.parametrize("name", ["Counter", "Picker"])
def test_what_takes_far_too_much_is_refused_with_the_name_of_the_card(with_counters: Catalog, name: str) -> None:
    is_refused(table(with_counters, *[name] * 40), name)


def test_units_that_count_as_others_are_not_tried_in_all_sets_for_many_requirements(with_counters: Catalog) -> None:
    bens = {**BASE, "alert": ["Muster", *["Joker"] * 20]}
    is_refused(position(with_counters, BASE, bens, phase="execution", first="Ana"), "Muster")


def is_refused(game: Game, name: str) -> None:
    before, offered = game.save(), keys(game)

    with soon(), pytest.raises(EngineError, match=f"What {name} says takes far too much to work out") as caught:
        game.choose("pass")
    assert caught.value.code == "work"
    assert (game.save(), keys(game), game.engine.events) == (before, offered, [])
    game.concede(0)
    assert game.result is not None, "whoever sits there can still leave"


def test_the_count_is_the_same_whatever_was_looked_at_before(with_counters: Catalog) -> None:
    game = table(with_counters, *["Counter"] * 5)
    looked_at, loaded = game.copy(), Game.load(game.save(), with_counters)
    for seat in (0, 1, None):
        looked_at.view(seat)
    for one in (game, looked_at, loaded):
        one.choose("pass")

    assert game.engine.work == looked_at.engine.work == loaded.engine.work > 0


@pytest.mark.parametrize("seed", range(4))
def test_what_is_kept_while_nothing_changes_is_what_would_be_worked_out(catalog: Catalog, seed: int) -> None:
    for game in walk(catalog, f"kept/{seed}", players=2 + seed % 3, most=150):
        viewers = [None, *range(len(game.engine.state.players))]
        kept = [game.view(viewer) for viewer in viewers]
        again = [game.view(viewer) for viewer in viewers]
        game.engine.stir()
        fresh = [game.view(viewer) for viewer in viewers]
        game.engine.rest()

        assert kept == again == fresh
