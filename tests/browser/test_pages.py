"""Pages of the site on a phone and by keyboard: what is seen first, and what fits."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit
from tests.browser.measures import fits, hard_to_hit

pytestmark = [pytest.mark.browser, pytest.mark.ci]


def sign_in_as_guest(page: Page) -> None:
    page.goto("/play/")
    page.get_by_role("button", name="Make a link").click()
    expect(page.get_by_label("Invite link")).to_be_visible()


@pytest.mark.parametrize("width", [360, 390])
def test_the_header_of_a_phone_has_two_rows_whoever_is_signed_in(visit: Visit, width: int) -> None:
    page = visit(width, 844, has_touch=True, is_mobile=True)
    page.goto("/cards/")
    for _ in range(2):
        header = page.locator(".site-header").bounding_box()
        assert header is not None
        assert header["height"] <= 92
        assert page.evaluate("document.scrollingElement.scrollWidth <= innerWidth")
        sign_in_as_guest(page)
    assert page.locator(".site-account").count() == 1
    count = "link.insertAdjacentHTML('beforeend', ' <span class=\"site-count\">12</span>')"
    page.get_by_role("link", name="My matches").evaluate(f"(link) => {count}")
    header = page.locator(".site-header").bounding_box()
    assert header is not None and header["height"] <= 92, "with the count of matches that wait"
    waiting = page.locator(".site-count").bounding_box()
    assert waiting is not None and waiting["y"] >= 0, "it is whole in sight"


FLAGSHIP = """() => {
    const picture = document.querySelector('.hero-picture'), { left, width, height } = picture.getBoundingClientRect();
    const scale = Math.max(width / 1200, height / 540);
    return left + (width - 1200 * scale) * 0.7 + 485 * scale;
}"""
"""Where the trail of the ship in the middle of the picture begins, which covers its plane and is 1200 by 540."""


@pytest.mark.parametrize("width", [920, 1024, 1180, 1280, 1440])
def test_the_words_of_the_front_page_do_not_lie_on_the_fleet(visit: Visit, width: int) -> None:
    page = visit(width, 768)
    page.goto("/")
    ends = page.locator(".hero h1, .hero p").evaluate_all("""(all) => all.flatMap((one) => {
        const range = document.createRange();
        range.selectNodeContents(one);
        return [...range.getClientRects()].map(({ right }) => right);
    })""")
    assert page.evaluate(FLAGSHIP) > max(ends)


TOO_SMALL = """() => [...document.querySelectorAll('main :is(a[href], button, summary, select)')].filter((one) => {
    if (!one.checkVisibility({ visibilityProperty: true, opacityProperty: true })) return false;
    const { width, height } = one.getBoundingClientRect();
    if (width >= 23.5 && height >= 23.5) return false;
    const text = one.closest('p, li, dt, dd, td, h1, h2, h3');
    const around = text ? text.textContent.trim().length - one.textContent.trim().length : 0;
    return !(around > 0 && getComputedStyle(one).display === 'inline');
}).map((one) => one.textContent.trim())"""
"""What is to be hit with a finger, does not stand in a sentence, and is less than 24 px wide or high."""


@pytest.mark.ci
def test_what_stands_alone_can_be_hit_with_a_finger(visit: Visit) -> None:
    page = visit(390, 844, has_touch=True, is_mobile=True)
    small = {}
    for address in (
        "/play/", "/play/tables/", "/cards/", "/cards/BSG1-136/", "/cards/search/", "/sets/BSG1/", "/decks/", "/rules/",
        "/rules/clauses/", "/decks/search/",
    ):  # fmt: skip
        page.goto(address)
        if found := page.evaluate(TOO_SMALL):
            small[address] = found
    assert small == {}


@pytest.mark.parametrize("width", [320, 390])
def test_what_happens_on_the_site_fits_a_phone_and_can_be_hit_with_a_finger(visit: Visit, width: int) -> None:
    page = visit(width, 844, has_touch=True, is_mobile=True)
    page.goto("/play/")
    page.get_by_role("button", name="Play the computer").click()
    page.wait_for_url("**/table/**")
    page.goto("/")
    live = page.locator(".home-live").first
    while not live.count():  # until what the site remembers of the matches is looked up again
        page.reload()
    expect(live.locator(".picture-alone").first).to_be_visible()
    assert fits(page)
    links = page.locator(".home-now").get_by_role("link")
    assert links.count() >= 5
    assert [box for link in links.all() if (box := link.bounding_box()) and box["height"] < 43.5] == []
    live.click()
    page.wait_for_url("**/table/**")


PHONE_PAGES = (
    "/", "/play/", "/play/mine/", "/cards/", "/decks/", "/learn/", "/watch/", "/ladder/", "/search/?q=viper", "/rules/",
    "/accounts/login/", "/decks/new/", "/cards/BSG1-144/", "/cards/BSG1-144/?q=astral", "/cards/search/",
    "/decks/search/", "/play/others/", "/play/tables/", "/collection/",
)  # fmt: skip


def test_on_a_phone_all_that_is_hit_answers_for_44_px(visit: Visit) -> None:
    page = visit(390, 844, has_touch=True, is_mobile=True)
    page.goto("/")
    page.get_by_role("button", name="Play now").click()
    page.wait_for_url("**/table/**")
    expect(page.locator(".hand li").first).to_be_visible()
    hard = {"table": found} if (found := hard_to_hit(page)) else {}
    page.get_by_role("button", name="Match: offers, concede").tap()
    page.get_by_role("dialog").get_by_role("button", name="Standing orders …").tap()
    expect(page.get_by_role("dialog", name="Standing orders")).to_be_visible()
    if found := hard_to_hit(page, "dialog"):
        hard["standing orders"] = found
    for address in PHONE_PAGES:
        page.goto(address)
        page.wait_for_load_state("networkidle")
        if found := hard_to_hit(page):
            hard[address] = found
    assert hard == {}


def test_the_tools_in_the_header_are_hit_by_a_thumb_before_one_has_signed_in(visit: Visit) -> None:
    page = visit(390, 844, has_touch=True, is_mobile=True)
    page.goto("/how-to-play/")
    assert hard_to_hit(page, ".site-tools") == []
    page.set_viewport_size({"width": 844, "height": 390})
    assert hard_to_hit(page, ".site-header >") == []


def starter(page: Page) -> str:
    """Return the address of one of the decks to begin with."""
    page.goto("/decks/")
    return page.get_by_role("link", name="Viper Wing").first.get_attribute("href") or ""


LOW = """() => [...document.querySelectorAll(':is(.page, .builder-app) :is('
    + '.button, .choice-chip, .copy, select, summary, input:not([type=checkbox], [type=radio]))'
)].filter((one) => one.checkVisibility({ visibilityProperty: true }) && one.getBoundingClientRect().height < 43.5)
    .map((one) => one.textContent.trim() || one.id)"""
"""Buttons, fields and what opens by a tap that are less than 44 px high."""


@pytest.mark.parametrize(("width", "height"), [(390, 844), (844, 390), (768, 1024), (1024, 768)])
def test_buttons_are_as_high_as_a_finger_is_wide_on_tablets_too(visit: Visit, width: int, height: int) -> None:
    page = visit(width, height, has_touch=True, is_mobile=True)
    low = {}
    for address in ("/cards/", "/cards/BSG1-136/", "/decks/", starter(page), "/decks/new/"):
        page.goto(address)
        if address == "/decks/new/":
            page.locator(".list-row").first.wait_for()
        if found := page.evaluate(LOW):
            low[address] = found
    assert low == {}


@pytest.mark.parametrize("width", [721, 768, 844])
def test_the_pages_in_the_header_are_not_cut_off_for_a_guest(visit: Visit, width: int) -> None:
    page = visit(width, 390, has_touch=True, is_mobile=True)
    sign_in_as_guest(page)
    page.goto("/cards/")
    nav = page.locator(".site-nav")
    assert nav.evaluate("nav => nav.scrollWidth - nav.clientWidth") <= 0


@pytest.mark.parametrize("width", [320, 390])
def test_cards_to_print_do_not_make_a_phone_scroll_sideways(visit: Visit, width: int) -> None:
    page = visit(width, 844, has_touch=True, is_mobile=True)
    page.goto(f"{starter(page)}proxies/")
    assert page.evaluate("document.documentElement.scrollWidth") == width


def test_cards_are_in_the_first_screen_of_a_phone_and_filters_open_by_a_button(visit: Visit) -> None:
    page = visit(390, 844, has_touch=True, is_mobile=True)
    page.goto("/cards/")
    first = page.locator(".card-grid li").first.bounding_box()
    assert first is not None
    assert first["y"] + first["height"] < 844
    chip = page.get_by_role("button", name="Ship", exact=True)
    expect(chip).to_be_hidden()
    page.get_by_role("button", name="Filters").click()
    chip.click()
    expect(page).to_have_url(re.compile("ship"))
    expect(chip).to_be_visible()
    expect(chip).to_have_attribute("aria-pressed", "true")


@pytest.mark.parametrize("width", [768, 1024])
def test_filters_in_a_second_line_do_not_lie_below_the_name_of_their_group(visit: Visit, width: int) -> None:
    page = visit(width, 768)
    page.goto("/cards/")
    group = page.get_by_role("group", name="Trait")
    chips = group.get_by_role("button").evaluate_all("(all) => all.map((one) => one.getBoundingClientRect())")
    label = group.locator(".label").bounding_box()
    assert label is not None
    assert len({chip["y"] for chip in chips}) > 1
    assert min(chip["x"] for chip in chips) >= label["x"] + label["width"]


def test_without_scripts_all_filters_are_there(visit: Visit) -> None:
    page = visit(390, 844, java_script_enabled=False)
    page.goto("/cards/")
    expect(page.get_by_role("button", name="Ship", exact=True)).to_be_visible()
    expect(page.get_by_role("button", name="Filters")).to_be_hidden()


def test_the_slash_goes_to_the_search(visit: Visit) -> None:
    page = visit()
    for address in ("/cards/", "/decks/"):
        page.goto(address)
        page.keyboard.press("/")
        expect(page.locator("#q")).to_be_focused()
        assert page.locator("#q").input_value() == ""
    page.goto("/how-to-play/")
    page.keyboard.press("/")
    expect(page.locator("#site-search")).to_be_focused()
    page.keyboard.type("viper")
    page.keyboard.press("Enter")
    page.wait_for_url("**/search/?q=viper")
    expect(page.locator("ccg-card.is-drawn").first).to_be_visible()
    page.set_viewport_size({"width": 800, "height": 900})
    page.goto("/how-to-play/")
    page.keyboard.press("/")
    page.wait_for_url("**/search/#search")
    expect(page.locator("#q")).to_be_focused()


def test_an_invite_link_is_copied_and_shown_as_a_picture(visit: Visit) -> None:
    page = visit(permissions=["clipboard-read", "clipboard-write"])
    sign_in_as_guest(page)
    link = page.get_by_label("Invite link").input_value()
    page.get_by_role("button", name="Copy the link").click()
    expect(page.locator("[data-copied]")).to_have_text("Copied: the link.")
    assert page.evaluate("navigator.clipboard.readText()") == link
    picture = page.get_by_role("img", name="QR code of the invite link")
    assert picture.evaluate("image => image.complete && image.naturalWidth > 0")


@pytest.mark.parametrize("width", [390, 1440])
def test_the_link_of_a_public_deck_is_copied(visit: Visit, width: int) -> None:
    page = visit(width=width, permissions=["clipboard-read", "clipboard-write"])
    page.goto(starter(page))
    page.get_by_role("button", name="Copy the link").click()
    expect(page.locator(".deck-share [data-copied]")).to_have_text("Copied: the link.")
    assert page.evaluate("navigator.clipboard.readText()") == page.url
    assert fits(page)
