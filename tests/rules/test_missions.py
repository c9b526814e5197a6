"""Requirements of missions: different units for each, found against trying everything (MISSION-3, MISSION-4)."""

from __future__ import annotations

from itertools import permutations

import pytest
from hypothesis import given, settings
from hypothesis import strategies as st

from ccg.rules import CardDef, Catalog, Game
from ccg.rules.cards.definitions import Requirement
from ccg.rules.rulebook.missions import next_helps
from tests.at_length import examples
from tests.reading import own_cards
from tests.rules.tables import keys, position

TRAITS = ("Officer", "Pilot", "Politician")
UNITS = [
    (kind, traits) for kind in ("personnel", "ship") for traits in ((), *((t,) for t in TRAITS), TRAITS[:2], TRAITS)
]
ASKED = [Requirement(trait, kind) for trait in ("", *TRAITS) for kind in ("", "personnel", "ship") if trait or kind]

Unit = tuple[str, tuple[str, ...]]


def unit_name(unit: Unit) -> str:
    return f"{unit[0]} {' '.join(unit[1]) or 'plain'}"


UNIT_CARDS = [
    CardDef(id=f"U-{place:02}", type="personnel" if unit[0] == "personnel" else "ship", subtitle=unit_name(unit),
            traits=unit[1], power=1, produces="security")
    for place, unit in enumerate(UNITS)
]  # fmt: skip
OTHERS = [
    CardDef(id="B-1", type="base", title="Base", power=4, produces="security", hand=4, influence=10),
    CardDef(id="Z-1", type="ship", subtitle="Colonial Shuttle", power=1, produces="logistics"),
]


def table(units: list[tuple[Unit, bool]], asked: list[Requirement], reserve: list[Unit]) -> Game:
    """Ana has ``units`` alert, face down or not, a mission that asks for all of ``asked``, and others in reserve."""
    mission = CardDef(id="M-1", type="mission", title="Mission", requires=tuple(asked))
    ana = {
        "base": "Base",
        "alert": ["Mission", *({"card": unit_name(unit), "exhausted": exhausted} for unit, exhausted in units)],
        "reserve": [unit_name(unit) for unit in reserve],
    }
    ben = {"base": "Base", "alert": [unit_name(unit) for unit in UNITS]}
    return position(Catalog([mission, *UNIT_CARDS, *OTHERS]), ana, ben, first="Ana")


def meets(unit: Unit, asked: Requirement) -> bool:
    return (not asked.trait or asked.trait in unit[1]) and (not asked.type or asked.type == unit[0])


def ways(units: list[tuple[Unit, bool]], asked: list[Requirement]) -> set[frozenset[int]]:
    """All sets of units, by their place, that meet the requirements, found by trying every order."""
    face_up = [place for place, (_, exhausted) in enumerate(units) if not exhausted]
    return {
        frozenset(chosen)
        for chosen in permutations(face_up, len(asked))
        if all(meets(units[place][0], requirement) for place, requirement in zip(chosen, asked, strict=True))
    }


FLEET = st.lists(st.tuples(st.sampled_from(UNITS), st.booleans()), max_size=5)
REQUIRED = st.lists(st.sampled_from(ASKED), min_size=1, max_size=4).map(lambda asked: sorted(asked, key=str))


@pytest.mark.slow
@settings(max_examples=examples(400))
@given(FLEET, REQUIRED, st.lists(st.sampled_from(UNITS), max_size=2))
def test_a_mission_can_be_resolved_just_when_different_units_meet_it(
    units: list[tuple[Unit, bool]], asked: list[Requirement], reserve: list[Unit]
) -> None:
    game = table(units, asked, reserve)

    assert any(key.startswith("resolve") for key in keys(game)) == bool(ways(units, asked))


@pytest.mark.slow
@settings(max_examples=examples(300))
@given(FLEET, REQUIRED)
def test_every_set_of_units_that_meets_it_can_be_named_and_no_other(
    units: list[tuple[Unit, bool]], asked: list[Requirement]
) -> None:
    game = table(units, asked, [])
    place = {piece.id: number for number, piece in enumerate(game.view(0).players[0].alert[1:])}
    mission = game.engine.player(0).alert[0]
    named: set[frozenset[int]] = set()
    begun: list[list[int]] = [[]] if ways(units, asked) else []
    while begun:
        used = begun.pop()
        if len(used) == len(asked):
            named.add(frozenset(place[unit] for unit in used))
            continue
        following = next_helps(game.engine, 0, mission, used)
        assert following, "a way that was offered leads nowhere"
        begun += [[*used, aid.piece] for aid in following]

    assert named == ways(units, asked)


@settings(max_examples=examples(150))
@given(FLEET, REQUIRED)
def test_whatever_is_named_the_mission_resolves_and_nobody_is_committed(
    units: list[tuple[Unit, bool]], asked: list[Requirement]
) -> None:
    game = table(units, asked, [])
    if not ways(units, asked):
        return
    game.choose(next(key for key in keys(game) if key.startswith("resolve")))
    steps = 0
    while game.decision is not None and game.decision.kind == "mission_units":
        options = keys(game)
        assert len(options) == len(set(options)) > 0
        game.choose(options[-1])
        steps += 1
        assert steps <= len(asked)
    ana = game.view(0).players[0]

    assert ana.discard == ["M-1"]
    assert len(ana.alert) == len(units)
    assert ana.reserve == []
    assert not any(key.startswith("resolve") for key in keys(game))


# ---------------------------------------------------------------- playing them from hand


CATALOG = own_cards()
MISSIONS = sorted(card.name for card in CATALOG if card.type == "mission")


def many_targets(mission: str) -> Game:
    """Ana has a mission in hand, and everywhere lies whatever its text may name."""
    units = [card.name for card in CATALOG if card.is_unit]
    fleet: dict[str, object] = {
        "influence": 10,
        "hand": [mission, "Fury", "Colonial Shuttle", "Combat Air Patrol", *units[1::20]],
        "alert": [*units[::6], "Flight School"],
        "reserve": [*units[3::6], {"card": "Colonial Viper 229", "linked": ["Blackmail"]}, "Working Together"],
        "discard": ["Fury", "Colonial Shuttle", "Combat Air Patrol"],
        "assets": ["Raptor 101", {"card": "Colonial Shuttle", "supplies": 4}],
        "base_supplies": 4,
        "persistent": ["CAG"],
    }
    return position(CATALOG, {**fleet, "base": "Captain's Quarters"}, fleet, fleet, first="Ana")


@pytest.mark.parametrize("mission", MISSIONS)
def test_playing_a_mission_from_hand_asks_for_payment_and_nothing_else(mission: str) -> None:
    game = many_targets(mission)
    [card] = CATALOG.named(mission)
    events = game.choose(f"play {card.id}")
    while game.decision is not None and game.decision.kind == "payment":
        events += game.choose(keys(game)[0])

    assert game.decision is not None
    assert (game.decision.seat, game.decision.kind) == (1, "action")
    assert not [event for event in events if event.kind.startswith("target")]
    assert game.engine.definition(game.engine.player(0).reserve[-1]).name == mission
