"""What several modules of these tests share."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from ccg.server.proving.services import UNSYNCED, Missing, Postgres, running
from tests.conftest import cannot_run


@pytest.fixture(scope="module")
def database(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Postgres]:
    """A PostgreSQL of one module of tests alone, which it may stop, hang or close for writing."""
    try:
        server = Postgres(tmp_path_factory.mktemp("postgresql"), UNSYNCED)
    except Missing as error:
        cannot_run(str(error))
    with running(server):
        yield server
