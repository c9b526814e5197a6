"""Every kind of question, event, reason and change has its clause, and every clause named is there."""

from __future__ import annotations

import re
from pathlib import Path
from typing import get_args

import pytest

from ccg.rules.core.causes import CauseKind
from ccg.rules.core.events import EventKind
from ccg.rules.core.legality import Reason
from ccg.rules.scenario.coverage import read_clauses
from ccg.rules.telling import clauses
from ccg.rules.telling.templates import EVENTS, PROMPTS

TEXTS = Path(__file__).resolve().parents[2] / "docs" / "rules"
IDS = {clause.id for clause in read_clauses(TEXTS / "clauses.yaml")}
RULINGS = set(re.findall(r"(?m)^(\d+)\. ", (TEXTS / "rulings.md").read_text(encoding="utf-8")))

KINDS = {
    # A key with a space is another sentence for a kind: "cannot defend".
    "prompts": ({kind for kind in PROMPTS if " " not in kind}, clauses.PROMPTS),
    "events": (
        set(get_args(EventKind)) - {"phase"} | {kind for kind in EVENTS if kind.startswith("phase ")},
        clauses.EVENTS,
    ),
    "reasons": (set(get_args(Reason)), clauses.REASONS),
    "causes": (set(get_args(CauseKind)), clauses.CAUSES),
}


@pytest.mark.parametrize("what", KINDS)
def test_every_kind_has_a_clause_or_a_named_reason_why_not(what: str) -> None:
    kinds, told = KINDS[what]
    without = kinds - set(told)

    assert without <= set(clauses.BY_CARD), f"{what} without a clause: {without - set(clauses.BY_CARD)}"
    assert set(told) - kinds <= {"challenge threat"}, "a clause for what there is not"


def test_exceptions_are_needed_and_have_their_reason() -> None:
    needed = set().union(*(kinds - set(told) for kinds, told in KINDS.values()))

    assert set(clauses.BY_CARD) == needed
    assert all(clauses.BY_CARD.values())


def test_every_clause_named_is_one() -> None:
    for _, told in KINDS.values():
        for kind, clause in told.items():
            number = clause.removeprefix("ruling-")

            assert clause in IDS or (number != clause and number in RULINGS), f"{kind}: {clause}"


def test_the_sections_of_phases_are_sections_of_clauses() -> None:
    sections = {clause.section for clause in read_clauses(TEXTS / "clauses.yaml")}

    assert {section for some in clauses.PHASES.values() for section in some} <= sections
