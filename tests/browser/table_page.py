"""The table as somebody at it sees it: what can be clicked, what is asked, what is over."""

from __future__ import annotations

import random
import re

from playwright.sync_api import Locator, Page, expect
from playwright.sync_api import TimeoutError as Overdue

QUICK = '{"autoPass":"never","speed":"off"}'
"""Settings of a player in a hurry, for whom nothing happens by itself."""

GLOWING = ".is-choosable"
BUTTONS = ".prompt-buttons button:not(:disabled, .prompt-list-button)"
MENU = ".thing-menu button"
OVER = ".window-over"
MINE = ".prompt.is-mine"

PATIENCE = 40_000
EVERY = 50
"""Milliseconds between looks at whether a wait is over. Playwright's own is each frame, each drawn for that look."""

STATE = f"""() => document.querySelector('{OVER}') ? 'over'
    : document.querySelector('{GLOWING}, {BUTTONS}, {MENU}') ? 'turn' : ''"""

SEEN = "() => !document.querySelector('.prompt-buttons [aria-disabled]')"
"""The question has been there for as long as it takes to be seen: before, keys do nothing."""


def press_when_seen(page: Page, key: str) -> None:
    """Press a key once the question has been there for as long as it takes to be seen."""
    page.wait_for_function(SEEN, timeout=PATIENCE, polling=EVERY)
    page.keyboard.press(key)


def who_decides(*pages: Page) -> Page:
    """Return the page that must choose now, once one of them has heard so."""
    asked = [page.locator(MINE) for page in pages]
    for _ in range(PATIENCE // EVERY):
        for page, mine in zip(pages, asked, strict=True):
            if mine.count():
                return page
        pages[0].wait_for_timeout(EVERY)
    raise AssertionError("nobody has to choose")


def do_little(page: Page) -> None:
    """Keep, or pass, and wait until the table has gone on."""
    asked = page.locator(".prompt-asks").inner_text()
    press_when_seen(page, "Enter" if "hand" in asked else "Space")
    expect(page.locator(".prompt-asks")).not_to_have_text(asked, timeout=PATIENCE)


def hand_of(page: Page) -> list[str]:
    """Return which cards the hand at the foot of the table shows."""
    cards: list[str] = page.locator(".hand [data-card]").evaluate_all("cards => cards.map(card => card.dataset.card)")
    return cards


def open_replay(page: Page) -> None:
    """Open the replay from the window at the end of the match. It is made in the background, after other work."""
    page.get_by_role("link", name="Replay").click(timeout=PATIENCE)
    expect(page.locator(".replay-place")).to_have_text(re.compile(r"^0 / \d+$"), timeout=3 * PATIENCE)


def concede(page: Page) -> None:
    page.get_by_role("button", name="Match: offers, concede").click()
    page.get_by_role("button", name="Concede …").click()
    page.get_by_role("button", name="Concede", exact=True).click()


class TablePage:
    """A page that shows a table. Chooses with ``rng`` what a player would click."""

    def __init__(self, page: Page, rng: random.Random) -> None:
        self.page = page
        self.rng = rng
        self.clicks = 0

    def begin_against_the_computer(self) -> None:
        """Sit down as a guest."""
        self.page.goto("/play/")
        self.page.get_by_role("button", name="Play the computer").click()
        self.expect_table()

    def expect_table(self) -> None:
        """The table is drawn."""
        expect(self.page.locator(".table-app")).to_be_visible(timeout=PATIENCE)

    def wait(self) -> str:
        """Wait until this player has to choose (``turn``) or the match is over (``over``)."""
        return str(self.page.wait_for_function(STATE, timeout=PATIENCE, polling=EVERY).json_value())

    @property
    def asks(self) -> str:
        """What the prompt asks."""
        return self.page.locator(".prompt-asks").inner_text()

    @property
    def log(self) -> list[str]:
        """The lines of the log."""
        return [line.strip() for line in self.page.locator(".log-line").all_text_contents()]

    def click_something(self) -> None:
        """Choose as people do: a line of the open menu, the filled button, something that glows, any button."""
        self.clicks += 1
        menu, filled = self.page.locator(MENU), self.page.locator(".prompt-buttons .button-primary:not(:disabled)")
        glowing, buttons = self.page.locator(GLOWING), self.page.locator(BUTTONS)
        if menu.count():
            self._click_one(menu)
        elif filled.count() and self.rng.random() < 0.9:
            self._click_one(filled)
        elif glowing.count() and (self.rng.random() < 0.9 or not buttons.count()):
            self._click_one(glowing)
        elif buttons.count():
            self._click_one(buttons)

    def play_to_the_end(self, most: int = 1500) -> str:
        """Click until the match is over; return what the page says then."""
        while self.wait() == "turn":
            assert self.clicks < most, f"still not over: {self.asks}"
            self.click_something()
        return self.page.locator(OVER).inner_text()

    def _click_one(self, choices: Locator) -> None:
        try:
            choices.nth(self.rng.randrange(choices.count())).click(timeout=PATIENCE)
        except Overdue:
            # What was chosen just before may have ended the match, and its window covers the rest.
            if not self.page.locator(OVER).count():
                raise
