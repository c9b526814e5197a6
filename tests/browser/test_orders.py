"""Standing orders on a phone: one is given at the hourglass, answers while its owner does nothing, and is over then."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import faults
from tests.browser.conftest import Visit
from tests.browser.measures import in_view, keep_picture
from tests.browser.table_page import QUICK, press_when_seen
from tests.browser.test_clocks import begin

pytestmark = pytest.mark.browser

PATIENCE = 30_000
MINE = ".prompt.is-mine"


def who_decides(pages: tuple[Page, Page]) -> tuple[Page, Page]:
    """Return the page that must choose now, then the other one."""
    first, second = pages
    expect(first.locator(MINE).or_(first.locator(".prompt:not(.is-mine)"))).to_be_visible(timeout=PATIENCE)
    return (first, second) if first.locator(MINE).count() else (second, first)


def do_little(page: Page) -> None:
    """Keep, or pass, and wait until the table has gone on."""
    asked = page.locator(".prompt-asks").inner_text()
    press_when_seen(page, "Enter" if "hand" in asked else "Space")
    expect(page.locator(".prompt-asks")).not_to_have_text(asked, timeout=PATIENCE)


def test_an_order_is_given_on_a_phone_and_answers(visit: Visit) -> None:
    pages = begin(visit, width=390, height=844, settings=QUICK)
    for _ in range(8):
        decides, waits = who_decides(pages)
        if decides.locator(".phase-execution.is-now").count():
            break
        do_little(decides)
    expect(waits.locator(".phase-execution.is-now")).to_be_visible(timeout=PATIENCE)

    waits.get_by_role("button", name="Standing orders").click()
    window = waits.get_by_role("dialog")
    window.get_by_role("button", name="Pass, whatever happens").click()
    given = window.get_by_role("list", name="Your orders")
    expect(given).to_contain_text("Pass, whatever happens: execution phase of turn 1. Armed.", timeout=PATIENCE)
    keep_picture(waits, "orders-phone")
    assert faults(waits) == []
    assert waits.evaluate("document.scrollingElement.scrollWidth <= innerWidth")
    waits.keyboard.press("Escape")
    expect(waits.get_by_role("button", name="Standing orders")).to_contain_text("1 armed")
    keep_picture(waits, "orders-phone-armed")
    in_view(waits, ".top-tools .top-tool >> nth=-1")  # the tools beside it have kept their room

    press_when_seen(decides, "Space")
    for page in pages:
        expect(page.locator(".phase.is-now")).not_to_have_text(re.compile("Execution"), timeout=PATIENCE)
    expect(waits.get_by_role("button", name="Standing orders")).not_to_contain_text("armed", timeout=PATIENCE)
