"""A crowd at its tables, in short: everything is answered and seen, and processor time is counted."""

from __future__ import annotations

import contextlib
import io
from pathlib import Path

import pytest

from ccg.server.proving import load
from ccg.server.proving.client.load import Measured
from ccg.server.proving.client.visits import VisitError
from ccg.server.proving.load import PROMISED, missed, told
from ccg.server.proving.proof import Options
from tests.proving import short


def good() -> Measured:
    measured = Measured()
    measured.answered, measured.seen, measured.tables = [0.01] * 100, [0.02] * 200, 200
    return measured


def test_what_is_within_the_bounds_is_not_missed() -> None:
    assert missed(told(good(), {"web": 0.25}, 0.1, 10, due=10), PROMISED["embedded"]) == []


@pytest.mark.parametrize(
    ("name", "change", "spent"),
    [
        ("answer_ms", {"answered": [0.01] * 90 + [0.2] * 10}, 0.2),
        ("seen_ms", {"seen": [0.01] * 190 + [0.2] * 10}, 0.2),
        ("tables_for_each", {"tables": 150}, 0.2),
        ("lost", {"lost": 1}, 0.2),
        ("refused", {"refused": {"busy": 1}}, 0.2),
        ("processor_ms", {}, 0.4),
        ("choices", {"answered": [0.01] * 85, "tables": 170}, 0.2),
    ],
)
def test_what_is_not_is_named(name: str, change: dict[str, object], spent: float) -> None:
    measured = good()
    for field, value in change.items():
        setattr(measured, field, value)
    assert missed(told(measured, {"web": spent}, 0.1, 10, due=10), PROMISED["embedded"]) == [name]


def test_a_crowd_that_cannot_sit_down_ends_the_curve(monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> None:
    async def measured(system: object, matches: int, *_: object) -> dict[str, object]:
        if matches > 20:
            raise VisitError("11 of 30 pairs have seen their tables")
        return {"matches": matches, **told(good(), {"web": 0.25}, 0.1, 10, due=10)}

    monkeypatch.setattr(load, "running_system", lambda *_: contextlib.nullcontext())
    monkeypatch.setattr(load, "_measured", measured)
    options = Options(folder=tmp_path, more={"curve": "10"})
    points = [*load.curve(options, 2.0, PROMISED["embedded"])]
    assert [point["matches"] for point in points] == [10, 20, 30]
    assert points[-1]["broken"] == "11 of 30 pairs have seen their tables"


@pytest.mark.proof
def test_a_small_crowd_is_answered() -> None:
    figures = short("load")["figures"]
    assert figures["choices"] > 0
    assert figures["collections"]["pauses"] >= 0


def test_what_the_servers_tell_of_their_collections_is_added_up(monkeypatch: pytest.MonkeyPatch) -> None:
    said = {
        "http://a/metrics": "fleet_gc_pause_seconds_count 2.0\nfleet_gc_pause_seconds_sum 0.25\nother_count 7.0\n",
        "http://b/metrics": "fleet_gc_pause_seconds_count 1.0\nfleet_gc_pause_seconds_sum 0.5\n",
    }
    monkeypatch.setattr(load.urllib.request, "urlopen", lambda url, **_: io.BytesIO(said[url].encode()))
    assert load.collections(["http://a", "http://b"]) == (3.0, 0.75)
