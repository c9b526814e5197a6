"""Pictures of every decision in windows of every size: ``python -m tests.browser.pictures [folder] [kind …]``.

They go onto contact sheets, one for each size and theme, to be looked at by a person: what a test measures is that
nothing overlaps, not that it is good to look at. ``make pictures`` writes them to build/pictures.
"""

from __future__ import annotations

import sys
import tempfile
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

from playwright.sync_api import Browser, Page, expect, sync_playwright

from ccg.rules.authoring.card_files import read_catalog
from matches.protocol.messages import Table
from tests.browser import positions
from tests.browser.conftest import launched
from tests.browser.positions import StillTable
from tests.browser.table_page import QUICK
from tests.running import ROOT, running_site

SIZES = {
    "1920x1080": (1920, 1080, 1),
    "1440x900": (1440, 900, 1),
    "1366x768": (1366, 768, 1),
    "1024x768": (1024, 768, 1),
    "390x844": (390, 844, 1),
    "844x390": (844, 390, 1),
    "1440x900-200%": (720, 450, 2),
}
THEMES = ("dark", "light")
ACROSS = {"wide": 3, "high": 7}
SHEET = 1800
"""Pixels across a contact sheet."""


def every_table() -> dict[str, Table]:
    """Return what is pictured, by name."""
    catalog = read_catalog()
    crowded = {positions.CROWDED: positions.crowded(catalog)}
    return {**positions.every_decision(catalog), **crowded, **positions.of_four(catalog)}


def main(arguments: list[str]) -> None:
    """Write the pictures and the sheets."""
    folder = Path(arguments[0] if arguments else ROOT / "build" / "pictures")
    tables = every_table()
    wanted = {name: tables[name] for name in arguments[1:]} or tables
    with tempfile.TemporaryDirectory() as data, running_site(Path(data), {}) as site, sync_playwright() as playwright:
        browser = launched(playwright.chromium)
        for name, size in SIZES.items():
            for theme in THEMES:
                into = folder / f"{name}-{theme}"
                into.mkdir(parents=True, exist_ok=True)
                with page_of(browser, site.url, size, theme) as page:
                    pictures = list(_taken(page, wanted, into))
                _sheet(browser, pictures, size, folder / f"{name}-{theme}.png")
                print(folder / f"{name}-{theme}.png")
        browser.close()


@contextmanager
def page_of(browser: Browser, url: str, size: tuple[int, int, int], theme: str) -> Iterator[Page]:
    """Open an empty page in a window of this size and scale, for a player in a hurry."""
    width, height, scale = size
    context = browser.new_context(
        base_url=url,
        viewport={"width": width, "height": height},
        device_scale_factor=scale,
        color_scheme=theme,  # type: ignore[arg-type]
        reduced_motion="reduce",
    )
    context.add_init_script(f"localStorage.setItem('ragtag-fleet.table', {QUICK!r})")
    yield context.new_page()
    context.close()


def _taken(page: Page, tables: dict[str, Table], folder: Path) -> Iterator[Path]:
    still = StillTable(page)
    players = 0
    for name, table in tables.items():
        # Which fleets are open is kept: with other players it is another table.
        still.show(table) if len(table.people) == players else still.open(table)
        players = len(table.people)
        path = folder / f"{name.replace(', ', '-').replace(' ', '_')}.png"
        # What has changed is outlined for a moment, which looks like what can be chosen. (A line of the log that tells
        # of a change has the same class, and keeps it.)
        expect(page.locator("[data-fly].is-changed")).to_have_count(0)
        page.screenshot(path=path)
        yield path


def _sheet(browser: Browser, pictures: list[Path], size: tuple[int, int, int], path: Path) -> None:
    """Put ``pictures`` side by side, each with its name."""
    width, height, _ = size
    each = SHEET // ACROSS["wide" if width > height else "high"]
    figures = "".join(
        f"<figure><img src='{one.resolve().as_uri()}' width={each - 10}><figcaption>{one.stem}</figcaption></figure>"
        for one in pictures
    )
    style = "body{display:flex;flex-wrap:wrap;gap:8px;margin:4px;background:#777;font:14px sans-serif}figure{margin:0}"
    with tempfile.NamedTemporaryFile("w", suffix=".html", delete=False) as page_file:
        page_file.write(f"<meta charset=utf-8><style>{style}</style>{figures}")
    page = browser.new_page(viewport={"width": SHEET, "height": 600})
    page.goto(Path(page_file.name).as_uri(), wait_until="load")
    page.screenshot(path=path, full_page=True)
    page.close()
    Path(page_file.name).unlink()


if __name__ == "__main__":
    main(sys.argv[1:])
