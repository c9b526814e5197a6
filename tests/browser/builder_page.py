"""What tests do with the builder."""

from __future__ import annotations

import re

from playwright.sync_api import Page, expect


def opened(page: Page, address: str = "/decks/new/") -> Page:
    """Open the builder, and wait for its cards."""
    page.goto(address)
    expect(page.locator(".list-row, .list-empty").first).to_be_attached(timeout=30_000)
    return page


def import_and_publish(page: Page, text: str, name: str = "") -> None:
    """Make a deck of a list; the page is that of the deck afterwards."""
    opened(page)
    page.keyboard.press("i")
    page.locator("#import-text").fill(text)
    page.get_by_role("button", name="Replace the deck").click()
    page.locator("body").press("p")
    if name:
        page.locator("#publish-name").fill(name)
    page.get_by_role("dialog").get_by_role("button", name="Publish").click()
    page.wait_for_url(re.compile(r"/decks/[^/]{22}/$"))
