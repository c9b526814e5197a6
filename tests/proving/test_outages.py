"""Redis, PostgreSQL and room on the disk that go away under running matches, in short."""

from __future__ import annotations

import os

import pytest

from tests.conftest import cannot_run
from tests.proving import short


@pytest.mark.proof
@pytest.mark.full_profile
@pytest.mark.parametrize("name", ["redis", "database"])
def test_what_goes_away_takes_nothing_with_it(name: str, services: dict[str, str]) -> None:
    assert short(name, "full")["figures"]["sockets_lost"] == 0


@pytest.mark.proof
def test_a_full_disk_is_said_at_the_table() -> None:
    assert short("disk")["figures"]["refused_for_room"]


@pytest.mark.proof
@pytest.mark.full_profile
def test_a_full_disk_under_postgresql_is_said_at_the_table(services: dict[str, str]) -> None:
    if os.getuid():
        cannot_run("only root can make a small disk")
    assert short("disk", "full")["figures"]["refused_for_room"]
