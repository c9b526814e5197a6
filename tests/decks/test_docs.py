"""docs/decks.md says what is so."""

from __future__ import annotations

import re
from pathlib import Path

from ccg.rules.authoring.card_files import SETS, read_catalog, read_set
from decks.lists import legality, textlist
from decks.lists.textlist import Names

TEXT = (Path(__file__).resolve().parents[2] / "docs" / "decks.md").read_text(encoding="utf-8")


def test_every_problem_and_action_is_explained() -> None:
    named = set(re.findall(r"`(\w+)`", TEXT))

    assert set(legality.Code.__args__) <= named  # type: ignore[attr-defined]
    assert set(legality.Deed.__args__) <= named  # type: ignore[attr-defined]
    assert all(rule in TEXT for rule in legality.RULES)


def test_the_example_can_be_pasted() -> None:
    example = TEXT.split("```\n")[1]
    printings = [one for path in SETS.glob("*/set.yaml") for one in read_set(path.parent).printings]

    reading = textlist.read(example, Names(read_catalog(), printings), ["standard-2006"])

    assert not reading.undecided
    assert not [line for line in reading.lines if line.notes]
    assert sum(reading.deck.counts.values()) == 13


def test_the_limits_are_the_limits() -> None:
    assert f"{textlist.MAX_BYTES // 1024} KiB, {textlist.MAX_LINES} lines, {textlist.MAX_LINE} characters" in TEXT
