"""Every paste of pastes.yaml is read as it says there: the cards, or the lines that are refused and why."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

import pytest
import yaml

from decks.lists import names, textlist
from decks.lists.deck_list import DeckList
from decks.lists.listing import write
from decks.lists.names import digits
from decks.lists.textlist import Reading, read
from tests.decks.own_names import own_names
from tests.reading import own_cards
from tests.soon import soon

GROUPS = yaml.safe_load(Path(__file__).with_name("pastes.yaml").read_text(encoding="utf-8"))
PASTES = [row for rows in GROUPS.values() for row in rows]

CATALOG = own_cards()
NAMES = own_names()
FORMATS = {"standard-2006"}


def as_written(paste: str, reading: Reading) -> dict[str, Any]:
    """What was read, in the form of the file."""
    deck, open_lines = reading.deck, reading.undecided
    found: dict[str, Any] = {
        "name": deck.name,
        "bases": [CATALOG[base].name for base in deck.bases],
        "deck": _named(deck.counts),
        "considering": _named(deck.considering),
        "tags": _named(deck.tags),
        "notes": {line.number: " ".join(line.notes) for line in reading.lines if line.notes and line not in open_lines},
        "refused": {line.number: _refusal(line) for line in open_lines},
    }
    return {"paste": paste, **{key: value for key, value in found.items() if value}}


def _named(by_id: Mapping[str, Any]) -> dict[str, Any]:
    return {CATALOG[card].name: value for card, value in by_id.items()}


def _refusal(line: textlist.Line) -> dict[str, Any]:
    offers = [CATALOG[card].name for card in line.cards]
    return {"why": " ".join(line.notes), **({"offers": offers} if offers else {})}


@pytest.mark.parametrize("row", PASTES, ids=lambda row: ascii(row["paste"])[:60])
def test_a_paste_is_read_as_it_says(row: dict[str, Any]) -> None:
    assert as_written(row["paste"], read(row["paste"], NAMES, FORMATS)) == row


def test_there_are_many_and_all_differ() -> None:
    assert len({row["paste"] for row in PASTES}) == len(PASTES) >= 600


def test_a_deck_read_from_a_paste_is_the_same_when_it_is_written_and_read_again() -> None:
    for row in PASTES:
        deck = read(row["paste"], NAMES, FORMATS).deck
        assert read(write(deck, NAMES), NAMES, FORMATS).deck == deck, row["paste"]


def test_no_number_is_ever_offered_for_another() -> None:
    numbered = [card.name for card in CATALOG if digits(card.name)]
    for name in numbered:
        for other in (name[:-1] + ("1" if name[-1] != "1" else "2"), f"{name}0"):
            (line,) = read(f"4 {other}", NAMES).lines
            assert all(digits(CATALOG[card].name) in ([], digits(other)) for card in line.cards), other


@pytest.mark.parametrize("name", ["Events", "Considering", "sideboard (4)", "Base", "Deck", "Missions 4"])
def test_a_deck_called_like_a_heading_keeps_its_name(name: str) -> None:
    deck = DeckList(name=name, counts={"BSG1-164": 4})

    assert read(write(deck, NAMES), NAMES).deck == deck


def test_the_search_for_names_that_are_alike_is_bounded(monkeypatch: pytest.MonkeyPatch) -> None:
    searches = []
    extract = names.process.extract
    monkeypatch.setattr(names.process, "extract", lambda *a, **more: searches.append(a) or extract(*a, **more))

    read("\n".join(f"4 Nobudy Att{'abcdefghij'[n % 10]} Oll{n}" for n in range(textlist.MAX_LINES)), NAMES)

    assert len(searches) == 2 * textlist.MAX_SEARCHED


HOSTILE = ['"' * 400, '4,"' * 130, "x4 " * 130, "4) " * 130, "[x4] " * 90, "{a} " * 120, "Fury" + " (4)" * 110]
HOSTILE += ["Fury" + " #4" * 130, "^a,#abc^ " * 50, "> " * 200, "BSG1-1 " * 60, "| " * 200, "a:" * 200, "4x" * 200]


@pytest.mark.parametrize("line", HOSTILE)
def test_lines_made_to_cost_are_read_soon(line: str) -> None:
    text = "\n".join([line[:480]] * (textlist.MAX_BYTES // (len(line[:480]) + 1)))
    with soon():
        read(text, NAMES)


def test_ten_thousand_lines_are_refused_before_any_is_read(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(textlist, "_Reader", None)
    with pytest.raises(textlist.TextTooLongError, match="500 lines at most; this one has 10000"):
        read("\n".join(["zzz"] * 10_000), NAMES)
