"""Rules where they apply: the drawer at the table, links to clauses, and the words of the game on all pages."""

from __future__ import annotations

import random

import pytest
from playwright.sync_api import Page, expect

from tests.browser.axe import faults
from tests.browser.conftest import Visit
from tests.browser.measures import in_view
from tests.browser.table_page import PATIENCE, QUICK, TablePage, press_when_seen

pytestmark = [pytest.mark.browser, pytest.mark.ci]


def seated(page: Page, seed: int = 5) -> Page:
    """Begin a match against the computer, up to the first prompt."""
    seat = TablePage(page, random.Random(seed))
    seat.begin_against_the_computer()
    assert seat.wait() == "turn"
    return page


def test_the_drawer_opens_by_key_and_keeps_the_focus_until_it_is_closed(visit: Visit) -> None:
    page = seated(visit(settings=QUICK))
    page.keyboard.press("r")
    drawer = page.locator(".rules-drawer")
    expect(drawer.locator(".rule").first).to_be_attached(timeout=PATIENCE)
    expect(drawer.locator("input")).to_be_focused()
    expect(drawer.locator(".rules-section").first).to_contain_text("Now: Setup")
    page.keyboard.type("higher total wins")
    expect(drawer.locator(".rule")).to_have_count(2)
    for _ in range(30):
        page.keyboard.press("Tab")
        assert page.evaluate(
            "!document.activeElement.closest('.table-app') || document.activeElement.closest('dialog')"
        )
    drawer.locator(".rules-list").focus()  # in the field Escape first takes away what was typed
    page.keyboard.press("Escape")
    expect(drawer).to_have_count(0)


def test_the_prompt_leads_to_its_clause(visit: Visit) -> None:
    page = seated(visit(settings=QUICK))
    page.locator(".prompt .clause-link").click()
    asked = page.locator(".rule.is-asked")
    expect(asked).to_contain_text("SETUP-5", timeout=PATIENCE)
    expect(asked).to_be_in_viewport()
    expect(asked).to_be_focused()
    assert faults(page) == []


def test_on_a_phone_the_drawer_has_the_whole_screen(visit: Visit) -> None:
    page = seated(visit(390, 844, settings=QUICK, has_touch=True, is_mobile=True))
    page.get_by_role("button", name="Rules").tap()
    expect(page.locator(".rule").first).to_be_attached(timeout=PATIENCE)
    box = page.locator(".rules-drawer").bounding_box()
    assert box is not None
    assert (box["x"], round(box["width"]), round(box["height"])) == (0, 390, 844)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    assert faults(page) == []
    page.get_by_role("button", name="Close").tap()
    expect(page.locator(".rules-drawer")).to_have_count(0)


def test_a_thumb_finds_the_way_home_and_the_cross_of_a_window(visit: Visit) -> None:
    page = seated(visit(390, 844, settings=QUICK, has_touch=True, is_mobile=True))
    beside = """element => {
        const { left, top, width, height } = element.getBoundingClientRect();
        const [x, y] = [left + width / 2, top + height / 2];
        const hits = [[-20, 0], [20, 0], [0, -20], [0, 20]].map(([dx, dy]) => {
            const found = x + dx < 0 || y + dy < 0 ? element : document.elementFromPoint(x + dx, y + dy);
            return element.contains(found);
        });
        return hits.every(Boolean);
    }"""
    assert page.locator(".top-home").evaluate(beside)
    page.get_by_role("button", name="Settings").tap()
    assert page.locator(".settings-window .window-head .icon-button").evaluate(beside)
    assert page.evaluate("document.documentElement.scrollWidth") <= 390


def test_every_line_of_the_log_has_its_clause(visit: Visit) -> None:
    page = seated(visit(settings=QUICK))
    press_when_seen(page, "Enter")
    clause = page.locator(".log-line .clause-link").first
    expect(clause).to_be_visible(timeout=PATIENCE)
    clause.click(timeout=PATIENCE)  # lines move up as the computer plays
    expect(page.locator(".rule.is-asked")).to_be_visible(timeout=PATIENCE)


def test_words_of_the_game_say_what_they_mean_on_hover_at_the_table_and_on_pages(visit: Visit) -> None:
    page = seated(visit(settings=QUICK))
    word = page.locator(".prompt .term, .log .term").first
    word.hover(timeout=PATIENCE)
    expect(page.locator(".card-preview .term-notes")).to_be_visible()
    page.goto("/rules/challenges/")
    word = page.locator(".term[data-term='mystic value']").first
    word.hover(timeout=PATIENCE)
    expect(page.locator(".card-preview .term-notes")).to_contain_text("number with the star")
    in_view(page, ".card-preview")


def test_a_finger_held_on_a_word_says_what_it_means(visit: Visit) -> None:
    page = visit(390, 844, has_touch=True, is_mobile=True)
    page.goto("/rules/challenges/")
    word = page.locator(".term").first
    word.scroll_into_view_if_needed(timeout=PATIENCE)
    word.dispatch_event("pointerdown", {"pointerType": "touch", "bubbles": True})
    expect(page.locator(".card-preview.is-held .term-notes")).to_be_visible()


def test_words_of_a_question_that_can_be_tapped_are_marked_on_a_phone(visit: Visit) -> None:
    page = seated(visit(390, 844, settings=QUICK, has_touch=True, is_mobile=True))
    word = page.locator(".prompt-asks .term").first
    expect(word).to_be_visible(timeout=PATIENCE)
    assert word.evaluate("(one) => getComputedStyle(one).textDecorationColor") != "rgba(0, 0, 0, 0)"


def test_a_tap_on_a_word_says_what_it_means(visit: Visit) -> None:
    page = visit(390, 844, has_touch=True, is_mobile=True)
    page.goto("/rules/challenges/")
    word = page.locator(".term").first
    box = page.locator(".card-preview.is-held")
    word.tap(timeout=PATIENCE)
    expect(box.locator(".term-notes")).to_be_visible()
    box.tap(position={"x": 5, "y": 400})
    expect(box).to_have_count(0)
    seated(page)
    page.locator(".prompt .term, .log .term").first.tap(timeout=PATIENCE)
    expect(box.locator(".term-notes")).to_be_visible()


def test_a_tap_on_a_card_in_the_log_shows_it_where_it_stands(visit: Visit) -> None:
    page = visit(390, 844, settings=QUICK, has_touch=True, is_mobile=True)
    seat = TablePage(page, random.Random(31))
    seat.begin_against_the_computer()
    for _ in range(6):
        assert seat.wait() == "turn"
        seat.click_something()
    seat.wait()
    page.get_by_role("button", name="Log", exact=True).tap()
    page.locator("dialog .log-line a.card-name").last.tap()
    expect(page.locator(".card-preview.is-held .card-full")).to_be_visible(timeout=PATIENCE)
    assert len(page.context.pages) == 1, "no other tab"
    page.touchscreen.tap(195, 800)
    expect(page.locator(".card-preview")).to_have_count(0)


def test_the_settings_of_a_phone_say_at_the_edge_that_there_are_more(visit: Visit) -> None:
    page = seated(visit(390, 844, settings=QUICK, has_touch=True, is_mobile=True))
    page.get_by_role("button", name="Settings").tap()
    listed = page.locator(".settings-list")
    box = listed.bounding_box()
    assert box is not None
    corner = {"x": box["x"] + box["width"] - 8, "y": box["y"] + box["height"] - 8, "width": 6, "height": 8}
    begins = page.screenshot(clip=corner)
    listed.evaluate("(list) => list.scrollTo(0, list.scrollHeight)")
    page.wait_for_timeout(100)
    assert begins != page.screenshot(clip=corner)
    listed.evaluate("(list) => list.scrollTo(0, 0)")
    assert listed.locator("select").evaluate("(select) => select.offsetHeight") >= 44


def test_when_the_table_passes_can_be_read_in_the_settings_of_a_small_phone(visit: Visit) -> None:
    page = seated(visit(360, 640, settings=QUICK, has_touch=True, is_mobile=True))
    page.get_by_role("button", name="Settings").tap()
    wants = """(select) => {
        const has = select.offsetWidth;
        Object.assign(select.style, { position: 'absolute', width: 'max-content' });
        return select.offsetWidth - has;
    }"""
    assert page.locator(".settings-list .auto-pass select").evaluate(wants) <= 0


def test_a_thumb_finds_the_search_and_the_heads_of_the_rules(visit: Visit) -> None:
    page = seated(visit(390, 844, settings=QUICK, has_touch=True, is_mobile=True))
    page.get_by_role("button", name="Rules").tap()
    expect(page.locator(".rules-section > summary").first).to_be_visible()
    heights = page.locator(".rules-search input, .rules-section > summary").evaluate_all(
        "(all) => all.map((one) => one.offsetHeight)"
    )
    assert min(heights) >= 44


def test_settings_change_the_table_at_once_and_are_kept_with_the_guest(visit: Visit) -> None:
    page = seated(visit(settings=QUICK))
    page.get_by_role("button", name="Settings").click()
    window = page.locator(".settings-window")
    with page.expect_response(lambda answer: "/settings/kept/" in answer.url and answer.ok):
        window.get_by_label("largest").check()
    with page.expect_response(lambda answer: "/settings/kept/" in answer.url and answer.ok):
        window.get_by_label("for the left hand").check()
    page.wait_for_function("!JSON.parse(localStorage.getItem('ragtag-fleet.table')).unsent")
    log, rail = page.locator(".sidebar").bounding_box(), page.locator(".rail").bounding_box()
    assert log is not None and rail is not None and log["x"] < rail["x"]
    assert faults(page) == []
    page.goto("/accounts/settings/")
    expect(page.get_by_label("largest")).to_be_checked()
    assert page.evaluate("document.documentElement.dataset.text") == "largest"
    page.get_by_label("more").check()
    page.get_by_role("button", name="Keep these settings").click()
    expect(page.get_by_text("Your settings are kept.")).to_be_visible()
    page.goto("/")
    assert page.evaluate("document.documentElement.dataset.contrast") == "more"


def test_passing_until_something_happens_passes_without_a_click(visit: Visit) -> None:
    page = seated(visit(settings=QUICK))
    seat = TablePage(page, random.Random(3))
    seat.wait()
    while "Your action" not in seat.asks:
        seat.click_something()
        seat.wait()
    page.get_by_label("Auto-pass").select_option("phase")
    expect(page.locator(".log-line.is-pass").first).to_be_attached(timeout=PATIENCE)


def test_a_match_against_an_easy_computer_says_so(visit: Visit) -> None:
    page = visit(settings=QUICK)
    page.goto("/")
    page.get_by_label("The computer plays").select_option("easy")
    page.get_by_role("button", name="Play now").click()
    expect(page.locator(".player-level").first).to_have_text("plays easy", timeout=PATIENCE)
