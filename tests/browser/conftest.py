"""A running site and a browser for tests that look at pages as people do."""

from __future__ import annotations

import os
import shutil
from collections.abc import Callable, Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Browser, BrowserType, Page, sync_playwright

from tests import chance
from tests.conftest import cannot_run
from tests.running import Site, running_site

CHROMIUM = ("chromium", "chromium-browser", "google-chrome")
LAUNCHER = Path(__file__).with_name("chromium")
FLAGS = ["--no-sandbox", "--disable-gpu", "--disable-background-networking"]

Visit = Callable[..., Page]


@pytest.fixture(scope="session")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A site of this test run's own, serving; its playtests are short ones."""
    with running_site(tmp_path_factory.mktemp("site"), {"PLAYTEST_GAMES": "2"}, chance.IN_SERVERS) as site:
        yield site


def chromium_path() -> str:
    """Where the system's Chromium is; without one the test does not run."""
    path = next(filter(None, map(shutil.which, CHROMIUM)), None)
    if path is None:
        cannot_run("there is no Chromium on this machine")
    return path


def launched(chromium: BrowserType, **options: object) -> Browser:
    """Start the system's Chromium, without a window, with what Playwright takes as ``options``."""
    return chromium.launch(
        executable_path=LAUNCHER,
        args=FLAGS,
        env={**os.environ, "CHROMIUM": chromium_path()},
        **options,  # type: ignore[arg-type]
    )


@pytest.fixture(scope="session")
def chromium() -> Iterator[Browser]:
    """The system's Chromium, without a window."""
    with sync_playwright() as playwright:
        browser = launched(playwright.chromium)
        yield browser
        browser.close()


@pytest.fixture
def visit(chromium: Browser, site: Site) -> Iterator[Visit]:
    """Return a function that opens the site as somebody new; faults of its pages fail the test.

    It takes the size of the window and settings of the table as ``localStorage`` keeps them.
    """
    faults: list[str] = []
    contexts = []

    def visit(width: int = 1440, height: int = 900, settings: str = "", **options: object) -> Page:
        context = chromium.new_context(
            viewport={"width": width, "height": height},
            base_url=site.url,
            **options,  # type: ignore[arg-type]
        )
        contexts.append(context)
        context.add_init_script(chance.WORDS)
        if settings:
            keep = f"localStorage.setItem('ragtag-fleet.table', {settings!r})"
            context.add_init_script(f"if (location.protocol === 'http:') {keep}")
        context.on("weberror", lambda error: faults.append(str(error.error)))
        context.on("console", lambda said: faults.append(said.text) if "Content Security Policy" in said.text else None)
        return context.new_page()

    yield visit
    for context in contexts:
        context.close()
    assert faults == []
