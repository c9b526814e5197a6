"""Which scenario is the clearest, and what one expects in sentences."""

from __future__ import annotations

from pathlib import Path

import pytest

from ccg.rules.scenario import ScenarioError, find_files, read_scenarios
from ccg.rules.scenario.checks import FORMS
from ccg.rules.scenario.clearness import effort
from ccg.rules.scenario.files import Check, Scenario
from ccg.rules.scenario.wording import SENTENCES, sentence
from tests.reading import SCENARIOS, scenarios_in

SHORT = """
scenario: A short one
rules: [WIN-1]
given:
  players:
    - {name: Ana, hand: [Fury]}
    - {name: Ben}
when: [{Ana: pass}]
then: [Ana influence 10]
"""


def scenario(folder: Path, text: str = SHORT) -> Scenario:
    """The scenario that ``text`` tells."""
    path = folder / "a.yaml"
    path.write_text(text)
    return next(read_scenarios(path))


@pytest.mark.parametrize(
    ("old", "new"),
    [
        ("{Ana: pass}", "{Ana: pass}, {Ben: pass}"),
        ("[Fury]", "[Fury, Fire Support]"),
        ("[Ana influence 10]", "[Ana influence 10, Ben influence 10]"),
        ("[WIN-1]", "[WIN-1, WIN-2]"),
        ("- {name: Ben}", "- {name: Ben}\n    - {name: Cleo}"),
        ("hand: [Fury]", "alert: [{stack: [Boomer, Helo]}]"),
        ("[{Ana: pass}]", "[]"),
        ("{Ana: pass}", '{Ana: "no"}'),
        ("Ana influence 10", "Ana hand lacks Fury"),
    ],
    ids=["move", "card", "check", "rule", "player", "stack", "still", "refused", "not so"],
)
def test_more_to_take_in_is_less_clear(tmp_path: Path, old: str, new: str) -> None:
    assert effort(scenario(tmp_path, SHORT.replace(old, new))) > effort(scenario(tmp_path))


def test_copies_of_a_card_are_taken_in_at_once(tmp_path: Path) -> None:
    assert effort(scenario(tmp_path, SHORT.replace("[Fury]", "[3 x Fury]"))) == effort(scenario(tmp_path))


@pytest.mark.parametrize(
    ("line", "told"),
    [
        ("Ana influence 10", "Ana has 10 influence."),
        ("Ana discard has Apollo, Ace Pilot", "Apollo, Ace Pilot is in Ana's discard pile."),
        ("Ben reserve lacks Raptor 101", "Raptor 101 is not in Ben's reserve area."),
        ("Ben hand 5", "Cards in Ben's hand: 5."),
        ("Raptor 101 restored", "Raptor 101 is not exhausted."),
        ("Ben is asked mystic_value", "Ben is asked: mystic value."),
        ("Ana may not play Fury because no_target", "Ana may not play Fury, because of: no target."),
        ("only Ana sees Fury in Ana's hand", "Only Ana sees Fury in Ana's hand."),
        ("nobody was asked", "Nobody was asked anything."),
        ("draw", "The game is a draw."),
    ],
)
def test_what_is_expected_is_told_in_sentences(line: str, told: str) -> None:
    assert sentence(line, ["Ana", "Ben"]) == told


def test_what_is_no_check_is_not_told() -> None:
    with pytest.raises(ScenarioError, match="not understood"):
        sentence("Cleo influence 10", ["Ana", "Ben"])


def test_sentences_are_of_forms_that_there_are() -> None:
    assert set(SENTENCES) <= set(FORMS)


@pytest.mark.slow
def test_every_check_of_our_scenarios_can_be_told() -> None:
    for path in find_files([SCENARIOS]):
        for one in scenarios_in(path):
            names = [player.name for player in one.given.players]
            for item in one.story:
                assert not isinstance(item, Check) or sentence(item.words, names).endswith(".")
