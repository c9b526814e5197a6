"""Whoever keeps what happened at a seat notices where the site goes back on what it said."""

from __future__ import annotations

from typing import Any

import pytest

from ccg.server.proving.client.seat import SeatError, SeatLog


def seen(since: int, *events: str) -> dict[str, Any]:
    """A table with one event for each version after ``since``."""
    told = [{"version": since + number, "events": [one]} for number, one in enumerate(events, 1)]
    return {"version": since + len(events), "since": since, "events": told}


def test_what_is_said_once_more_is_no_contradiction() -> None:
    log = SeatLog()
    for _ in range(2):
        log("acked", {"id": "a", "version": 1})
        log("seen", seen(0, "ready"))
        log("lost", {})
    log("seen", seen(1, "commit"))
    assert (log.accepted, log.lost) == ({"a": 1}, 2)


@pytest.mark.parametrize(
    ("kind", "then", "wrong"),
    [
        ("seen", seen(0, "commit"), "the events of version 1 have changed"),
        ("seen", seen(2, "commit"), "events between 1 and 2 are missing"),
        ("acked", {"id": "a", "version": 2}, "a made version 1, and now 2"),
    ],
)
def test_a_contradiction_is_noticed(kind: str, then: dict[str, Any], wrong: str) -> None:
    log = SeatLog()
    log("acked", {"id": "a", "version": 1})
    log("seen", seen(0, "ready"))
    with pytest.raises(SeatError, match=wrong):
        log(kind, then)
