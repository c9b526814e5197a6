"""What is counted of hand-overs, and that the site brings them down."""

from __future__ import annotations

import pytest

from ccg.rules import Catalog
from matches.orders.handovers import count, report
from matches.players.duel import starter_decks


@pytest.mark.slow
def test_fewer_questions_change_hands_with_orders_and_the_same_is_played(catalog: Catalog) -> None:
    tallies = count(1, 1, starter_decks(), catalog)
    means = {mode: tally.mean for mode, tally in tallies.items()}
    assert means["none"] > means["forced"] > means["orders"] > 10
    assert tallies["forced"].regretted == 0, "what is forced is what everybody would choose"
    assert sum(tallies["none"].kinds.values()) == sum(tallies["none"].matches)
    assert "by the kind of decision" in report(tallies)
