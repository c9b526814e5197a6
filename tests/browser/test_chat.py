"""The chat in a real browser: two who play and one who looks on; beside the log, and behind a button on a phone."""

from __future__ import annotations

import random

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Visit
from tests.browser.measures import hard_to_hit
from tests.browser.table_page import QUICK, TablePage

pytestmark = pytest.mark.browser

BOARD = (
    "() => JSON.stringify([...document.querySelectorAll('.board, .hand, .prompt')].map(e => e.getBoundingClientRect()))"
)


def chat(page: Page) -> Locator:
    return page.get_by_role("region", name="Chat")


def write(page: Page, text: str) -> None:
    chat(page).get_by_label("Write a line").fill(text)
    chat(page).get_by_label("Write a line").press("Enter")


def test_two_write_to_each_other_and_the_board_stays_where_it_is(visit: Visit) -> None:
    """On a phone one of them; the third, who looks on, reads nothing of it."""
    ana, ben = visit(settings=QUICK), visit(390, 844, settings=QUICK, has_touch=True, is_mobile=True)
    ana.goto("/play/")
    ana.get_by_role("button", name="Make a link").click()
    ben.goto(ana.get_by_label("Invite link").input_value())
    ben.get_by_role("button", name="Sit down").click()
    for page in (ana, ben):
        TablePage(page, random.Random(1)).expect_table()

    before = ana.evaluate(BOARD)
    ana.get_by_role("tab", name="Chat").click()
    write(ana, "Shall we begin? <b>")
    expect(chat(ana).locator(".chat-line.is-mine .chat-text")).to_have_text(["Shall we begin? <b>"])
    expect(chat(ana).get_by_placeholder("Write a line")).to_have_value("")
    assert ana.evaluate(BOARD) == before

    button = ben.get_by_role("button", name="Chat")
    expect(button).to_contain_text("1")
    expect(ben.locator("[role=status]", has_text="writes: Shall we begin? <b>")).to_have_count(1)
    still = ben.evaluate(BOARD)
    button.click()
    expect(chat(ben).locator(".chat-text")).to_have_text(["Shall we begin? <b>"])
    chat(ben).get_by_role("button", name="Phrases").click()
    assert hard_to_hit(ben, ".chat-writing") == []
    chat(ben).get_by_role("button", name="Hello, have fun!").click()
    expect(chat(ana).locator(".chat-text")).to_have_text(["Shall we begin? <b>", "Hello, have fun!"])
    chat(ben).get_by_label("Write a line").fill("half a line")
    ben.keyboard.press("Escape")
    expect(button).not_to_contain_text("new")
    assert ben.evaluate(BOARD) == still
    button.click()
    expect(chat(ben).get_by_label("Write a line")).to_have_value("half a line")

    carol = visit(settings=QUICK)
    carol.goto(ana.url)
    TablePage(carol, random.Random(1)).expect_table()
    carol.get_by_role("tab", name="Chat").click()
    expect(chat(carol)).to_contain_text("sign in with an account")
    expect(chat(carol).locator(".chat-line")).to_have_count(0)

    chat(ana).get_by_role("button", name="Mute, block or report").click()
    chat(ana).get_by_role("button", name="Report …").click()
    expect(chat(ana).get_by_text("Moderators read this line")).to_be_visible()
    chat(ana).get_by_role("button", name="Back").click()
    chat(ana).get_by_role("button", name="Mute here").click()
    expect(chat(ana).locator(".chat-text")).to_have_text(["Shall we begin? <b>"])
    ana.reload()
    ana.get_by_role("tab", name="Chat").click()
    expect(chat(ana).locator(".chat-text")).to_have_text(["Shall we begin? <b>"])
    chat(ana).get_by_role("button", name="Hear everybody again").click()
    expect(chat(ana).locator(".chat-text")).to_have_text(["Shall we begin? <b>", "Hello, have fun!"])


LAST_SIGN = """(line) => {
    const sign = document.createRange();
    sign.setStart(line.firstChild, line.textContent.length - 1);
    sign.setEnd(line.firstChild, line.textContent.length);
    return sign.getBoundingClientRect().left - line.getBoundingClientRect().left;
}"""
"""How far from the left edge of a line its last sign stands."""


@pytest.mark.ci
def test_a_line_that_is_written_from_right_to_left_ends_at_its_left(visit: Visit) -> None:
    ana, ben = visit(settings=QUICK), visit(settings=QUICK)
    ana.goto("/play/")
    ana.get_by_role("button", name="Make a link").click()
    ben.goto(ana.get_by_label("Invite link").input_value())
    ben.get_by_role("button", name="Sit down").click()
    TablePage(ana, random.Random(1)).expect_table()
    ana.get_by_role("tab", name="Chat").click()
    write(ana, "שלום לכולם!")
    expect(chat(ana).locator(".chat-text")).to_have_count(1)
    assert chat(ana).locator(".chat-text").evaluate(LAST_SIGN) < 1
