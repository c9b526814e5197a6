"""Chance in tests is the same in each run, and never the same twice in one."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ccg.server.proving.inside import call
from tests import chance


@pytest.fixture
def _named_again(request: pytest.FixtureRequest) -> Iterator[None]:
    """Afterwards chance goes by the name of this test again."""
    yield
    chance.begin(request.node.nodeid)


def made(several: int) -> list[str]:
    """Return what a process of a site makes as secrets of shuffles; called in that process."""
    from matches.shuffles import services

    return [services.new_secret().hex() for _ in range(several)]


@pytest.mark.ci
@pytest.mark.usefixtures("_named_again")
def test_servers_shuffle_by_the_name_of_the_test_and_never_alike_twice() -> None:
    runs = []
    for name in ("a test", "a test", "another test"):
        chance.begin(name)
        runs.append([chance.drawn().hex(), *call(f"{__name__}:made", 2, {}, chance.IN_SERVERS), chance.drawn().hex()])
    first, again, other = runs
    assert first == again
    assert len({*first, *other}) == 8
