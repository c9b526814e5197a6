"""The table under hand and finger: nothing moves between two prompts, and one tap never plays a card."""

from __future__ import annotations

import random
from typing import Any

import pytest
from playwright.sync_api import Page, WebSocket, expect

from tests.at_length import AT_LENGTH, in_ci, thorough
from tests.browser.conftest import Visit
from tests.browser.table_page import EVERY, PATIENCE, QUICK, TablePage

pytestmark = pytest.mark.browser

PHONE = {"has_touch": True, "is_mobile": True}

PLACES = """() => Object.fromEntries(
  ["top", "gauge", "middle", "prompt", "hand", "fleet", "line", "player", "player-row"].flatMap((part) =>
    [...document.querySelectorAll(`.${part}`)].map((place, number) => {
      const { x, y, width, height } = place.getBoundingClientRect();
      return [`${part} ${number}`, [x, y, width, height].map(Math.round).join(" ")];
    }),
  ),
)"""
"""Where the parts of the table lie, by their names."""

TOO_HIGH = """() => {
  const board = document.querySelector(".board");
  return getComputedStyle(board).overflowY === "auto" ? board.scrollHeight - board.clientHeight : 0;
}"""
"""By how many pixels the board can be scrolled: what can be, will be."""


def chosen(page: Page) -> list[str]:
    """Follow what ``page`` asks of the match from now on: the frames that change it."""
    frames: list[str] = []

    def heard(frame: Any) -> None:
        text = frame if isinstance(frame, str) else ""
        if any(f'"type":"{kind}"' in text for kind in ("choose", "back", "concede")):
            frames.append(text)

    def opened(socket: WebSocket) -> None:
        socket.on("framesent", heard)

    page.on("websocket", opened)
    return frames


def sit_down(page: Page, seed: int) -> TablePage:
    """Begin a match against the computer."""
    seat = TablePage(page, random.Random(seed))
    seat.begin_against_the_computer()
    return seat


@pytest.mark.parametrize(
    ("width", "height", "options"),
    [
        in_ci(1366, 768, {}, id="laptop"),
        thorough(1440, 900, {}, id="wide"),
        thorough(1920, 1080, {}, id="large"),
        thorough(1024, 768, {}, id="small"),
        pytest.param(390, 844, PHONE, id="phone"),
        thorough(844, 390, PHONE, id="phone on its side"),
    ],
)
def test_nothing_moves_between_two_prompts(visit: Visit, width: int, height: int, options: dict[str, Any]) -> None:
    seat = sit_down(visit(width, height, settings=QUICK, **options), seed=31)
    seat.wait()
    before = seat.page.evaluate(PLACES)
    assert len(before) > 8
    for prompt in range(45 if AT_LENGTH else 20):
        if seat.wait() == "over":
            break
        now = seat.page.evaluate(PLACES)
        moved = [f"{name}: {before[name]} -> {now.get(name)}" for name in before if now.get(name) != before[name]]
        assert not moved, f"at prompt {prompt} ({seat.asks}): " + "; ".join(moved)
        assert seat.page.evaluate(TOO_HIGH) == 0, f"at prompt {prompt} ({seat.asks})"
        seat.click_something()


def test_on_a_phone_no_single_tap_on_a_card_changes_the_match(visit: Visit) -> None:
    page = visit(390, 844, settings=QUICK, **PHONE)
    frames = chosen(page)
    seat = sit_down(page, seed=32)
    read = page.locator(".window-read")
    tapped = 0
    for _ in range(10 if AT_LENGTH else 5):
        if seat.wait() == "over":
            break
        before = len(frames)
        cards = page.locator("button.tile, button.stack-chip, button.mission-plate")
        for card in cards.all():
            card.tap(position={"x": 30, "y": 14}, timeout=PATIENCE)
            expect(read).to_be_visible(timeout=PATIENCE)
            assert read.locator(".read-card .card-full").count() == 1
            read.get_by_role("button", name="Close").last.tap()
            expect(read).to_have_count(0)
            tapped += 1
        assert len(frames) == before, frames[before:]
        seat.click_something()
    assert tapped > 20
    assert frames, "what is chosen is seen here at all"


def test_on_a_phone_a_second_tap_plays_the_card_that_was_read(visit: Visit) -> None:
    page = visit(390, 844, settings=QUICK, **PHONE)
    frames = chosen(page)
    seat = sit_down(page, seed=33)
    while not page.locator(".hand .is-choosable").count():
        assert seat.wait() == "turn"
        seat.click_something()
        seat.wait()
    before = len(frames)
    page.locator(".hand .is-choosable").first.tap(position={"x": 30, "y": 14})
    page.locator(".window-read [data-option]").first.tap()
    expect(page.locator(".window-read")).to_have_count(0)
    for _ in range(PATIENCE // EVERY):  # the next question may be there before one has looked
        if len(frames) > before:
            break
        page.wait_for_timeout(EVERY)
    assert len(frames) == before + 1
