"""A word of the language is whole: it stands on a card, which says it in words and is played in a scenario."""

from __future__ import annotations

from collections import defaultdict

import pytest

from ccg.rules.authoring.card_files import SETS, set_folders
from ccg.rules.authoring.reference import examples
from ccg.rules.effects.language import WORDS, by_verb
from ccg.rules.effects.word import CARDS, Word
from ccg.rules.scenario import find_files
from tests.reading import SCENARIOS, TUTORIAL, scenarios_in


@pytest.fixture(scope="module")
def cards() -> dict[str, set[str]]:
    """The cards that have each word."""
    found: dict[str, set[str]] = defaultdict(set)
    for example in examples([*set_folders(SETS), TUTORIAL]):
        for kind, word in example.uses:
            if kind == "step":
                found[word].add(example.card.id)
    return found


@pytest.fixture(scope="module")
def played() -> set[str]:
    """The cards of all scenarios."""
    files = find_files([SCENARIOS, TUTORIAL / "scenarios"])
    return {card for path in files for scenario in scenarios_in(path) for card in scenario.cards}


@pytest.mark.parametrize("verb", WORDS)
def test_a_word_is_on_a_card_that_has_a_scenario(verb: str, cards: dict[str, set[str]], played: set[str]) -> None:
    assert cards[verb], f"no card has the word {verb!r}: give it to one, in cards_data/sets or docs/make-a-card-set"
    assert cards[verb] & played, f"no scenario plays a card with {verb!r}: write one for {min(cards[verb])}"


def test_two_words_of_one_verb_are_refused() -> None:
    class Again(Word):
        verb = "draw"
        group = CARDS
        section = "Glossary"

    with pytest.raises(TypeError, match="both Draw and Again have the verb 'draw'"):
        by_verb([WORDS["draw"], Again])
