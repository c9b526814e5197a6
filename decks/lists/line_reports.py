"""What pages tell of a pasted list, line by line, and what people picked for lines that are not clear."""

from __future__ import annotations

from typing import Any

from django.http import QueryDict

from ccg.numbers import whole_number
from ccg.rules.cards.definitions import CardDef, Catalog
from decks.lists import textlist
from decks.lists.textlist import Line, Reading

MAX_PICKERS = 200
"""Undecided lines that one form asks for; a form has a limited number of fields."""
MAX_PICK = 20

KIND_WORDS = {
    "matched": "card",
    "ambiguous": "several cards",
    "unknown": "not known",
    "invalid": "not readable",
    "name": "deck name",
    "format": "format",
    "heading": "heading",
    "comment": "comment",
    "ignored": "left out",
}


def report(reading: Reading, catalog: Catalog, picks: dict[int, str]) -> dict[str, Any]:
    """Return what is told of every line, and asked of those that are not clear."""
    undecided = [line for line in reading.lines if line.kind in textlist.UNDECIDED or picks.get(line.number)]
    return {
        "reading": reading,
        "lines": [_line(line, catalog) for line in reading.lines if line.kind != "blank"],
        "asked": [_line(line, catalog, picks) for line in undecided[:MAX_PICKERS]],
        "open": len(reading.undecided),
        "read": sum(1 for line in reading.lines if line.kind == "matched"),
        "leave_out": textlist.LEAVE_OUT,
    }


def picks_of(form: QueryDict) -> dict[int, str]:
    """Return what was picked by line number: the fields ``pick-12`` of the form."""
    picks = {}
    for key, value in form.items():
        number = whole_number(key.removeprefix("pick-"), 4) if key.startswith("pick-") else None
        if number is not None and 0 < len(value) <= MAX_PICK:
            picks[number] = value
    return dict(list(picks.items())[:MAX_PICKERS])


def _line(line: Line, catalog: Catalog, picks: dict[int, str] | None = None) -> dict[str, Any]:
    """Return one line as the report shows it; with ``picks``, as a question with what was answered."""
    cards: list[CardDef] = [catalog[card] for card in line.cards]
    picked = (picks or {}).get(line.number, "")
    return {"line": line, "cards": cards, "picked": picked, "words": KIND_WORDS.get(line.kind, line.kind)}
