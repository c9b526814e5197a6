"""Two people look for an opponent and play with clocks, one is away for a while; then ratings, and the replay."""

from __future__ import annotations

import re
import time

import pytest
from playwright.sync_api import Page, expect

from tests.browser.accounts import new_name, sign_up
from tests.browser.conftest import Visit
from tests.browser.measures import fits
from tests.browser.table_page import PATIENCE, QUICK, concede, do_little, hand_of, open_replay, who_decides
from tests.browser.test_clocks import seconds
from tests.browser.test_outages import PHONE

pytestmark = pytest.mark.browser

LATE = 5
"""Seconds by which a page may show a clock late, on a busy machine."""


def waits_ranked(page: Page, name: str) -> None:
    page.goto("/accounts/signup/")
    sign_up(page, name)
    page.goto("/play/others/")
    page.get_by_role("radio", name=re.compile("Viper Wing")).check(force=True)
    page.get_by_role("button", name="Play ranked").click()


def keep_their_hands(*pages: Page) -> None:
    """Both are asked at once, and the clocks of both run."""
    for page in pages:
        page.wait_for_url(re.compile("/table/"), timeout=PATIENCE)
        running = page.locator(".clock.is-running b")
        expect(running).to_have_count(2, timeout=PATIENCE)
        for words in running.all_inner_texts():
            expect(running.filter(has_text=words)).to_have_count(0, timeout=PATIENCE)
    for page in pages:
        do_little(page)
    for page in pages:
        expect(page.locator(".clock.is-running")).to_have_count(1, timeout=PATIENCE)


def is_away_and_returns(away: Page, stays: Page) -> None:
    """The one who must choose loses the line for a while: the other is told, and only the clock of the one goes on."""
    asked, hand = away.locator(".prompt-asks").inner_text(), hand_of(away)
    standing = stays.locator(".player.is-you .clock b")
    running = stays.locator(".player:not(.is-you) .clock.is-running b")
    stood, ran, since = standing.inner_text(), seconds(running.inner_text()), time.monotonic()
    away.context.set_offline(True)
    expect(away.locator(".line-state")).to_have_text("Reconnecting …")
    expect(stays.locator(".turn-tab")).to_have_text("Away, to act", timeout=PATIENCE)
    told = stays.locator("[data-absent]")
    expect(told).to_have_text(re.compile(r" is away; in \d:\d\d.* you may claim the match\."), timeout=PATIENCE)

    away.context.set_offline(False)
    expect(away.locator(".line-state")).to_have_text("", timeout=PATIENCE)
    expect(stays.locator(".turn-tab")).to_have_text("Acts now", timeout=PATIENCE)
    expect(told).to_have_count(0, timeout=PATIENCE)
    expect(standing).to_have_text(stood)
    left = ran - (time.monotonic() - since)
    assert left - LATE <= seconds(running.inner_text()) <= left + LATE
    away.reload()
    expect(away.locator(".prompt-asks")).to_have_text(asked, timeout=PATIENCE)
    assert hand_of(away) == hand
    own = seconds(away.locator(".clock.is-running b").inner_text())
    assert abs(own - seconds(running.inner_text())) <= LATE


def replays_what_it_knew(page: Page, hand: list[str]) -> None:
    """The replay opens from the end of the match with what its player knew: in turn 1, this hand."""
    open_replay(page)
    place = page.locator(".replay-place")
    page.get_by_role("button", name="Forward").click()
    expect(place).to_have_text(re.compile("^1 /"))
    page.get_by_role("button", name="Back").click()
    expect(place).to_have_text(re.compile("^0 /"))
    page.get_by_label("Turn", exact=True).select_option("1")
    expect(page.locator(".phases-turn")).to_have_text("Turn 1")
    assert hand_of(page) == hand
    expect(page.locator(".open-hand")).to_have_count(0)
    page.get_by_role("button", name="More").click()
    page.get_by_role("button", name="Show all hands").click()
    expect(page.locator(".open-hand")).to_have_count(1)


def test_two_meet_in_the_ranked_queue_one_is_away_for_a_while_and_their_ratings_move(visit: Visit) -> None:
    first, second = visit(width=1280, settings=QUICK), visit(**PHONE, settings=QUICK)
    names = new_name(), new_name()
    waits_ranked(first, names[0])
    expect(first.get_by_role("heading", name="Waiting for an opponent")).to_be_visible()
    expect(first.get_by_text("Nobody else waits yet")).to_be_visible()
    waits_ranked(second, names[1])
    keep_their_hands(first, second)
    while who_decides(first, second) is not second:
        do_little(first)
    hand = hand_of(second)
    is_away_and_returns(second, first)
    for _ in range(2):
        do_little(who_decides(first, second))

    concede(first)
    for page, result in ((first, f"{names[1]} wins."), (second, "You win.")):
        expect(page.get_by_role("dialog", name=result)).to_be_visible(timeout=PATIENCE)
    for page, mine, others in ((first, "−", r"\+"), (second, r"\+", "−")):
        ratings = page.get_by_role("list", name="Ratings").get_by_role("listitem")
        expect(ratings).to_have_count(2, timeout=PATIENCE)
        expect(ratings.filter(has_text="You: ")).to_have_text(re.compile(rf"1500 → \d+ \({mine}\d+\), provisional"))
        expect(ratings.filter(has_text="pilot-")).to_have_text(re.compile(rf"1500 → \d+ \({others}\d+\), provisional"))

    beside = second.context.new_page()
    beside.goto("/ladder/")
    assert fits(beside)
    expect(beside.get_by_role("row").filter(has_text=names[1])).to_contain_text("you")
    beside.goto(f"/players/{names[1]}/")
    assert fits(beside)
    expect(beside.get_by_role("img", name=re.compile("The rating from 1500"))).to_be_visible()
    replays_what_it_knew(second, hand)
