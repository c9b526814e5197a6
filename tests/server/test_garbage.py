"""The garbage collector of a server process."""

from __future__ import annotations

import gc
from collections.abc import Iterator
from typing import Any

import pytest

from ccg.server import garbage
from ccg.server.garbage import ANEW_SECONDS, Collections


class Clock:
    now = 1000.0

    def __call__(self) -> float:
        return self.now


@pytest.fixture
def clock() -> Clock:
    return Clock()


@pytest.fixture
def collections(clock: Clock) -> Iterator[Collections]:
    usual = gc.get_threshold()
    begun = Collections(clock)
    begun.begin()
    yield begun
    begun.end()
    gc.set_threshold(*usual)


def cycle() -> None:
    made: list[Any] = []
    made.append(made)


def test_what_a_long_collection_has_looked_at_is_set_aside(
    collections: Collections, monkeypatch: pytest.MonkeyPatch
) -> None:
    gc.freeze()
    kept = [[number] for number in range(10_000)]
    monkeypatch.setattr(garbage, "LONG", 1e9)
    frozen = gc.get_freeze_count()
    gc.collect()
    assert gc.get_freeze_count() <= frozen, "it was a short one"
    monkeypatch.setattr(garbage, "LONG", 0.0)
    gc.collect(1)
    assert gc.get_freeze_count() <= frozen, "it did not look at all"
    gc.collect()
    assert gc.get_freeze_count() >= frozen + len(kept)
    for _ in range(garbage.TIMES - 1):
        gc.collect()
    more = [[number] for number in range(10_000)]
    frozen = gc.get_freeze_count()
    gc.collect()
    assert gc.get_freeze_count() < frozen + len(more), "it was done often enough"


def test_everything_is_looked_at_anew_after_a_while(collections: Collections, clock: Clock) -> None:
    gc.collect()
    cycle()
    gc.freeze()
    assert gc.collect() == 0, "what is set aside is not looked at"
    collected: list[int] = []
    gc.callbacks.append(lambda phase, about: collected.append(about["collected"]) if phase == "stop" else None)
    try:
        collections.look()
        assert collected == []
        clock.now += ANEW_SECONDS
        collections.look()
        assert collected
        assert collected[0] >= 1
        collections.look()
        assert len(collected) == 1
    finally:
        gc.callbacks.pop()
    assert gc.get_freeze_count() > 0


def test_it_is_left_to_itself_again() -> None:
    before, usual = len(gc.callbacks), gc.get_threshold()
    begun = Collections()
    begun.begin()
    begun.end()
    gc.set_threshold(*usual)
    assert len(gc.callbacks) == before
    assert gc.get_freeze_count() == 0
