"""Work for many things in turn: what is wrong with one of them keeps no other from its turn."""

from __future__ import annotations

import logging
from collections.abc import Iterator
from contextlib import contextmanager

from django.db import DatabaseError, DataError, IntegrityError, InterfaceError

OF_ONE = DataError, IntegrityError
"""What the database says of what it is given; all its other errors say how it is itself: away, busy, or full."""


@contextmanager
def one_of_many(log: logging.Logger, said: str, *about: object) -> Iterator[None]:
    """Do for one of many what is within: a fault ends that, and is logged, as ``said`` of it; the next has its turn.

    Errors of the database that concern all of them go up.
    """
    try:
        yield
    except Exception as error:
        if isinstance(error, DatabaseError | InterfaceError) and not isinstance(error, OF_ONE):
            raise
        log.exception(said, *about)
