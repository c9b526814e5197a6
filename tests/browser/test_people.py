"""Coming in, by mouse and by keyboard, large and small."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import expect

from tests.browser.accounts import PASSWORD, new_name, sign_up
from tests.browser.conftest import Visit
from tests.browser.measures import fits

pytestmark = pytest.mark.browser

WIDTHS = [390, 1280]


@pytest.mark.ci
@pytest.mark.parametrize("width", WIDTHS)
@pytest.mark.parametrize("color_scheme", ["dark", "light"])
def test_the_home_page_is_whole(visit: Visit, width: int, color_scheme: str) -> None:
    page = visit(width=width, color_scheme=color_scheme)
    page.goto("/")
    expect(page.get_by_role("heading", level=1)).to_contain_text("Hold the fleet together")
    expect(page.get_by_role("button", name="Play now")).to_be_visible()
    assert fits(page)
    pictures = page.locator("img")
    for index in range(pictures.count()):
        assert pictures.nth(index).evaluate("picture => picture.complete && picture.naturalWidth > 0")


@pytest.mark.ci
@pytest.mark.parametrize("width", WIDTHS)
def test_all_pages_fit(visit: Visit, width: int) -> None:
    page = visit(width=width)
    for address in ("/how-to-play/", "/accounts/login/", "/accounts/signup/", "/play/", "/cards/", "/decks/"):
        page.goto(address)
        assert fits(page), address


@pytest.mark.ci
def test_play_now_leads_a_stranger_to_a_table(visit: Visit) -> None:
    page = visit()
    page.goto("/")
    page.get_by_role("button", name="Play now").click()
    page.wait_for_url(re.compile("/table/"))


@pytest.mark.ci
def test_a_ready_made_deck_meets_the_computer_at_the_level_that_is_chosen(visit: Visit) -> None:
    page = visit()
    page.goto("/")
    page.get_by_label("The computer plays").select_option("easy")
    page.get_by_role("button", name=re.compile("^Play .* against the computer")).first.click()
    page.wait_for_url(re.compile("/table/"))
    page.goto("/")
    expect(page.locator(".home-running")).to_contain_text("(easy)")


def test_a_guest_becomes_an_account_and_keeps_the_match(visit: Visit) -> None:
    page, name = visit(), new_name()
    page.goto("/")
    page.get_by_role("button", name="Play now").click()
    page.wait_for_url(re.compile("/table/"))
    table = page.url
    page.goto("/")
    expect(page.get_by_role("heading", name="Your running matches")).to_be_visible()
    page.get_by_role("banner").get_by_role("link", name=re.compile("Guest ")).click()
    sign_up(page, name)
    expect(page.get_by_role("link", name=name)).to_be_visible()
    page.goto("/play/mine/")
    assert table.endswith(str(page.get_by_role("link", name="Go on").get_attribute("href")))

    elsewhere = visit()
    elsewhere.goto("/accounts/login/")
    elsewhere.get_by_label("Username").fill(name)
    elsewhere.get_by_label("Password").fill(PASSWORD)
    elsewhere.get_by_role("button", name="Sign in").click()
    elsewhere.goto("/play/mine/")
    expect(elsewhere.get_by_role("link", name="Go on")).to_be_visible()


@pytest.mark.ci
def test_the_head_of_a_page_has_room_for_a_guest_on_a_phone(visit: Visit) -> None:
    page = visit(width=390)
    page.goto("/")
    page.get_by_role("button", name="Play now").click()
    page.wait_for_url(re.compile("/table/"))
    page.goto("/")
    expect(page.get_by_role("banner").get_by_role("link", name=re.compile("Guest "))).to_be_visible()
    assert fits(page)
    brand = page.get_by_role("link", name="Ragtag Fleet").bounding_box()
    assert brand is not None
    assert brand["height"] >= 44, "the emblem is not at the very edge of the screen"


def test_a_wrong_password_is_told_and_heard(visit: Visit) -> None:
    page = visit()
    page.goto("/accounts/login/")
    page.get_by_label("Username").fill(new_name())
    page.get_by_label("Password").fill("wrong")
    page.keyboard.press("Enter")
    expect(page.get_by_role("alert")).to_contain_text("not correct")


def test_the_keyboard_reaches_everything(visit: Visit) -> None:
    page = visit()
    page.goto("/")
    page.keyboard.press("Tab")
    expect(page.get_by_role("link", name="Skip to the content")).to_be_focused()
    reached = set()
    for _ in range(15):
        page.keyboard.press("Tab")
        reached.add(str(page.evaluate("document.activeElement.textContent.trim()")))
    assert {"Ragtag Fleet", "Play", "Cards", "Decks", "How to play", "Sign in", "Play now"} <= reached


@pytest.mark.ci
def test_the_theme_can_be_chosen_and_stays(visit: Visit) -> None:
    page = visit(color_scheme="dark")
    page.goto("/")
    ground = "getComputedStyle(document.body).backgroundColor"
    dark = page.evaluate(ground)
    switch = page.get_by_role("button", name=re.compile("[Tt]heme"))
    switch.click()
    switch.click()
    light = page.evaluate(ground)
    assert light != dark
    page.goto("/how-to-play/")
    assert page.evaluate(ground) == light


def test_pages_show_what_they_have_to_show_without_scripts(visit: Visit) -> None:
    page = visit(java_script_enabled=False)
    for address, words in (("/", "How a match goes"), ("/cards/BSG1-136/", "Hotshot Pilot"), ("/decks/", "Viper Wing")):
        page.goto(address)
        expect(page.locator("main")).to_contain_text(words)
