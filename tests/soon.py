"""A bound on work that must not explode, whatever the input."""

from __future__ import annotations

import time
from collections.abc import Iterator
from contextlib import contextmanager

SECONDS = 10.0
"""Of processor time; some twenty times what the slowest of them takes."""


@contextmanager
def soon() -> Iterator[None]:
    """Fail if the block takes longer than anybody would wait.

    It finds what squares or never ends, not what is slower than yesterday: that is measured by `make bench`,
    and a machine with much else to do must not fail a test.
    """
    began = time.process_time()
    yield
    assert time.process_time() - began < SECONDS
