"""Sites with very much on them, in short."""

from __future__ import annotations

import pytest

from tests.proving import short

PROFILES = ["embedded", pytest.param("full", marks=pytest.mark.full_profile)]


@pytest.mark.proof
@pytest.mark.parametrize("profile", PROFILES)
def test_lists_of_many_decks_and_cards_are_quick(profile: str) -> None:
    assert len(short("lists", profile)["figures"]["quickest_ms"]) >= 15


@pytest.mark.proof
@pytest.mark.parametrize("profile", PROFILES)
def test_all_decks_are_judged_anew_while_the_site_answers(profile: str) -> None:
    figures = short("rejudging", profile)["figures"]
    assert figures["changed"] > 100 and figures["wrong"] == 0
