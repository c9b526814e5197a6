"""The time of the site: it stands still while no server is up, and only then."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest

from matches.clocks import site_time
from matches.clocks.models import UpTime

START = datetime(2026, 1, 1, tzinfo=UTC)


class Real:
    """The real time, in a test's hands."""

    def __init__(self) -> None:
        self.at = START

    def pass_by(self, seconds: float) -> None:
        """Let time go by."""
        self.at += timedelta(seconds=seconds)


@pytest.fixture
def real(transactional_db: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[Real]:
    """The real time; this process knows nothing yet."""
    real = Real()
    monkeypatch.setattr(site_time.timezone, "now", lambda: real.at)
    monkeypatch.setattr(site_time.time, "monotonic", lambda: (real.at - START).total_seconds())  # noqa: PLW0108 - ``at`` changes
    site_time.forget()
    yield real
    site_time.forget()


def another_process() -> None:
    site_time.forget()


def test_while_a_server_beats_time_goes_by_as_it_does(real: Real) -> None:
    site_time.beat()
    begun = site_time.now()
    for _ in range(30):
        real.pass_by(site_time.BEAT_SECONDS)
        site_time.beat()
    assert site_time.now() - begun == 30 * site_time.BEAT_SECONDS * 1_000


def test_a_gap_between_beats_does_not_count(real: Real) -> None:
    site_time.beat()
    begun = site_time.now()
    another_process()
    real.pass_by(3_600)
    assert not site_time.up()
    site_time.beat()
    assert site_time.now() == begun
    assert site_time.up_since() == real.at
    real.pass_by(5)
    assert site_time.now() - begun == 5_000


def test_of_two_servers_that_come_up_together_one_counts_the_gap(real: Real, monkeypatch: pytest.MonkeyPatch) -> None:
    site_time.beat()
    begun = site_time.now()
    real.pass_by(3_600)
    read_before = UpTime.objects.get()
    site_time.beat()
    another_process()
    # The second has read the row before the first wrote it.
    monkeypatch.setattr(UpTime.objects, "get_or_create", lambda **_: (read_before, False))
    site_time.beat()
    assert UpTime.objects.get().stopped == 3_600_000
    assert site_time.now() == begun


def test_a_process_that_is_no_server_counts_no_time_after_the_last_beat(real: Real) -> None:
    site_time.beat()
    begun = site_time.now()
    another_process()
    real.pass_by(7_200)
    assert site_time.now() - begun == site_time.GRACE_SECONDS * 1_000


def test_a_server_cut_off_from_its_database_learns_of_the_gap_before_it_counts(real: Real) -> None:
    site_time.beat()
    begun = site_time.now()
    real.pass_by(600)
    assert site_time.now_if_known() is None, "what was known ten minutes ago is not relied on"
    assert site_time.now() == begun


def test_where_no_server_ever_was_time_is_that_of_the_machine(
    real: Real, django_assert_num_queries: Callable[[int], Any]
) -> None:
    assert site_time.now() == (START - datetime.fromtimestamp(0, UTC)) // timedelta(milliseconds=1)
    site_time.beat()
    with django_assert_num_queries(0):
        site_time.now()
