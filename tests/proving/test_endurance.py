"""What servers hold over hours: what grows is named, and a short run measures it."""

from __future__ import annotations

from collections.abc import Callable

import pytest

from ccg.server.proving.endurance import Sample, allowed_growth, missed
from tests.proving import short

HOUR = range(0, 3601, 60)


def samples(
    memory: Callable[[int], float] = lambda at: 2e8,
    files: Callable[[int], int] = lambda at: 300,
    connections: Callable[[int], int] = lambda at: 10,
) -> list[Sample]:
    return [Sample(float(at), int(memory(at)), files(at), connections(at)) for at in HOUR]


@pytest.mark.parametrize(
    ("what", "measured"),
    [
        ([], samples()),
        ([], samples(memory=lambda at: 2e8 * (1 + 0.04 * at / 3600))),
        (["memory"], samples(memory=lambda at: 2e8 * (1 + 0.06 * at / 3600))),
        # Ups and downs are no growth.
        ([], samples(memory=lambda at: 2e8 + 2e7 * (at % 120 == 0))),
        ([], samples(files=lambda at: 300 - 20 * (at % 600 == 0))),
        (["files"], samples(files=lambda at: 300 + at // 60)),
        ([], samples(connections=lambda at: 10 + at % 3)),
        (["connections"], samples(connections=lambda at: 10 + at // 600)),
    ],
)
def test_what_grows_is_named(what: list[str], measured: list[Sample]) -> None:
    assert missed(measured, allowed_growth(measured)) == what


@pytest.mark.proof
def test_a_short_run_measures_what_is_held() -> None:
    figures = short("endurance")["figures"]
    assert figures["choices"] > 0
    assert figures["files"]["most"] > 12  # two sockets for each of six matches
