"""axe finds nothing to complain of on any page, in either theme, on screens large and small.

In the usual run every sixth page is looked at, of the administration, whose pages are much alike, every eighteenth, in
sizes and themes that take turns; ``AXE=all`` (``make accessible``) looks at every page in every size and theme.
"""

from __future__ import annotations

import os
from collections.abc import Iterator
from itertools import product
from typing import Any

import pytest
from playwright.sync_api import Browser, BrowserContext, Page

from ccg.rules import Catalog
from tests import chance
from tests.browser import pictures, positions
from tests.browser.axe import AXE, RUN
from tests.browser.every_page import pages_of
from tests.browser.positions import StillTable
from tests.conftest import cannot_run
from tests.running import Site, running_site

pytestmark = [pytest.mark.browser, pytest.mark.slow]

SIZES = ((390, 844), (1024, 768), (1440, 900))
THEMES = ("dark", "light")
WAYS = [*product(SIZES, THEMES)]
PARTS = 4 if os.environ.get("AXE") == "all" else 1
"""In how many tests all pages are looked at, so that several processors can do it."""


@pytest.fixture(scope="module")
def site_of_pages(tmp_path_factory: pytest.TempPathFactory) -> Iterator[tuple[Site, list[dict[str, str]]]]:
    """A site and its pages to be looked at; made together, as what the pages need can be made on a site only once."""
    every = os.environ.get("AXE") == "all"
    with running_site(tmp_path_factory.mktemp("full"), plant=chance.IN_SERVERS) as site:
        found = pages_of(site, every=every)
        assert len(found) > 100
        yield site, found if every else sample(found)


@pytest.mark.ci
@pytest.mark.parametrize("part", range(PARTS))
def test_axe_finds_nothing_on_any_page(
    chromium: Browser, site_of_pages: tuple[Site, list[dict[str, str]]], part: int
) -> None:
    site, pages = site_of_pages
    pages = pages[part::PARTS]
    if not AXE.exists():
        cannot_run("axe-core is not installed: npm ci")
    every, script, wrong = os.environ.get("AXE") == "all", AXE.read_text(encoding="utf-8"), []
    contexts: dict[str, BrowserContext] = {}
    for number, one in enumerate(pages):
        context = contexts.get(one["looker"]) or contexts.setdefault(one["looker"], _context(chromium, site, one))
        tab = context.new_page()
        ways = WAYS if every else [WAYS[number % len(WAYS)]]
        for (width, height), theme in ways:
            tab.set_viewport_size({"width": width, "height": height})
            tab.emulate_media(color_scheme=theme, reduced_motion="reduce")  # type: ignore[arg-type]
            _open(tab, one["address"])
            tab.evaluate(script)
            wrong += [_told(one, width, theme, fault) for fault in tab.evaluate(RUN)]
        tab.close()
    assert wrong == []


def test_axe_finds_nothing_whatever_is_asked_at_a_table(chromium: Browser, site: Site, catalog: Catalog) -> None:
    """Every kind of decision in every size and theme; in the usual run every other size, one decision each."""
    if not AXE.exists():
        cannot_run("axe-core is not installed: npm ci")
    every = os.environ.get("AXE") == "all"
    tables = [*positions.every_decision(catalog).items(), *positions.of_four(catalog).items()]
    script, wrong = AXE.read_text(encoding="utf-8"), []
    ways = list(product(pictures.SIZES, THEMES))
    if not every:
        ways = [(size, THEMES[place % 2]) for place, size in enumerate([*pictures.SIZES][::2])]
    for number, (size, theme) in enumerate(ways):
        width, height, _ = pictures.SIZES[size]
        with pictures.page_of(chromium, site.url, pictures.SIZES[size], theme) as page:
            still = StillTable(page)
            shown = tables if every else [tables[number * 2 % len(tables)]]
            for place, (name, table) in enumerate(shown):
                still.show(table) if place else still.open(table)
                page.evaluate(script)
                one = {"name": name, "address": f"{width}x{height}", "looker": "player"}
                wrong += [_told(one, width, theme, fault) for fault in page.evaluate(RUN)]
    assert wrong == []


def sample(pages: list[dict[str, str]]) -> list[dict[str, str]]:
    """Return every sixth page, of those of the administration every eighteenth."""
    of_admin = [one for one in pages if one["address"].startswith("/admin/")]
    return [one for one in pages if one not in of_admin][::6] + of_admin[::18]


def _context(chromium: Browser, site: Site, one: dict[str, str]) -> BrowserContext:
    context = chromium.new_context(base_url=site.url)
    if one["session"]:
        context.add_cookies([{"name": one["cookie"], "value": one["session"], "url": site.url}])
    return context


def _open(tab: Page, address: str) -> None:
    """Open a page and wait until its scripts have drawn what they draw."""
    tab.goto(address, wait_until="load")
    tab.locator("h1").first.wait_for(state="attached")


def _told(one: dict[str, str], width: int, theme: str, fault: dict[str, Any]) -> str:
    nodes = "\n    ".join(fault["nodes"])
    where = f"{one['name']} ({one['address']}, {one['looker']}, {width}, {theme})"
    return f"{where}: {fault['id']} x{fault['count']}\n    {nodes}"
