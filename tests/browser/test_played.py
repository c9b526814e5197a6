"""See it played: scenarios at a table, stepped through as people do."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.at_length import thorough
from tests.browser.conftest import Visit
from tests.browser.measures import keep_picture
from tests.browser.table_page import PATIENCE, QUICK

pytestmark = [pytest.mark.browser, pytest.mark.ci]

STORIES = ("WIN-1", "ruling-24", "BSG1-023")
"""A clause, a ruling and a card."""


def opened(page: Page, what: str) -> int:
    """Open the clearest scenario that shows ``what``; return how many moves it has."""
    page.goto(f"/rules/played/?shows={what}")
    page.locator(".played-list a").first.click()
    expect(page.locator(".table-app")).to_be_visible(timeout=PATIENCE)
    expect(page.locator(".replay-place")).to_have_text(re.compile(r"^0 / \d+$"))
    return int(page.locator(".replay-place").inner_text().rpartition("/")[2])


@pytest.mark.parametrize("what", STORIES)
@pytest.mark.parametrize(("width", "height"), [thorough(1440, 900), (390, 844)])
def test_a_scenario_is_stepped_to_its_end_and_back(visit: Visit, what: str, width: int, height: int) -> None:
    page = visit(width, height, settings=QUICK)
    moves = opened(page, what)
    keep_picture(page, f"played-{what}-{width}-0")
    bar = page.get_by_role("region", name="Replay")
    for place in range(1, moves + 1):
        page.get_by_role("button", name="Forward").click()
        expect(page.locator(".replay-place")).to_have_text(f"{place} / {moves}")
    expect(bar.locator(".replay-expects")).to_be_visible()
    keep_picture(page, f"played-{what}-{width}-end")
    expect(page.get_by_role("button", name="Forward")).to_be_disabled()
    for place in range(moves - 1, -1, -1):
        page.get_by_role("button", name="Back").click()
        expect(page.locator(".replay-place")).to_have_text(f"{place} / {moves}")
    expect(bar).to_contain_text("The position")


def test_keys_step_jump_and_play(visit: Visit) -> None:
    page = visit(settings=QUICK)
    moves = opened(page, "WIN-1")
    place = page.locator(".replay-place")
    page.keyboard.press("ArrowRight")
    expect(place).to_have_text(f"1 / {moves}")
    page.keyboard.press("End")
    expect(place).to_have_text(f"{moves} / {moves}")
    page.keyboard.press("ArrowLeft")
    expect(place).to_have_text(f"{moves - 1} / {moves}")
    page.keyboard.press("Home")
    expect(place).to_have_text(f"0 / {moves}")
    page.keyboard.press("Space")
    expect(page.get_by_role("button", name="Pause")).to_be_visible()
    expect(place).to_have_text(f"{moves} / {moves}", timeout=PATIENCE)
    expect(page.get_by_role("button", name="Play")).to_be_visible()


def test_nothing_can_be_chosen_at_it(visit: Visit) -> None:
    page = visit(settings=QUICK)
    opened(page, "WIN-1")
    sockets: list[str] = []
    page.on("websocket", lambda socket: sockets.append(socket.url))
    assert page.locator(".is-choosable, .pass-button, .option-button").count() == 0
    page.locator(".tile").first.click()
    assert page.locator(".thing-menu").count() == 0
    assert sockets == []


def test_a_card_that_one_looks_at_leads_to_where_it_is_played(visit: Visit) -> None:
    page = visit(settings=QUICK)
    opened(page, "BSG1-023")
    tile = page.locator(".line-pieces .tile[data-card]").first
    tile.hover()
    link = page.locator(".why-played a")
    expect(link).to_have_attribute("href", f"/rules/played/?shows={tile.get_attribute('data-card')}")


def test_without_javascript_the_story_is_told_in_words(visit: Visit) -> None:
    page = visit(390, 844, java_script_enabled=False)
    page.goto("/rules/played/?shows=WIN-1")
    page.locator(".played-list a").first.click()
    expect(page.get_by_role("heading", name="Moves")).to_be_visible()
    expect(page.locator(".played-moves li").last).to_contain_text("wins")
    page.locator(".played-moves li").last.scroll_into_view_if_needed()
    keep_picture(page, "played-words-390")
    assert page.evaluate("document.documentElement.scrollWidth <= innerWidth")
