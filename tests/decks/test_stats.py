"""What is told of a deck besides its cards."""

from __future__ import annotations

import pytest

from ccg.rules.cards.definitions import CardDef, Catalog
from decks.lists.stats import stats
from decks.templatetags.decks import cost_curve, marked, resource_balance

CATALOG = Catalog(
    [
        CardDef(id="T-1", type="personnel", title="One", cost=(1, 0, 0), produces="persuasion", mystic=1, threat=0),
        CardDef(id="T-2", type="ship", title="Two", cost=(0, 0, 2), produces="security", mystic=3, threat=2),
        CardDef(id="T-3", type="event", subtitle="Three", cost=(0, 1, 2), mystic=2, threat=1),
        CardDef(id="T-4", type="event", subtitle="Dear", cost=(9, 0, 0), mystic=2, threat=1, ability_pending=True),
        CardDef(id="T-5", type="mission", subtitle="Free", mystic=4, threat=0),
        CardDef(id="T-9", type="base", title="Base", produces="logistics"),
    ]
)
COUNTS = {"T-1": 4, "T-2": 3, "T-3": 2, "T-4": 1, "T-5": 2, "GONE-1": 1}


def test_costs_are_counted_by_what_pays_them() -> None:
    told = stats("T-9", COUNTS, CATALOG)

    columns = {column.label: column.copies for column in told.curve}
    assert columns["1"] == (4, 0, 0, 0)
    assert columns["2"] == (0, 0, 3, 0)
    assert columns["3"] == (0, 0, 0, 2)
    assert columns["7+"] == (1, 0, 0, 0)
    assert sum(column.total for column in told.curve) == 10  # missions cost nothing


def test_what_is_made_stands_against_what_it_costs() -> None:
    persuasion, logistics, security = stats("T-9", COUNTS, CATALOG).balance

    assert (persuasion.makers, persuasion.cost) == (4, 13)
    assert (logistics.makers, logistics.cost, logistics.base_makes) == (0, 2, True)
    assert (security.makers, security.cost) == (3, 10)
    assert persuasion.makes_share == pytest.approx(4 / 7)
    assert security.cost_share == pytest.approx(10 / 25)


def test_groups_means_and_unknown_cards() -> None:
    told = stats("", COUNTS, CATALOG)

    assert [(group.type, group.total) for group in told.groups] == [
        ("personnel", 4),
        ("ship", 3),
        ("mission", 2),
        ("event", 3),
    ]
    assert told.unknown == ((1, "GONE-1"),)
    assert (told.size, told.pending) == (13, 1)
    assert told.mystic == pytest.approx((4 + 9 + 4 + 2 + 8) / 12)


def test_an_empty_deck_has_stats_and_charts() -> None:
    told = stats("", {}, Catalog([]))

    assert (told.mystic, told.size, told.balance) == (0.0, 0, ())
    assert cost_curve(told.curve)["words"] == "no costs"
    assert resource_balance(told.balance)["rows"] == []


def test_bars_stand_on_the_floor_and_stay_inside() -> None:
    drawn = cost_curve(stats("T-9", COUNTS, CATALOG).curve)

    for bar in drawn["bars"]:  # type: ignore[attr-defined]
        assert all(0 < piece["y"] < drawn["floor"] for piece in bar["pieces"])
        assert bar["x"] + 30 <= drawn["width"]


def test_marked_text_is_escaped_and_its_cards_are_links() -> None:
    html = marked('<b> & [[card:BSG1-164|Rap<tor]] [[card:"x|y]] [[card:A|[[card:B|c]]')

    assert "<b>" not in html
    assert '<a class="card-name" data-card="BSG1-164" href="/cards/BSG1-164/">Rap&lt;tor</a>' in html
    assert "[[card:&quot;x|y]]" in html
