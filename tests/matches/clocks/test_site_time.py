"""The time of the site: it stands still while no server is up, and only then."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from datetime import UTC, datetime, timedelta
from typing import Any

import pytest
from django.db import OperationalError

from matches.clocks import site_time, waiting
from matches.clocks.models import UpTime

START = datetime(2026, 1, 1, tzinfo=UTC)


class Real:
    """The real time, in a test's hands."""

    def __init__(self) -> None:
        self.at = START
        self.ticks = 0.0

    def pass_by(self, seconds: float) -> None:
        """Let time go by."""
        self.at += timedelta(seconds=seconds)
        self.ticks += seconds

    def set_back(self, seconds: float) -> None:
        """Set the clock of the machine back."""
        self.at -= timedelta(seconds=seconds)


@pytest.fixture
def real(transactional_db: None, monkeypatch: pytest.MonkeyPatch) -> Iterator[Real]:
    """The real time; this process knows nothing yet."""
    real = Real()
    monkeypatch.setattr(site_time.timezone, "now", lambda: real.at)
    monkeypatch.setattr(site_time.time, "monotonic", lambda: real.ticks)
    site_time.forget()
    yield real
    site_time.forget()


def another_process() -> None:
    site_time.forget()


def come_back(real: Real) -> None:
    """Let the time go by that players have to find a server that has started again."""
    for _ in range(int(site_time.RETURN_SECONDS / site_time.BEAT_SECONDS)):
        real.pass_by(site_time.BEAT_SECONDS)
        site_time.beat()


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
    come_back(real)
    assert site_time.now() == begun, "players have found the server again"
    assert site_time.up_since() == real.at
    real.pass_by(0.5)
    assert site_time.now() - begun == 500


def test_when_a_server_was_last_up_can_be_asked_while_none_is(real: Real) -> None:
    site_time.beat()
    begun = site_time.now()
    for _ in range(30):
        real.pass_by(site_time.BEAT_SECONDS)
        site_time.beat()
    another_process()
    real.pass_by(3_600)
    assert site_time.last_up() - begun == 30 * site_time.BEAT_SECONDS * 1_000


def test_a_server_that_starts_again_within_seconds_was_down_all_the_same(real: Real) -> None:
    site_time.beat()
    begun = site_time.now()
    for _ in range(3):
        real.pass_by(0.2)  # killed after so long: what it did not say is given back
        another_process()
        real.pass_by(1.3)
        site_time.beat()
    come_back(real)
    assert site_time.now() == begun


def test_a_server_killed_again_while_players_come_back_gives_no_more_than_that(real: Real) -> None:
    site_time.beat()
    another_process()
    real.pass_by(30)
    site_time.beat()
    begun = site_time.now()
    real.pass_by(2)
    site_time.beat()
    another_process()
    real.pass_by(30)
    site_time.beat()
    come_back(real)
    real.pass_by(0.5)
    assert site_time.now() - begun == 500


def test_a_server_that_could_not_say_that_it_is_up_gives_back_that_time_alone(real: Real) -> None:
    site_time.beat()
    begun = site_time.now()
    real.pass_by(4)
    site_time.beat()
    real.pass_by(0.5)
    assert site_time.now() - begun == 500


def test_a_server_that_begins_slowly_does_not_take_that_for_a_clock_that_was_set_back(
    real: Real, monkeypatch: pytest.MonkeyPatch
) -> None:
    """Its first look at the database takes a while, in which another server goes on saying that it is up."""
    site_time.beat()
    begun = site_time.now()
    another_process()

    def write(change: Callable[[], UpTime], **how: Any) -> UpTime:
        real.pass_by(1.5)
        UpTime.objects.update(beat=real.at)
        return change()

    with monkeypatch.context() as patched:
        patched.setattr(site_time.database, "write", write)
        site_time.beat()
    row = UpTime.objects.get()
    assert (row.stopped, row.since, row.beat) == (0, START, real.at)
    assert site_time.now() - begun == 1_500


@pytest.mark.parametrize("process", ["the same", "another"])
def test_a_clock_that_is_set_back_stops_no_time(real: Real, process: str) -> None:
    site_time.beat()
    begun = site_time.now()
    real.set_back(3_600)
    if process == "another":
        another_process()
    for _ in range(10):
        real.pass_by(site_time.BEAT_SECONDS)
        site_time.beat()
    assert site_time.now() - begun in (1_000, 900), "but for the first beat after it"
    assert site_time.up() and site_time.up_since() <= real.at


@pytest.mark.parametrize("seconds", [3_600, -3_600], ids=["forward", "back"])
def test_a_clock_that_is_set_counts_for_nobody_who_chooses_before_the_next_beat(real: Real, seconds: int) -> None:
    site_time.beat()
    begun = site_time.now()
    real.set_back(-seconds)
    assert site_time.now_if_known() is None
    assert site_time.now() == begun
    real.pass_by(0.5)
    assert site_time.now() - begun == 500


def test_a_server_whose_clock_is_behind_that_of_another_sets_nothing_back(real: Real) -> None:
    site_time.beat()
    UpTime.objects.update(beat=real.at + timedelta(seconds=5))
    real.pass_by(site_time.BEAT_SECONDS)
    site_time.beat()
    assert UpTime.objects.get().stopped == 0


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
    # The first had not restarted, only said nothing; so nobody needs time to come back.
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


def test_a_server_that_can_save_nothing_still_shows_what_waits(real: Real, monkeypatch: pytest.MonkeyPatch) -> None:
    """The list of one's matches is a page that can be read, on a full disk too."""
    site_time.beat()
    begun = site_time.now()
    real.pass_by(5)

    def full(*args: Any, **options: Any) -> None:
        raise OperationalError("database or disk is full")

    monkeypatch.setattr(site_time.database, "write", full)
    assert site_time.now_to_show() == begun + 5_000
    assert waiting.urgent_first([]) == []


def test_where_no_server_ever_was_time_is_that_of_the_machine(
    real: Real, django_assert_num_queries: Callable[[int], Any]
) -> None:
    assert site_time.now() == (START - datetime.fromtimestamp(0, UTC)) // timedelta(milliseconds=1)
    site_time.beat()
    with django_assert_num_queries(0):
        site_time.now()
