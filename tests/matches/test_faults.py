"""Work for many things in turn: which faults keep the others from their turn."""

from __future__ import annotations

import logging

import pytest
from django.db import DatabaseError, DataError, IntegrityError, InterfaceError, InternalError, OperationalError

from matches.storage.database import Busy
from matches.storage.faults import one_of_many

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
