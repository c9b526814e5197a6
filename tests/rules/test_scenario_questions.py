"""Checks of what was asked: they see the questions that the runner answers by itself."""

from __future__ import annotations

from pathlib import Path

import pytest

from ccg.rules import Catalog
from ccg.rules.scenario import ScenarioError, read_scenarios, run_scenario
from ccg.rules.scenario.running import Failure

GIVEN = """
scenario: A scenario that is tried
given:
  phase: execution
  first: Ana
  players:
    - {name: Ana, base: Captain's Quarters, base_supplies: 1, hand: [Colonial Shuttle], assets: [ASSETS]}
    - {name: Ben, base: Galactica}
when:
  - Ana: play Colonial Shuttle
"""
FORCED = GIVEN.replace("ASSETS", "")
CHOICE = GIVEN.replace("ASSETS", "{card: Colonial Shuttle, supplies: 1}")
"""In the first Ana pays with what she has, in the second she can choose."""


def run(catalog: Catalog, folder: Path, story: str, *checks: str) -> None:
    """Run ``story`` with these ``checks`` at the end."""
    path = folder / "tried.yaml"
    path.write_text(story + "then:\n" + "".join(f"  - {check}\n" for check in checks), encoding="utf-8")
    [scenario] = read_scenarios(path)
    run_scenario(scenario, catalog)


@pytest.mark.parametrize(
    "check",
    [
        "Ana was asked payment",
        "Ana was asked nothing but payment",
        "Ana was asked nothing but choose, payment",
        "Ben was asked nothing",
        "Ben is asked action",
    ],
)
def test_what_was_asked_is_seen(catalog: Catalog, tmp_path: Path, check: str) -> None:
    run(catalog, tmp_path, FORCED, "Ben decides", check)


@pytest.mark.parametrize(
    "check",
    [
        "nobody was asked",
        "Ana was asked nothing",
        "Ana was asked nothing but choose",
        "Ana was asked choose",
        "Ben was asked payment",
        "Ben is asked payment",
        "Ana is asked action",
    ],
)
def test_what_was_asked_and_should_not_is_seen(catalog: Catalog, tmp_path: Path, check: str) -> None:
    with pytest.raises(Failure, match=r"found (Ana|Ben) asked"):
        run(catalog, tmp_path, FORCED, check)


def test_a_half_made_move_that_waits_is_a_question_too(catalog: Catalog, tmp_path: Path) -> None:
    run(catalog, tmp_path, CHOICE, "Ana is asked payment", "Ana was asked nothing but payment")

    with pytest.raises(Failure, match="found Ana asked payment"):
        run(catalog, tmp_path, CHOICE, "nobody was asked")


def test_only_questions_since_the_last_step_count(catalog: Catalog, tmp_path: Path) -> None:
    run(catalog, tmp_path, FORCED + "  - Ben: pass\n", "nobody was asked", "Ana was asked nothing")


def test_a_kind_that_does_not_exist_is_an_error_of_the_file(catalog: Catalog, tmp_path: Path) -> None:
    with pytest.raises(ScenarioError, match="no decision of the kind 'paying'"):
        run(catalog, tmp_path, FORCED, "Ana was asked nothing but paying")


def test_all_that_may_be_done_is_listed(catalog: Catalog, tmp_path: Path) -> None:
    """In the second story Ana has yet to say which stack she spends."""
    run(catalog, tmp_path, FORCED, "Ben may only pass; use Galactica")
    run(catalog, tmp_path, CHOICE, "Ana may only pay with Captain's Quarters; pay with Colonial Shuttle")


@pytest.mark.parametrize(
    ("check", "found"),
    [
        ("Ben may only pass", r"use .*Galactica.* is not listed"),
        ("Ben may only pass; use Galactica; play Fury", "play Fury is 0 options"),
        ("Ana may only pass", r"Ben \(action\) may"),
    ],
)
def test_what_is_missing_and_what_is_too_much_is_seen(catalog: Catalog, tmp_path: Path, check: str, found: str) -> None:
    with pytest.raises(Failure, match=found):
        run(catalog, tmp_path, FORCED, check)
