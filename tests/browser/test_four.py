"""A table of four on screens of four sizes: one gives up, one is away for a while, and the last who plays has won."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit
from tests.browser.measures import keep_picture
from tests.browser.table_page import MINE, PATIENCE, QUICK, concede, do_little, hand_of, open_replay, who_decides
from tests.browser.test_outages import PHONE

pytestmark = pytest.mark.browser


def meet(host: Page, *guests: Page) -> None:
    """Open a table for as many, at which the others sit down."""
    host.goto("/play/tables/")
    host.get_by_label("Players, you included").select_option(str(1 + len(guests)))
    host.get_by_label("Time").select_option(label="10 minutes + 10 seconds")
    host.get_by_role("button", name="Open the table").click()
    name = host.get_by_role("banner").get_by_role("link", name=re.compile("^Guest ")).inner_text()
    for guest in guests:
        guest.goto("/play/tables/")
        guest.get_by_role("link", name=f"Sit down with {name}").click()
        guest.get_by_role("button", name="Sit down").click()
    for page in (host, *guests):
        page.wait_for_url(re.compile("/table/"), timeout=PATIENCE)


def keep_their_hands(*pages: Page) -> None:
    """All are asked at once."""
    for page in pages:
        expect(page.locator(".clock.is-running")).to_have_count(len(pages), timeout=PATIENCE)
    for page in pages:
        do_little(page)


def plays_round(*pages: Page) -> None:
    """Let each choose once."""
    chosen = set()
    for _ in pages:
        page = who_decides(*pages)
        do_little(page)
        chosen.add(page)
    assert chosen == set(pages)


def gives_up(page: Page) -> None:
    """Concede while others play on, and look on."""
    concede(page)
    window = page.get_by_role("dialog", name="You are out of the game")
    expect(window).to_contain_text("You have lost: you have conceded. The others play on.", timeout=PATIENCE)
    window.get_by_role("button", name="Look on").click()
    expect(page.locator(".prompt")).to_contain_text("You are out of the game: you have conceded.")
    expect(page.get_by_role("button", name="Match: offers, concede")).to_have_count(0)


def is_away_and_returns(away: Page, *stay: Page) -> Page:
    """Close the page of who must choose: the others see that. Return the page with which they come back."""
    hand, table, context = hand_of(away), away.url, away.context
    away.close()
    for page in stay:
        expect(page.locator(".turn-tab")).to_have_text("Away", timeout=PATIENCE)
    keep_picture(stay[0], "four-away")
    told = re.compile(r" is away; in \d:\d\d.* you may play on without them\.")
    for page in stay:
        expect(page.locator("[data-absent]")).to_have_text(told, timeout=PATIENCE)
    back = context.new_page()
    back.goto(table)
    expect(back.locator(MINE)).to_be_visible(timeout=PATIENCE)
    assert hand_of(back) == hand
    for page in stay:
        expect(page.locator("[data-absent]")).to_have_count(0, timeout=PATIENCE)
        expect(page.locator(".turn-tab")).to_have_text("Acts")
    return back


def test_four_play_until_one_is_left(visit: Visit) -> None:
    wide, phone = visit(settings=QUICK), visit(**PHONE, settings=QUICK)
    tablet, turned = visit(820, 1180, settings=QUICK), visit(844, 390, settings=QUICK)
    meet(wide, phone, tablet, turned)
    keep_their_hands(wide, phone, tablet, turned)
    plays_round(wide, phone, tablet, turned)

    gives_up(phone)
    for page in (wide, tablet, turned):
        expect(page.get_by_text("out of the game")).to_be_visible(timeout=PATIENCE)
    while (decides := who_decides(wide, tablet, turned)) is not turned:
        do_little(decides)
    turned = is_away_and_returns(turned, wide, tablet)
    do_little(turned)

    gives_up(turned)
    concede(tablet)
    for place, page in enumerate((wide, tablet, turned, phone)):
        window = page.locator(".window-over")
        expect(window).to_contain_text("You win." if page is wide else " wins.", timeout=PATIENCE)
        standing = window.locator(".standing li")
        expect(standing).to_have_text([re.compile("won"), *[re.compile("lost")] * 3])
        expect(standing.nth(place)).to_contain_text("You")
        open_replay(page)
