"""Two people at a table with clocks: they run, one of them offers a draw, and the other agrees."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit
from tests.browser.measures import OVER_AT_THE_TOP, keep_picture

pytestmark = pytest.mark.browser

PATIENCE = 30_000


def seconds(words: str) -> int:
    """Return a clock's time in seconds."""
    minutes, rest = re.sub(r"[^0-9:]", "", words).split(":")
    return int(minutes) * 60 + int(rest)


def begin(visit: Visit, **options: object) -> tuple[Page, Page]:
    """Two guests at a live table of their own."""
    host, guest = visit(**options), visit(**options)
    host.goto("/play/")
    host.get_by_label("Time").select_option(label="10 minutes + 10 seconds")
    host.get_by_role("button", name="Make a link").click()
    expect(host.locator("main")).to_contain_text("live, 10 minutes and 10 seconds for each decision")
    guest.goto(host.get_by_label("Invite link").input_value())
    expect(guest.locator("main")).to_contain_text("live, 10 minutes")
    guest.get_by_role("button", name="Sit down").click()
    for page in (host, guest):
        page.wait_for_url(re.compile("/table/"), timeout=PATIENCE)
        expect(page.locator("[data-clock]")).to_have_count(2, timeout=PATIENCE)
    return host, guest


def within_their_panels(page: Page) -> None:
    """Look whether each clock lies within the panel of its player."""
    for panel in page.locator(".player.panel").all():
        outer, clock = panel.bounding_box(), panel.locator(".clock").bounding_box()
        assert outer is not None and clock is not None
        assert outer["x"] <= clock["x"] and clock["x"] + clock["width"] <= outer["x"] + outer["width"]


def test_clocks_run_and_a_draw_is_agreed(visit: Visit) -> None:
    host, guest = begin(visit)
    running = host.locator(".clock.is-running b")
    expect(running).to_have_count(2)  # both look at their opening hands
    host.get_by_role("button", name="Keep this hand").click()
    expect(running).to_have_count(1, timeout=PATIENCE)
    expect(running).to_have_text(re.compile("^9:"), timeout=PATIENCE)
    before = seconds(running.inner_text())
    standing = host.locator(".clock:not(.is-running) b")
    expect(standing).to_have_text("10:00")
    expect(running).not_to_have_text(running.inner_text(), timeout=PATIENCE)
    assert seconds(running.inner_text()) < before
    expect(standing).to_have_text("10:00")
    keep_picture(host, "clocks-wide")
    within_their_panels(host)

    host.get_by_role("button", name="Match: offers, concede").click()
    host.get_by_role("button", name="Offer a draw").click()
    expect(host.locator("[data-offered=draw]")).to_contain_text("You have offered a draw", timeout=PATIENCE)
    offered = guest.locator("[data-offered=draw]")
    expect(offered).to_contain_text("offers a draw", timeout=PATIENCE)
    keep_picture(guest, "clocks-offer")
    offered.get_by_role("button", name="Agree").click()
    expect(offered).to_contain_text("Shall the match end in a draw?")
    offered.get_by_role("button", name="End in a draw").click()
    for page in (host, guest):
        expect(page.get_by_role("dialog")).to_contain_text("All agreed on a draw", timeout=PATIENCE)
        expect(page.locator("[data-clock]")).to_have_count(0)


def all_apart(page: Page) -> None:
    """Nothing at the top lies over something else on phones, nor once somebody looks on as well."""
    for width in (390, 360):
        page.set_viewport_size({"width": width, "height": 844})
        assert page.evaluate(OVER_AT_THE_TOP) == [], width
        page.locator(".top h1").evaluate("(one) => one.insertAdjacentHTML('afterend', '<span class=chip>👁 12</span>')")
        assert page.evaluate(OVER_AT_THE_TOP) == [], f"{width}, while some look on"
        page.locator(".top > .chip").evaluate("(one) => one.remove()")


@pytest.mark.ci
def test_on_a_phone_the_line_at_the_top_keeps_all_on_the_screen(visit: Visit) -> None:
    """Whoever plays a second match has every tool that there is, and the number of matches that wait."""
    host, _ = begin(visit, width=390, height=844)
    table = host.url
    host.goto("/")
    host.get_by_role("button", name="New match").click()
    expect(host.locator(".prompt.is-mine")).to_be_visible(timeout=PATIENCE)
    host.goto(table)
    expect(host.locator(".top-next")).to_be_visible(timeout=PATIENCE)
    for tool in host.locator(".top-home, .top-next, .top-tool").all():
        box = tool.bounding_box()
        assert box is not None
        assert box["width"] >= 24
        assert box["x"] >= 0 and box["x"] + box["width"] <= 390
    host.locator(".phase").evaluate("(one) => { one.textContent = 'Execution'; }")
    all_apart(host)
    host.locator(".top-next").evaluate("(one) => one.remove()")
    all_apart(host)


@pytest.mark.ci
def test_a_phone_has_room_for_clocks(visit: Visit) -> None:
    host, _ = begin(visit, width=390, height=844)
    keep_picture(host, "clocks-phone")
    assert host.evaluate("document.scrollingElement.scrollWidth <= innerWidth")
    for row in host.locator(".player-row").all():
        assert row.evaluate("row => row.scrollWidth <= row.clientWidth"), "the clock does not push anything out"
