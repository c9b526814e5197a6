"""What an author writes as an occasion and cannot, and YAML's own words as keys, are answered fittingly."""

from __future__ import annotations

import pytest

from ccg.rules.authoring import occasions, yaml_files
from ccg.rules.authoring.card_entries import read_entry
from ccg.rules.cards import phrases
from tests.cards_data.conftest import APOLLO


def said(ability: str) -> list[str]:
    """Return what is said of a card with this ability, given as YAML."""
    raw, _ = yaml_files.parse(f"{APOLLO}  abilities:\n  - {ability}\n".encode())
    return [str(problem) for problem in read_entry(raw[0])[1]]


def test_every_known_occasion_can_be_read() -> None:
    assert {phrases.occasion(phrase).kind for phrase in occasions.KNOWN}
    assert len(set(occasions.KNOWN)) == len(occasions.KNOWN) == 22


@pytest.mark.parametrize(
    ("ability", "words"),
    [
        ("{on: you are challenged, do: [gain: 1]}", "unknown key 'on', did you mean 'when'?"),
        ("{On: you are challenged, do: [gain: 1]}", "unknown key 'On', did you mean 'when'?"),
        ("{when: you are challenged, yes: 1, do: [gain: 1]}", "unknown key 'yes'"),
        ("{when: you are challenged, off: 1, do: [gain: 1]}", "unknown key 'off'"),
        ("{null: you are challenged, do: [gain: 1]}", "unknown key 'null'"),
        ("{whenever: you are challenged, do: [gain: 1]}", "unknown key 'whenever', did you mean 'when'?"),
        ("{when: you are challenged, effect: [gain: 1]}", "unknown key 'effect', did you mean 'do'?"),
    ],
)
def test_a_key_is_told_as_it_was_written(ability: str, words: str) -> None:
    assert any(words in line for line in said(ability)), said(ability)
    assert not any("True" in line or "False" in line for line in said(ability))


@pytest.mark.parametrize(
    ("occasion", "words"),
    [
        ("the turn ends", "`at: end of turn`"),
        ("a challenge is over", "`at: end of challenge`"),
        ("the execution phase begins", "'the ready phase begins'"),
        ("this is readied", "cannot say that a card is readied"),
        ("a unit is committed", "cannot say that a card is committed"),
        ("your base is exhausted", "cannot say that a card is exhausted"),
        ("you gain influence", "'you lose influence'"),
        ("an opponent discards a card", "'a player draws a card'"),
        ("this defends", "'you are challenged'"),
        ("the fleet jumps", "'Cylon threats are revealed'"),
        ("you sacrifice a ship", "'this leaves play'"),
        ("you are chalenged", "did you mean 'you are challenged'?"),
        ("the moon rises", "'the' is not understood here; occasions are: you are challenged; you are challenged by a"),
        ("you win", "did you mean 'this wins a challenge'?"),
        ("xyzzy", "'xyzzy' is not understood here; occasions are: you are challenged;"),
        (
            "you win a challenge",
            "the nearest occasions are: you are challenged; this wins a challenge; this challenges",
        ),
        ("this becomes the target of an effect", "`cannot: be targeted`"),
        ("you ready a unit", "cannot say that a card is readied"),
        ("you commit a unit", "cannot say that a card is committed"),
        ("the ready phase ends", "`at: end of phase`"),
        ("an opponent plays an event", "did you mean 'you play an event'?"),
        ("an opponent draws a card", "did you mean 'a player draws a card'?"),
        ("a mission is resolved", "did you mean 'you resolve a mission'?"),
        ("a Cylon threat is revealed", "did you mean 'Cylon threats are revealed'?"),
        ("this wins", "did you mean 'this wins a challenge'?"),
        ("this unit dies", "did you mean 'this is defeated'?"),
        ("each time this challenges", "did you mean 'this challenges'?"),
        ("whenever you play an event", "did you mean 'you play an event'?"),
        ("you resolve", "did you mean 'you resolve a mission'?"),
        ("you reveals a mystic value", "did you mean 'you reveal a mystic value'?"),
    ],
)
def test_an_occasion_that_there_is_not_is_answered_with_what_there_is(occasion: str, words: str) -> None:
    found = said(f"{{when: {occasion}, do: [gain: 1]}}")

    assert any(words in line and "abilities[0].when" in line for line in found), found


@pytest.mark.parametrize(
    ("condition", "words"),
    [
        ("the ready phase", "did you mean 'the Cylon phase'?"),
        ("an challenge", "did you mean 'a challenge'?"),
    ],
)
def test_a_condition_that_there_is_not_is_answered_with_one_that_there_is(condition: str, words: str) -> None:
    found = said(f"{{cost: commit, during: {condition}, do: [gain: 1]}}")

    assert any(words in line and "abilities[0].during" in line for line in found), found


def test_a_number_with_a_zero_in_front_is_told_as_that() -> None:
    assert any("010 begins with a zero" in line for line in said("{cost: commit, do: [gain: 010]}"))
