"""Two people look for an opponent, meet at a table, and see what the match has done to their ratings."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.accounts import new_name, sign_up
from tests.browser.conftest import Visit
from tests.browser.measures import fits
from tests.browser.table_page import concede

pytestmark = pytest.mark.browser


def waits_ranked(page: Page, name: str) -> None:
    page.goto("/accounts/signup/")
    sign_up(page, name)
    page.goto("/play/others/")
    page.get_by_role("radio", name=re.compile("Viper Wing")).check(force=True)
    page.get_by_role("button", name="Play ranked").click()


def test_two_meet_in_the_ranked_queue_and_their_ratings_move(visit: Visit) -> None:
    first, second = visit(width=1280), visit(width=390, height=844)
    names = new_name(), new_name()
    waits_ranked(first, names[0])
    expect(first.get_by_role("heading", name="Waiting for an opponent")).to_be_visible()
    expect(first.get_by_text("Nobody else waits yet")).to_be_visible()
    waits_ranked(second, names[1])
    for page in (first, second):
        page.wait_for_url(re.compile("/table/"), timeout=30_000)
    concede(first)
    for page, gains in ((first, "−"), (second, "+")):
        mine = page.get_by_role("list", name="Ratings").get_by_role("listitem").filter(has_text="You: 1500")
        expect(mine).to_contain_text(f"({gains}", timeout=30_000)
        expect(mine).to_contain_text("provisional")
    second.goto("/ladder/")
    assert fits(second)
    expect(second.get_by_role("row").filter(has_text=names[1])).to_contain_text("you")
    second.goto(f"/players/{names[1]}/")
    assert fits(second)
    expect(second.get_by_role("img", name=re.compile("The rating from 1500"))).to_be_visible()
