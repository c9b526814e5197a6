"""The table in a real browser: matches by mouse, by keys and by finger, with lost lines and killed servers."""

from __future__ import annotations

import random
import re

import pytest
from playwright.sync_api import Page, expect

from tests.at_length import thorough
from tests.browser.conftest import Visit
from tests.browser.measures import script_of
from tests.browser.table_page import BUTTONS, GLOWING, PATIENCE, QUICK, TablePage, concede, press_when_seen
from tests.running import Site

pytestmark = pytest.mark.browser


def table(page: Page, seed: int) -> TablePage:
    """The table on ``page``, clicked with a generator of its own."""
    return TablePage(page, random.Random(seed))


def test_a_whole_match_against_the_computer_by_clicking(visit: Visit) -> None:
    seat = table(visit(settings=QUICK), seed=11)
    seat.begin_against_the_computer()
    said = seat.play_to_the_end()
    assert re.match(r"(You win|Computer wins|Nobody wins)\.", said), said
    assert any("wins the game" in line or "draw" in line for line in seat.log)
    over = seat.page.locator(".window-over")
    expect(over.locator(".ending-graph")).to_have_count(2, timeout=PATIENCE)
    expect(over.locator(".ending-cards li").first).to_be_visible()
    expect(over.locator(".ending-turns")).to_have_text(re.compile(r"\d+ turns?\."))
    over.get_by_role("button", name="Look at the table").click()
    seat.page.get_by_role("button", name="How it went").click()
    expect(over.locator(".ending-graph").first).to_be_visible(timeout=PATIENCE)


@pytest.mark.ci
def test_after_the_match_one_can_play_again(visit: Visit) -> None:
    seat = table(visit(settings=QUICK), seed=12)
    seat.begin_against_the_computer()
    seat.wait()
    first = seat.page.url
    concede(seat.page)
    over = seat.page.locator(".window-over")
    assert "Computer wins." in over.inner_text()
    expect(over.locator(".ending")).to_be_visible(timeout=PATIENCE)
    seat.page.set_viewport_size({"width": 1440, "height": 420})
    gap = over.evaluate("""(window) => {
        const [body, actions] = ['.window-body', '.window-actions'].map((one) => window.querySelector(one));
        return [body.scrollHeight > body.clientHeight,
            body.getBoundingClientRect().bottom - actions.getBoundingClientRect().bottom];
    }""")
    assert gap[0], "there is more than the window shows"
    assert gap[1] <= 0.5, "what is scrolled comes out below the buttons"
    over.get_by_role("button", name="Play again").click()
    expect(seat.page).not_to_have_url(first, timeout=PATIENCE)
    seat.expect_table()
    assert seat.wait() == "turn"


def test_two_friends_by_link_see_their_own_hands_only(visit: Visit) -> None:
    ana, ben = table(visit(settings=QUICK), seed=13), table(visit(settings=QUICK), seed=14)
    ana.page.goto("/play/")
    ana.page.get_by_role("button", name="Make a link").click()
    link = ana.page.get_by_label("Invite link").input_value()
    ben.page.goto(link)
    ben.page.get_by_role("button", name="Sit down").click()
    ben.expect_table()
    for seat in (ana, ben):
        seat.expect_table()
        assert seat.page.locator(".hand .tile").count() > 0
        assert seat.page.locator(".players-2").count() == 1
    for _ in range(60):
        for seat in (ana, ben):
            if seat.page.locator(".prompt.is-mine").count() and not seat.page.locator(".window-over").count():
                seat.click_something()
    assert ana.page.locator(".phases").inner_text() == ben.page.locator(".phases").inner_text()
    assert ana.clicks > 10
    assert ben.clicks > 10


def test_by_keys_alone(visit: Visit) -> None:
    seat = table(visit(settings=QUICK), seed=15)
    seat.begin_against_the_computer()
    seat.wait()
    keys = seat.page.keyboard
    keys.press("?")
    expect(seat.page.get_by_role("dialog", name="Keys")).to_be_visible()
    keys.press("Escape")
    press_when_seen(seat.page, "Enter")  # keeps the hand
    for turn in range(12):
        if seat.wait() == "over":
            break
        before = seat.log
        if seat.page.locator(".thing-menu").count():
            keys.press("Enter")
        elif turn % 3 == 2 and seat.page.locator(".pass-button:enabled").count():
            press_when_seen(seat.page, "Space")
        elif seat.page.locator(".prompt-buttons .button-primary:enabled").count():
            seat.page.locator("body").evaluate("() => document.activeElement.blur()")
            press_when_seen(seat.page, "Enter")
        else:
            press_when_seen(seat.page, "1")
        seat.page.wait_for_timeout(50)
        assert seat.page.locator(".prompt-note.is-bad").count() == 0, seat.page.locator(".prompt").inner_text()
        assert seat.log != before or seat.asks


def test_a_killed_server_and_two_tabs_lose_nothing(visit: Visit, site: Site) -> None:
    seat = table(visit(settings=QUICK), seed=16)
    seat.begin_against_the_computer()
    # A thing that is only clicked first, before a second one, is known to its own tab alone: go on until none is.
    while seat.clicks < 6 or seat.page.locator(".is-chosen").count():
        seat.wait()
        seat.click_something()
        seat.wait()
    other = table(seat.page.context.new_page(), seed=17)
    other.page.goto(seat.page.url)
    other.expect_table()
    other.wait()
    asked, told = seat.asks, seat.log
    assert other.asks == asked

    site.kill()
    expect(seat.page.locator(".line-state")).to_have_text(re.compile("onnecting"), timeout=PATIENCE)
    site.start()
    for tab in (seat, other):
        expect(tab.page.locator(".line-state")).to_have_text("", timeout=PATIENCE)
        assert tab.asks == asked
    assert seat.log == told

    seat.click_something()
    seat.wait()
    expect(other.page.locator(".log-line")).to_have_text(seat.log, timeout=PATIENCE)


NEWEST_IN_SIGHT = """() => {
  const box = document.querySelector(".log-lines").getBoundingClientRect();
  const last = [...document.querySelectorAll(".log-line")].at(-1).getBoundingClientRect();
  return last.bottom <= box.bottom + 2 && last.top >= box.top - 2;
}"""


READ = """() => {
  const top = document.querySelector(".log-lines").getBoundingClientRect().top;
  const lines = [...document.querySelectorAll(".log-line")];
  return lines.find((line) => line.getBoundingClientRect().top >= top).textContent;
}"""
"""The first line of the log that is seen whole."""

AT_REST = """() => new Promise((resolve) => {
  const lines = document.querySelector(".log-lines");
  let [top, same] = [lines.scrollTop, 0];
  const look = () => {
    [top, same] = [lines.scrollTop, lines.scrollTop === top ? same + 1 : 0];
    same < 10 ? requestAnimationFrame(look) : resolve(true);
  };
  look();
})"""
"""The log has stood still for ten frames: a turn of the wheel is carried out smoothly."""


@pytest.mark.ci
def test_the_log_follows_until_one_scrolls_away(visit: Visit, site: Site) -> None:
    seat = table(visit(height=700, settings=QUICK), seed=21)
    page = seat.page
    seat.begin_against_the_computer()

    def play_on(lines: int) -> None:
        told = len(seat.log)
        while len(seat.log) < told + lines and seat.wait() == "turn":
            seat.click_something()

    play_on(40)
    assert page.evaluate(NEWEST_IN_SIGHT)
    for height in (600, 800):
        page.set_viewport_size({"width": 1440, "height": height})
        page.wait_for_function(NEWEST_IN_SIGHT)
    site.kill()
    expect(page.locator(".line-state")).to_have_text(re.compile("onnecting"), timeout=PATIENCE)
    site.start()
    expect(page.locator(".line-state")).to_have_text("", timeout=PATIENCE)
    page.wait_for_function(NEWEST_IN_SIGHT)
    page.reload()
    seat.expect_table()
    page.wait_for_function(NEWEST_IN_SIGHT)

    # Reading older lines, one stays where one reads, and is told of newer ones.
    page.locator(".log-lines").hover()
    page.mouse.wheel(0, -400)
    button = page.locator(".log-new")
    expect(button).to_be_visible()
    page.wait_for_function(AT_REST)
    read = page.evaluate(READ)
    play_on(8)
    expect(button).to_have_text(re.compile("New lines"))
    assert page.evaluate(READ) == read
    button.click()
    page.wait_for_function(NEWEST_IN_SIGHT)
    expect(button).to_have_count(0)


def test_a_table_has_no_more_script_than_it_may(visit: Visit) -> None:
    page = visit()
    TablePage(page, random.Random(1)).begin_against_the_computer()
    with script_of(page) as script:
        page.reload()
    assert script.packed <= 90_000


@pytest.mark.ci
@pytest.mark.parametrize("scheme", ["dark", thorough("light")])
def test_on_a_phone(visit: Visit, scheme: str) -> None:
    page = visit(390, 844, settings=QUICK, has_touch=True, is_mobile=True, color_scheme=scheme)
    seat = table(page, seed=18)
    seat.begin_against_the_computer()
    for _ in range(12):
        if seat.wait() == "over":
            break
        assert page.evaluate("document.scrollingElement.scrollWidth <= innerWidth")
        for button in page.locator(".prompt-buttons button:visible").all():
            box = button.bounding_box()
            assert box is not None
            assert box["height"] >= 44
        seat.click_something()


@pytest.mark.ci
@pytest.mark.parametrize(
    "words", ["At fleet defense: one more and Cylons attack", "12 over fleet defense: Cylons attack this turn"]
)
def test_the_gauge_says_all_it_has_to_say_on_a_phone(visit: Visit, words: str) -> None:
    page = visit(390, 844, settings=QUICK, has_touch=True, is_mobile=True)
    seat = table(page, seed=21)
    seat.begin_against_the_computer()
    seat.wait()
    said = page.locator(".gauge-words")
    said.evaluate("(said, words) => said.replaceChildren(said.querySelector('.visually-hidden'), words)", words)
    expect(said).to_contain_text(words)
    assert said.evaluate("said => said.scrollWidth <= said.clientWidth")
    assert said.evaluate("said => said.offsetHeight <= said.closest('.gauge').offsetHeight")


def test_a_low_defense_does_not_cover_the_threat_level(visit: Visit) -> None:
    page = visit(512, 384, settings=QUICK)
    seat = table(page, seed=21)
    seat.begin_against_the_computer()
    seat.wait()
    page.locator(".gauge-bar").evaluate("(bar) => bar.style.setProperty('--span', 33)")
    flag, level = page.locator(".gauge-flag"), page.locator(".gauge-level")
    flag.evaluate("(flag) => flag.style.setProperty('--from', 1)")
    left, right = (
        one.evaluate(f"(one) => one.getBoundingClientRect().{side}") for one, side in ((flag, "left"), (level, "right"))
    )
    assert left >= right


def test_somebody_who_looks_on_sees_what_everybody_knows(visit: Visit) -> None:
    seat = table(visit(settings=QUICK), seed=19)
    seat.begin_against_the_computer()
    for _ in range(4):
        seat.wait()
        seat.click_something()
    looker = table(visit(), seed=20)
    looker.page.goto(seat.page.url)
    looker.expect_table()
    expect(looker.page.locator(".prompt-note")).to_contain_text("You look on")
    assert looker.page.locator(f"{GLOWING}, {BUTTONS}, .hand .tile").count() == 0
