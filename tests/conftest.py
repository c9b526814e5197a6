"""What all tests share: being loud about what could not be run, and services for the full profile."""

from __future__ import annotations

import os
from collections.abc import Iterator
from typing import NoReturn

import pytest

_not_run: list[str] = []


def cannot_run(why: str) -> NoReturn:
    """End this test, as its machine lacks something: a loud skip, and a failure when CI is set."""
    if os.environ.get("CI"):
        pytest.fail(f"This test cannot run here, and on CI that is a failure: {why}", pytrace=False)
    _not_run.append(why)
    pytest.skip(why)


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say at the end, where it is seen, which tests were never run."""
    for why in dict.fromkeys(_not_run):
        count = _not_run.count(why)
        terminalreporter.write_line(f"*** {count} test{'s' * (count > 1)} NOT RUN: {why}", red=True, bold=True)


@pytest.fixture(scope="session")
def services(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """PostgreSQL and Redis of this test run's own, as the environment of the full profile."""
    from tests.services import Missing, running_services

    try:
        with running_services(tmp_path_factory.mktemp("services")) as environment:
            yield environment
    except Missing as missing:
        cannot_run(str(missing))
