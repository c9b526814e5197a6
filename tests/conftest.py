"""What all tests share: cards in their database, being loud about what could not be run, and services.

The fixtures ``db`` and ``transactional_db`` (pytest-django) give a test a database without cards; with
``all_cards`` or ``starters`` beside them, or alone, there are cards in it. :mod:`tests.stock` says how.
"""

from __future__ import annotations

import gc
import os
from collections import Counter
from collections.abc import Generator, Iterable, Iterator
from pathlib import Path
from typing import TYPE_CHECKING, NoReturn

import hypothesis
import pytest

from ccg import native
from ccg.rules import Catalog
from tests import chance
from tests.at_length import examples
from tests.migrated import Migrated
from tests.reading import own_cards

if TYPE_CHECKING:  # the real import needs Django to be set up
    from pytest_django import DjangoDbBlocker

    from tests.stock import Stocks

# How long an example takes is for benches to say: on a busy machine it would fail tests that find no fault.
hypothesis.settings.register_profile(
    "fleet", max_examples=examples(100), deadline=None, suppress_health_check=[hypothesis.HealthCheck.too_slow]
)
hypothesis.settings.load_profile("fleet")

LINES_OF_RERUNS = 25
"""How much is shown of the failure after which a test was run again: it may never be seen another time."""
LACKING = "cannot run here: "
"""How the reason of a test begins that was left out as its machine lacks something."""


def cannot_run(why: str) -> NoReturn:
    """End this test, as its machine lacks something: a loud skip, and a failure when CI is set."""
    if os.environ.get("CI"):
        pytest.fail(f"This test cannot run here, and on CI that is a failure: {why}", pytrace=False)
    pytest.skip(LACKING + why)


PATCHED = "replaces functions of the rules, which compiled modules call without looking them up"
"""Why most tests that are ``pure_only`` are."""


def pytest_runtest_setup(item: pytest.Item) -> None:
    """Leave out, with a compiled engine, what is marked ``pure_only``: it is run in pure Python as well."""
    marker = item.get_closest_marker("pure_only")
    if marker is not None and native.running() == "compiled":
        pytest.skip(f"pure Python only: {marker.args[0]}")


FOLDERS = {"browser": {"browser"}, "full_profile": {"matches", "server"}}
"""Where `make test` looks for the tests with these marks; it does not read all the others for them."""


def pytest_itemcollected(item: pytest.Item) -> None:
    """Refuse a test that `make test` would leave out, as it looks for its mark elsewhere, or run among the wrong ones.

    A browser keeps an event loop running, in which tests that start one fail.
    """
    folder = item.path.relative_to(Path(__file__).parent).parts[0]
    if folder == "browser" and not item.get_closest_marker("browser"):
        raise pytest.UsageError(f"{item.nodeid}: tests in this folder are marked browser")
    for mark, folders in FOLDERS.items():
        if item.get_closest_marker(mark) and not item.get_closest_marker("proof") and folder not in folders:
            raise pytest.UsageError(f"{item.nodeid}: tests marked {mark} are in {', '.join(sorted(folders))}")


def pytest_collection_modifyitems(items: list[pytest.Function]) -> None:
    """Begin with the proofs, which take longest: begun last, one would run alone when all other processes are done.

    Not with those that empty the database of the tests: others count on what its migrations have made.
    """
    items.sort(key=lambda item: item.path.parent.name != "proving" or "transactional_db" in item.fixturenames)


def lacked(skipped: Iterable[pytest.TestReport]) -> Counter[str]:
    """Return what tests lacked that were left out, with how many each; also those of other processes."""
    reasons = (report.longrepr[2] for report in skipped if isinstance(report.longrepr, tuple))
    return Counter(reason.partition(LACKING)[2] for reason in reasons if LACKING in reason)


@pytest.hookimpl(wrapper=True)
def pytest_collection() -> Generator[None, object, object]:
    """Look for no garbage while tests are collected, and not among them later: all that is made for them stays."""
    gc.disable()
    try:
        return (yield)
    finally:
        gc.freeze()
        gc.set_threshold(20_000, 20, 100)  # A test leaves little behind: a sixth of the time went into looking for it.
        gc.enable()


def pytest_report_header() -> str:
    """Say which engine is tested."""
    return f"engine: {native.running()}"


def pytest_terminal_summary(terminalreporter: pytest.TerminalReporter) -> None:
    """Say at the end, where it is seen, which tests were never run, and why some were run again."""
    for report in terminalreporter.stats.get("rerun", ()):
        terminalreporter.write_sep("-", f"run again: {report.nodeid} ({report.when})")
        terminalreporter.write_line("\n".join(report.longreprtext.splitlines()[-LINES_OF_RERUNS:]))
    for why, count in lacked(terminalreporter.stats.get("skipped", ())).items():
        terminalreporter.write_line(f"*** {count} test{'s' * (count > 1)} NOT RUN: {why}", red=True, bold=True)


@pytest.hookimpl(wrapper=True, tryfirst=True)
def pytest_runtest_protocol(item: pytest.Item) -> Generator[None, object, object]:
    """Let chance go by the name of the test, before any fixture is made for it."""
    chance.begin(item.nodeid)
    return (yield)


def pytest_unconfigure() -> None:
    """Remove what was noted for processes of ours."""
    chance.forget()


def _has_database(request: pytest.FixtureRequest) -> bool:
    fixtures = {"db", "transactional_db"} & set(request.fixturenames)
    return bool(fixtures) or request.node.get_closest_marker("django_db") is not None


@pytest.fixture(autouse=True)
def _shuffled_alike(request: pytest.FixtureRequest, monkeypatch: pytest.MonkeyPatch) -> None:
    """Shuffle the matches of a test alike in each run; those of whole servers see :mod:`tests.chance`."""
    if _has_database(request):
        monkeypatch.setattr("matches.shuffles.services.new_secret", chance.drawn)


@pytest.fixture(autouse=True)
def _counted_from_zero(request: pytest.FixtureRequest) -> None:
    """Count from zero what people may do only so often: a number of a row is given again in the next test.

    Where counts are in the database, as on PostgreSQL, they begin anew with it.
    """
    if _has_database(request):
        from django.core.cache import caches
        from django.core.cache.backends.locmem import LocMemCache

        if isinstance(caches["default"], LocMemCache):
            caches["default"].clear()


@pytest.fixture(autouse=True)
def _front_page_of_its_own(request: pytest.FixtureRequest) -> None:
    """Let the front page remember nothing of the database of the test before."""
    if _has_database(request):
        from ccg.server import front

        front.forget()


@pytest.fixture(scope="session")
def catalog() -> Catalog:
    """All cards of the project's own sets, read from their files; needs no database."""
    return own_cards()


@pytest.fixture(scope="session")
def django_db_keepdb(django_db_modify_db_settings: None, _migrated: Migrated) -> bool:
    """Return whether the database of the tests is there already, as a copy of one that an earlier process migrated."""
    from django.conf import settings

    database = settings.DATABASES["default"]
    return database["ENGINE"].endswith("sqlite3") and _migrated.put(Path(database["TEST"]["NAME"]))


@pytest.fixture(scope="session")
def django_db_setup(
    django_db_setup: None, django_db_blocker: DjangoDbBlocker, django_db_keepdb: bool, _migrated: Migrated
) -> None:
    """Make the database of the tests, as pytest-django does; on SQLite it is put back faster than by Django."""
    from django.db import connection

    from tests.snapshots import put_back_after_tests

    if connection.vendor == "sqlite":
        if not django_db_keepdb:
            _migrated.keep(Path(connection.settings_dict["NAME"]))
        with django_db_blocker.unblock():
            put_back_after_tests()


@pytest.fixture(scope="session")
def _migrated() -> Migrated:
    return Migrated()


@pytest.fixture(scope="session")
def stocks(django_db_setup: None, django_db_blocker: DjangoDbBlocker) -> Stocks:
    """The rows of all card sets and starter decks, from one real import; asked for by the two fixtures below."""
    from tests.stock import taken

    with django_db_blocker.unblock():
        return taken()


@pytest.fixture
def all_cards(db: None, stocks: Stocks) -> None:
    """The project's own card sets in the database, as importing them leaves it; no decks."""
    stocks.put_sets()


@pytest.fixture
def starters(all_cards: None, stocks: Stocks) -> None:
    """The starter decks in the database, with all cards."""
    stocks.put_decks()


@pytest.fixture(scope="session")
def services(tmp_path_factory: pytest.TempPathFactory) -> Iterator[dict[str, str]]:
    """PostgreSQL and Redis of this test run's own, as the environment of the full profile."""
    from tests.services import UNSYNCED, Missing, running_services

    try:
        with running_services(tmp_path_factory.mktemp("services"), UNSYNCED) as environment:
            yield environment
    except Missing as missing:
        cannot_run(str(missing))


@pytest.fixture(scope="session")
def prepared_services(services: dict[str, str], tmp_path_factory: pytest.TempPathFactory) -> dict[str, str]:
    """The same, with everything in the database that sites need; for all of this run's sites that only want some."""
    from tests.running import Site

    Site(tmp_path_factory.mktemp("prepared"), services).prepare()
    return services
