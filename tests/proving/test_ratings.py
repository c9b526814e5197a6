"""Ratings that count once, and farms that show: the whole proof in its short form, and its parts in this process."""

from __future__ import annotations

from typing import Any

import pytest

from ccg.outbox import services as outbox
from ccg.outbox.models import Job
from ccg.server.proving import ratings
from matches.ratings import signs
from matches.ratings.models import Sign
from tests.proving import short


def test_a_ledger_that_is_whole_passes_and_each_fault_in_it_is_named(transactional_db: None) -> None:
    ratings.finish({"matches": 6, "seed": 1, "pace": 0.0})
    Job.objects.update(due="2026-01-01T00:00:00Z")
    outbox.drain()
    found = ratings.ledger(None)
    assert ratings.wrong(found, 6) == []
    assert found["jobs"] > 6, "some are delivered twice"
    for how in ("a_change_lost", "a_rating_moved", "a_match_rated_late", "a_match_rated_twice"):
        assert ratings.wrong(ratings.tampered({"how": how}), 6), how
    assert ratings.wrong(ratings.ledger(None), 6) == []


def test_one_farm_of_each_kind_shows_and_nothing_shows_where_nobody_looks(
    transactional_db: None, monkeypatch: pytest.MonkeyPatch
) -> None:
    asked: dict[str, Any] = {"honest": 2, "farms": 1, "seed": 2}
    found = ratings.farmed(asked)
    assert found["caught_by_kind"] == dict.fromkeys(ratings.FARMS, 1)
    monkeypatch.setattr(signs, "look", signs.look)
    monkeypatch.setattr(ratings, "FARMS", {"one browser": ratings.FARMS["one browser"]})
    ratings.nothing_shows()
    Sign.objects.all().delete()
    assert ratings.farmed(asked)["caught"] == 0


@pytest.mark.proof
def test_finishes_count_once_and_farms_show() -> None:
    figures = short("ratings")["figures"]
    assert figures["rows"] == 60 and figures["caught"] == figures["farms"]
    assert figures["lag_most"] <= ratings.LAG_SECONDS
