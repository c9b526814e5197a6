"""What people see when something goes wrong: signed out elsewhere, a bad line, a name too long for the screen."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Browser, BrowserContext, Page, Route, expect

from tests.at_length import in_ci
from tests.browser.accounts import PASSWORD, new_name, sign_up
from tests.browser.builder_page import import_and_publish, opened
from tests.browser.conftest import Visit, launched
from tests.browser.measures import fits
from tests.running import Site

pytestmark = pytest.mark.browser

PHONE = {"width": 390, "height": 844, "has_touch": True, "is_mobile": True}


def with_account(page: Page) -> str:
    """Make an account; return its name."""
    name = new_name()
    page.goto("/accounts/signup/")
    sign_up(page, name)
    expect(page.get_by_role("link", name=name)).to_be_visible()
    return name


def sign_out_beside(context: BrowserContext) -> None:
    """Sign out in another tab of the same browser, and close that."""
    beside = context.new_page()
    beside.goto("/accounts/logout/")
    beside.locator("main form button").first.click()
    expect(beside.get_by_role("link", name="Sign in")).to_be_visible()
    beside.close()


def sign_in(page: Page, name: str) -> None:
    page.get_by_label("Username").fill(name)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()


@pytest.mark.parametrize("reloaded", [in_ci(False), True])
def test_who_is_signed_out_elsewhere_comes_back_to_the_table(visit: Visit, reloaded: bool) -> None:
    page = visit(**PHONE)
    name = with_account(page)
    page.goto("/")
    page.get_by_role("button", name="Play now").click()
    page.wait_for_url(re.compile("/table/"))
    table = page.url
    expect(page.get_by_role("button", name="Keep this hand")).to_be_visible()
    sign_out_beside(page.context)
    if reloaded:
        page.reload()
        expect(page.get_by_text("You look on")).to_be_visible()
    else:
        expect(page.get_by_text("Your session has ended")).to_be_visible()
    assert fits(page)
    page.get_by_role("link", name="Sign in").click()
    sign_in(page, name)
    page.wait_for_url(table)
    expect(page.get_by_role("button", name="Keep this hand")).to_be_visible()


@pytest.mark.ci
def test_an_account_made_of_a_guest_in_another_tab_leaves_the_table_open(visit: Visit) -> None:
    page = visit(**PHONE)
    page.goto("/")
    page.get_by_role("button", name="Play now").click()
    page.wait_for_url(re.compile("/table/"))
    expect(page.get_by_role("button", name="Keep this hand")).to_be_visible()
    with page.expect_event("websocket"):
        beside = page.context.new_page()
        beside.goto("/accounts/upgrade/")
        sign_up(beside, new_name())
    page.get_by_role("button", name="Keep this hand").tap()
    expect(page.locator(".prompt-asks")).not_to_contain_text("opening hand", timeout=20_000)
    expect(page.get_by_text(re.compile("signed in|session has ended"))).to_have_count(0)


@pytest.mark.ci
def test_a_long_name_of_a_deck_makes_no_page_wider_than_a_phone(visit: Visit) -> None:
    page = visit(**PHONE)
    with_account(page)
    page.goto("/decks/")
    page.get_by_role("link", name="Viper Wing").first.click()
    text = page.request.get(f"{page.url}export/text/").text()
    import_and_publish(page, text, "W" * 80)
    deck = page.url
    opened(page, f"{deck}edit/")
    assert fits(page), "the builder"
    page.goto(deck)
    for address in (None, "/decks/mine/", "/play/", f"{deck}delete/"):
        if address:
            page.goto(address)
        expect(page.get_by_text("W" * 80).first).to_be_attached()
        assert fits(page), page.url
    page.get_by_role("button", name="Delete the deck").click()
    expect(page.get_by_text("is deleted")).to_be_visible()
    assert fits(page), "the message"


def test_going_back_after_signing_out_shows_nobodys_pages(chromium: Browser, site: Site) -> None:
    """With what browsers keep of pages as they were; the usual tests run without it."""
    keeping = launched(chromium.browser_type, ignore_default_args=["--disable-back-forward-cache"])
    page = keeping.new_context(base_url=site.url, viewport={"width": 390, "height": 844}).new_page()
    name = with_account(page)
    page.goto("/decks/mine/")
    expect(page.get_by_role("link", name=name)).to_be_visible()
    page.goto("/accounts/logout/")
    page.locator("main form button").first.click()
    expect(page.get_by_role("link", name="Sign in")).to_be_visible()
    for _ in range(2):
        page.evaluate("() => void setTimeout(() => history.back(), 20)")
        page.wait_for_timeout(700)
        expect(page.get_by_role("link", name="Sign in").first).to_be_visible()
        expect(page.get_by_text(name)).to_have_count(0)
    keeping.close()


def refuse_at_first(page: Page, address: str, times: int = 3) -> list[str]:
    """Let the first requests for what fits ``address`` fail, as on a bad line; return all that come."""
    asked: list[str] = []

    def answer(route: Route) -> None:
        asked.append(route.request.url)
        if len(asked) <= times:
            route.abort()
        else:
            route.continue_()

    page.route(re.compile(address), answer)
    return asked


def begin_against_the_computer(page: Page) -> None:
    page.goto("/")
    page.get_by_role("button", name="Play now").first.click()
    page.wait_for_url(re.compile("/table/"))


def test_a_lesson_has_its_coach_although_the_line_was_bad(visit: Visit) -> None:
    page = visit(**PHONE)
    asked = refuse_at_first(page, "/assets/coach")
    page.goto("/learn/")
    page.get_by_role("button", name=re.compile("^Begin")).first.click()
    expect(page.locator(".coach")).to_be_visible(timeout=20_000)
    assert len(asked) > 3


def test_a_table_whose_cards_do_not_come_stays_and_tries_again(visit: Visit) -> None:
    """A page that loaded itself anew without a line would be gone."""
    page = visit(**PHONE)
    page.goto("/play/")
    asked = refuse_at_first(page, "catalog.json", 2)
    page.get_by_role("button", name="Play the computer").click()
    page.wait_for_url(re.compile("/table/"))
    page.evaluate("() => { window.stays = true; }")
    expect(page.get_by_role("button", name="Keep this hand")).to_be_visible(timeout=20_000)
    assert page.evaluate("() => window.stays")
    assert len(asked) > 2


def test_a_window_that_is_opened_without_a_line_says_so_and_comes_when_it_is_back(visit: Visit) -> None:
    page = visit(**PHONE)
    begin_against_the_computer(page)
    expect(page.get_by_role("button", name="Keep this hand")).to_be_visible()
    page.context.set_offline(True)
    page.get_by_role("button", name="Match: offers, concede").click()
    window = page.get_by_role("dialog")
    expect(window).to_contain_text("not loaded yet")
    window.get_by_role("button", name="Close").click()
    expect(window).to_have_count(0)
    page.get_by_role("button", name="Settings").click()
    expect(window).to_contain_text("not loaded yet")
    page.context.set_offline(False)
    expect(window).to_contain_text("Auto-pass")
    page.get_by_role("button", name="Close").click()
    expect(window).to_have_count(0)


def test_a_form_that_is_sent_without_a_line_keeps_what_was_typed(visit: Visit) -> None:
    page = visit(**PHONE)
    page.goto("/accounts/signup/")
    page.wait_for_load_state("networkidle")  # what holds forms back comes after the page
    page.context.set_offline(True)
    name = new_name()
    sign_up(page, name)
    expect(page.get_by_text("You are offline")).to_be_in_viewport()
    assert fits(page)
    page.context.set_offline(False)
    expect(page.get_by_text("You are online again")).to_be_in_viewport()
    page.get_by_role("button", name=re.compile("account")).click()
    expect(page.get_by_role("link", name=name)).to_be_visible()
