"""What formats say of one card over time."""

from __future__ import annotations

from datetime import date
from typing import Any

import pytest

from ccg.rules import Catalog
from decks.lists.legality import FormatRules
from decks.lists.standings import standings

RAPTOR, GALACTICA = "BSG1-164", "BSG1-007"


def edition(start: int, end: int | None = None, **rules: Any) -> FormatRules:
    sets = rules.pop("sets", {"BSG1"})
    ends = date(end, 1, 1) if end else None
    return FormatRules(code="f", name="F", starts=date(start, 1, 1), ends=ends, sets=frozenset(sets), **rules)


def said(catalog: Catalog, card: str, *editions: FormatRules) -> list[tuple[int, int | None, int, str]]:
    found = standings(catalog[card], editions)
    return [(one.starts.year, one.ends.year if one.ends else None, one.copies, one.reason) for one in found]


def test_an_edition_holds_until_the_next_begins(catalog: Catalog) -> None:
    banned = edition(2008, banned=frozenset({RAPTOR}))
    restricted = edition(2010, restricted=frozenset({RAPTOR}))
    assert said(catalog, RAPTOR, edition(2006), banned, restricted) == [
        (2006, 2008, 4, ""),
        (2008, 2010, 0, "It is banned."),
        (2010, None, 1, "It is restricted."),
    ]


def test_what_says_nothing_new_of_the_card_is_one_standing(catalog: Catalog) -> None:
    other = edition(2008, banned=frozenset({"BSG1-001"}))
    assert said(catalog, RAPTOR, edition(2006), other) == [(2006, None, 4, "")]


def test_a_short_edition_gives_way_to_the_longer_one_below_it(catalog: Catalog) -> None:
    short = edition(2008, 2009, copies_of={RAPTOR: 20})
    assert said(catalog, RAPTOR, edition(2006, 2012), short) == [
        (2006, 2008, 4, ""),
        (2008, 2009, 20, ""),
        (2009, 2012, 4, ""),
    ]


def test_while_no_edition_holds_nothing_is_said(catalog: Catalog) -> None:
    assert said(catalog, RAPTOR, edition(2006, 2007), edition(2010)) == [(2006, 2007, 4, ""), (2010, None, 4, "")]
    assert said(catalog, RAPTOR) == []


@pytest.mark.parametrize(
    ("card", "rules", "copies", "reason"),
    [
        (GALACTICA, {}, 1, ""),
        (RAPTOR, {"sets": {"BSG2"}}, 0, "It is in none of the format's sets."),
        (RAPTOR, {"sets": {"BSG2"}, "reprints": frozenset({RAPTOR})}, 4, ""),
        (RAPTOR, {"copies_of": {RAPTOR: 0}}, 0, "No copy of it is allowed."),
    ],
)
def test_what_is_said(catalog: Catalog, card: str, rules: dict[str, Any], copies: int, reason: str) -> None:
    assert said(catalog, card, edition(2006, **rules)) == [(2006, None, copies, reason)]
