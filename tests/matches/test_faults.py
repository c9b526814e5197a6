"""Work for many things in turn: which faults keep the others from their turn."""

from __future__ import annotations

import logging

import pytest
from django.db import DatabaseError, DataError, IntegrityError, InterfaceError, InternalError, OperationalError

from matches.storage.database import Busy
from matches.storage.faults import Failing, one_of_many

log = logging.getLogger(__name__)


@pytest.mark.parametrize("fault", [KeyError("x"), ValueError(), IntegrityError("twice"), DataError("too long")])
def test_a_fault_of_one_is_logged_and_the_next_has_its_turn(fault: Exception, caplog: pytest.LogCaptureFixture) -> None:
    done = []
    for number in range(3):
        with one_of_many(log, "number %s went wrong", number):
            if number == 1:
                raise fault
            done.append(number)
    assert done == [0, 2]
    assert [(one.getMessage(), one.exc_info and one.exc_info[1]) for one in caplog.records] == [
        ("number 1 went wrong", fault)
    ]


@pytest.mark.parametrize(
    "fault", [OperationalError("away"), InterfaceError("closed"), InternalError("read only"), DatabaseError(), Busy()]
)
def test_a_database_that_is_away_is_so_for_all(fault: Exception, caplog: pytest.LogCaptureFixture) -> None:
    with pytest.raises(type(fault)), one_of_many(log, "number %s went wrong", 1):
        raise fault
    assert not caplog.records


def test_what_ends_a_task_ends_it() -> None:
    with pytest.raises(KeyboardInterrupt), one_of_many(log, "it went wrong"):
        raise KeyboardInterrupt


class Clock:
    """A clock that goes on by hand."""

    def __init__(self) -> None:
        self.now = 50.0

    def __call__(self) -> float:
        return self.now


def attempt(failing: Failing, key: str, fault: Exception | None = None) -> None:
    with failing.attempt(key, log, "%s went wrong", key):
        if fault is not None:
            raise fault


def test_what_fails_is_left_alone_twice_as_long_each_time_and_an_hour_at_most(caplog: pytest.LogCaptureFixture) -> None:
    clock = Clock()
    failing = Failing(clock)
    for seconds in (10, 20, 40, 80, 160, 320, 640, 1280, 2560, 3600, 3600):
        assert failing.now() == []
        attempt(failing, "one", ValueError())
        assert failing.now() == ["one"]
        clock.now += seconds - 1
        assert failing.now() == ["one"]
        clock.now += 1
    assert len(caplog.records) == 11


def test_what_has_worked_again_begins_anew() -> None:
    clock = Clock()
    failing = Failing(clock)
    attempt(failing, "one", ValueError())
    attempt(failing, "one", ValueError())
    attempt(failing, "other", ValueError())
    attempt(failing, "one")
    assert failing.now() == ["other"]
    attempt(failing, "one", ValueError())
    clock.now += 10
    assert failing.now() == []


def test_an_outage_says_nothing_of_what_was_tried() -> None:
    failing = Failing()
    with pytest.raises(OperationalError):
        attempt(failing, "one", OperationalError("away"))
    assert failing.now() == []


def test_nobody_waits_for_work_alone_so_an_outage_is_a_line_in_the_log(caplog: pytest.LogCaptureFixture) -> None:
    failing = Failing()
    with failing.attempt_alone("one", log, "%s went wrong", "one"):
        raise OperationalError("away")
    assert failing.now() == []
    assert [(one.getMessage(), one.exc_info) for one in caplog.records] == [("one went wrong: away", None)]
    with failing.attempt_alone("one", log, "%s went wrong", "one"):
        raise ValueError
    assert failing.now() == ["one"]


def test_no_more_is_left_alone_or_remembered_than_there_is_room_for() -> None:
    clock = Clock()
    failing = Failing(clock)
    for number in range(failing.MOST + 5):
        attempt(failing, str(number), ValueError())
    assert failing.now() == [str(number) for number in range(5, failing.MOST + 5)]
    clock.now += failing.FIRST + failing.LONGEST
    assert failing.now() == [] and not failing._left
