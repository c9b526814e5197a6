"""What the options of a choice say: ways in the words of the card, numbers as numbers."""

from __future__ import annotations

from ccg.rules import Catalog, Game
from ccg.rules.rulebook.mystic_values import ChooseValue
from ccg.rules.telling.wording import plain
from tests.rules.tables import keys, position


def told(game: Game) -> list[str]:
    """Return what is offered to who decides, without marks."""
    assert game.decision is not None
    asked = game.view(game.decision.seat).decision
    assert asked is not None
    return [plain(option.text) for option in asked.options]


def test_each_way_that_a_card_offers_is_told_in_its_words(catalog: Catalog) -> None:
    crew = {"alert": ["Article 23", "Helo, Karl Agathon"], "influence": 10}
    game = position(catalog, crew, {"alert": ["Raptor 101"], "influence": 12}, phase="execution", first="Ana")
    game.choose(next(key for key in keys(game) if key.startswith("resolve")))
    assert told(game) == ["Sacrifice a personnel", "Lose 2 influence"]
    game.choose(keys(game)[1])
    assert game.decision is not None
    assert game.decision.seat == 1
    assert told(game) == ["Lose 2 influence"], "the way is the second one of the card, though the only one offered"


def test_a_number_that_somebody_names_is_told_as_it_is(catalog: Catalog) -> None:
    side = {"hand": ["Reformat", "Fury", "Stims"], "base": "Hangar Bay", "assets": ["Raptor 101"]}
    game = position(catalog, side, {"influence": 12}, phase="execution", first="Ana")
    game.choose("play BSG1-040")
    assert told(game) == ["0", "1", "2"]


def test_a_mystic_value_is_told_as_one(catalog: Catalog) -> None:
    game = position(catalog, {"influence": 10}, {"influence": 10}, phase="execution", first="Ana")
    engine = game.engine
    engine.state.asking = None
    engine.state.agenda.append(ChooseValue(seat=0, side=0, values=[3, 0]))
    engine.advance()
    assert told(game) == ["Mystic value 0", "Mystic value 3"]
