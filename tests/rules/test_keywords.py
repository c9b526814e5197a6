"""A keyword is whole: it is named, explained, known to the computer player, and has scenarios."""

from __future__ import annotations

import json
from typing import get_args

import pytest

from ccg.rules.cards.definitions import KEYWORDS, UNIT_KEYWORDS, KeywordName
from ccg.rules.scenario import find_files
from ccg.rules.telling.wording import english
from matches.players import weights
from tests.reading import SCENARIOS, TUTORIAL

MEANINGS = SCENARIOS.parents[1] / "cards_data" / "keywords.json"


def test_the_table_of_keywords_is_that_of_the_type() -> None:
    assert set(KEYWORDS) == set(get_args(KeywordName)), "KEYWORDS and KeywordName in cards/definitions.py differ"


@pytest.mark.parametrize("keyword", KEYWORDS)
def test_a_keyword_is_named_explained_and_played(keyword: str) -> None:
    assert keyword in english.KEYWORDS, f"telling/wording/english.py has no name for {keyword}"
    assert keyword in json.loads(MEANINGS.read_text("utf-8")), f"cards_data/keywords.json does not explain {keyword}"
    scenarios = [path for path in find_files([SCENARIOS, TUTORIAL / "scenarios"]) if keyword in path.stem]
    assert scenarios, f"no scenario is named for {keyword}: write one in ccg/scenarios/rules/keywords"


def test_the_computer_player_knows_what_keywords_are_worth() -> None:
    assert set(weights.KEYWORDS) == set(UNIT_KEYWORDS), "KEYWORDS in matches/players/weights.py are others"
