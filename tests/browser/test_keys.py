"""The table by keyboard alone, where only a browser tells: what can have the focus, and keeps it."""

from __future__ import annotations

import random

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit
from tests.browser.table_page import PATIENCE, QUICK, TablePage, press_when_seen

pytestmark = pytest.mark.browser

HAND = ".hand .tile.is-choosable"


def at_the_resource_card(page: Page) -> Page:
    """Begin a match against the computer, up to the question for a resource card."""
    seat = TablePage(page, random.Random(3))
    seat.begin_against_the_computer()
    seat.wait()
    press_when_seen(page, "Enter")  # keeps the hand
    expect(page.locator(HAND).first).to_be_visible(timeout=PATIENCE)
    press_when_seen(page, "Shift")
    return page


def test_a_menu_that_a_key_opens_has_the_focus_and_gives_it_back(visit: Visit) -> None:
    page = at_the_resource_card(visit(settings=QUICK))
    card = page.locator(HAND).first
    card.press("Enter")
    expect(page.locator(".thing-menu button").first).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(page.locator(".thing-menu button").nth(1)).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator(".thing-menu")).to_have_count(0)
    expect(card).to_be_focused()


def test_after_an_answer_the_focus_is_at_what_is_asked(visit: Visit) -> None:
    page = at_the_resource_card(visit(settings=QUICK))
    page.locator(HAND).first.press("Enter")
    page.keyboard.press("Enter")  # the first line of the menu: the card leaves the hand
    expect(page.locator(".thing-menu")).to_have_count(0)
    page.wait_for_function("() => document.activeElement !== document.body", timeout=PATIENCE)
    expect(page.locator(".prompt")).to_be_focused()
