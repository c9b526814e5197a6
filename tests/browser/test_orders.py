"""Standing orders on a phone: one is given at the hourglass, answers while its owner does nothing, and is over then."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.axe import faults
from tests.browser.conftest import Visit
from tests.browser.measures import in_view, keep_picture
from tests.browser.table_page import QUICK, do_little, press_when_seen, who_decides
from tests.browser.test_clocks import begin

pytestmark = pytest.mark.browser

PATIENCE = 30_000


def test_an_order_is_given_on_a_phone_and_answers(visit: Visit) -> None:
    pages = begin(visit, width=390, height=844, settings=QUICK)
    for _ in range(8):
        decides = who_decides(*pages)
        if decides.locator(".phase-execution.is-now").count():
            break
        do_little(decides)
    (waits,) = set(pages) - {decides}
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
