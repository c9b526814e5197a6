"""The table by keyboard alone, where only a browser tells: what can have the focus, and keeps it."""

from __future__ import annotations

import random
import re

import pytest
from playwright.sync_api import Locator, Page, expect

from ccg.rules import Catalog
from tests.browser.axe import faults
from tests.browser.conftest import Visit
from tests.browser.table_page import PATIENCE, QUICK, TablePage, press_when_seen

pytestmark = pytest.mark.browser

HAND = ".hand .tile.is-choosable"


def at_the_resource_card(page: Page) -> Page:
    """Begin a match against the computer, up to the question for a resource card."""
    seat = TablePage(page, random.Random(3))
    seat.begin_against_the_computer()
    seat.wait()
    press_when_seen(page, "Enter")  # keeps the hand
    expect(page.locator(HAND).first).to_be_visible(timeout=PATIENCE)
    press_when_seen(page, "Shift")
    return page


def with_a_menu(page: Page, catalog: Catalog) -> Locator:
    """Return a card in hand that can be an asset or a supply card: a menu asks which. Some can be only one of these."""
    ids = page.locator(HAND).evaluate_all("(tiles) => tiles.map((tile) => tile.dataset.thing.split(':')[1])")
    found = next(card_id for card_id in ids if catalog[card_id].produces is not None)
    return page.locator(f'{HAND}[data-thing="card:{found}"]').first


def test_a_menu_that_a_key_opens_has_the_focus_and_gives_it_back(visit: Visit, catalog: Catalog) -> None:
    page = at_the_resource_card(visit(settings=QUICK))
    card = with_a_menu(page, catalog)
    card.press("Enter")
    expect(page.locator(".thing-menu button").first).to_be_focused()
    page.keyboard.press("ArrowDown")
    expect(page.locator(".thing-menu button").nth(1)).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator(".thing-menu")).to_have_count(0)
    expect(card).to_be_focused()


def test_after_an_answer_the_focus_is_at_what_is_asked(visit: Visit, catalog: Catalog) -> None:
    page = at_the_resource_card(visit(settings=QUICK))
    with_a_menu(page, catalog).press("Enter")
    page.keyboard.press("Enter")  # the first line of the menu: the card leaves the hand
    expect(page.locator(".thing-menu")).to_have_count(0)
    page.wait_for_function("() => document.activeElement !== document.body", timeout=PATIENCE)
    expect(page.locator(".prompt")).to_be_focused()


@pytest.mark.parametrize(
    ("address", "typed", "found"),
    [("/cards/", "t:ship trait:scout", " cards"), ("/decks/", "nobody calls a deck this", "0 decks of players")],
)
def test_how_much_a_search_finds_is_heard_while_one_types(visit: Visit, address: str, typed: str, found: str) -> None:
    page = visit()
    page.goto(address)
    # A region that is there before is read out when it changes; one that comes with its words often is not.
    page.evaluate(
        "() => { window.regions = [...document.querySelectorAll('[role=status]')].map((is) => [is, is.textContent]); }"
    )
    page.locator("main input[type=search]").fill(typed)
    page.wait_for_function(
        "(found) => window.regions.some(([is, before]) =>"
        " is.isConnected && is.textContent !== before && is.textContent.includes(found))",
        arg=found,
        timeout=10_000,
    )


def test_messages_and_errors_of_forms_are_lists(visit: Visit) -> None:
    page = visit()
    page.goto("/accounts/signup/")
    page.fill("input[name=username]", "not a name!")
    for name in ("password1", "password2"):
        page.fill(f"input[name={name}]", "x")
    page.locator("main form .button-primary").first.click()
    expect(page.locator(".errorlist").first).to_be_visible()
    assert faults(page) == []
    page.goto("/play/")
    page.get_by_role("button", name="Play the computer").click()  # as a guest, who may keep settings
    expect(page.locator(".table-app")).to_be_visible(timeout=PATIENCE)
    page.goto("/accounts/settings/")
    page.get_by_role("button", name="Keep these settings").click()
    expect(page.locator(".messages")).to_be_visible()
    assert faults(page) == []


def test_a_form_that_is_not_accepted_has_the_focus_at_its_first_error(visit: Visit) -> None:
    page = visit()
    page.goto("/accounts/signup/")
    page.fill("input[name=username]", "a-good-name")
    for name in ("password1", "password2"):
        page.fill(f"input[name={name}]", "x")
    page.keyboard.press("Enter")
    expect(page.locator(".errorlist").first).to_be_visible()
    expect(page.locator("[aria-invalid=true]").first).to_be_focused()


def test_words_of_the_game_are_reached_by_tab_and_explained(visit: Visit) -> None:
    page = visit()
    page.goto("/how-to-play/")
    word = page.locator(".term[tabindex='0']").first
    word.focus()
    page.keyboard.press("Enter")
    expect(page.locator(".card-preview .term-notes")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(".card-preview")).to_have_count(0)
    expect(word).to_be_focused()


def test_escape_closes_the_picture_of_a_card_before_it_takes_anything_back(visit: Visit, catalog: Catalog) -> None:
    page = at_the_resource_card(visit(960, 540, settings=QUICK))
    with_a_menu(page, catalog).press("Enter")
    expect(page.locator(".thing-menu button").first).to_be_focused()
    page.locator(".hand .tile.is-chosen").first.focus()  # of all copies, as a choice is of a card
    expect(page.locator(".card-preview")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(".card-preview")).to_have_count(0)
    expect(page.locator(".thing-menu")).to_be_visible()
    page.keyboard.press("Escape")
    expect(page.locator(".thing-menu")).to_have_count(0)


def test_keys_with_one_sign_are_switched_off_on_all_pages(visit: Visit) -> None:
    page = visit(settings='{"keys":"off"}')
    page.goto("/cards/")
    page.keyboard.press("/")
    expect(page.locator("body")).to_be_focused()
    expect(page.locator(".site-search kbd")).to_be_hidden()
    page.goto("/decks/new/")
    expect(page.locator(".builder-app")).to_be_visible(timeout=PATIENCE)
    for key in "/h?":
        page.keyboard.press(key)
    expect(page.locator("dialog")).to_have_count(0)
    expect(page.locator("body")).to_be_focused()


def builder(visit: Visit, query: str) -> Page:
    """The builder with a card of ``query`` under the focus."""
    page = visit(1366, 768)
    page.goto("/decks/new/")
    expect(page.locator(".builder-app")).to_be_visible(timeout=PATIENCE)
    page.keyboard.press("/")
    page.keyboard.type(query)
    page.keyboard.press("ArrowDown")
    expect(page.locator(".list-row:focus")).to_be_visible()
    return page


def test_reasons_that_a_key_opens_have_the_focus_and_close_with_escape(visit: Visit) -> None:
    page = builder(visit, "t:ship")
    page.keyboard.press("l")
    expect(page.locator(".legality-all")).to_be_visible()
    expect(page.locator(".legality")).to_be_focused()
    page.keyboard.press("Escape")
    expect(page.locator(".legality-all")).to_have_count(0)


def test_the_sheet_of_a_card_says_what_it_shows_and_what_keys_did(visit: Visit) -> None:
    page = builder(visit, "t:ship")
    page.keyboard.press("Space")
    said = page.locator("dialog[open] [role=status]")
    page.keyboard.press("3")
    expect(said).to_contain_text("3 in the deck")
    page.keyboard.press("ArrowDown")
    expect(said).to_contain_text("0 in the deck")
    expect(said).to_contain_text(str(page.locator("dialog[open] h2").text_content()))


def test_the_focus_stays_in_the_deck_when_a_button_has_done_its_work(visit: Visit) -> None:
    page = builder(visit, "t:ship")
    page.keyboard.press("Shift+2")
    page.get_by_role("button", name="Put", exact=False).first.press("Enter")
    expect(page.locator(".builder-deck")).to_be_focused()
    page.get_by_role("button", name="Empty the deck").press("Enter")
    expect(page.locator(".builder-deck")).to_be_focused()
    page.get_by_role("button", name="Good", exact=True).press("Enter")
    expect(page.locator(".builder-deck")).to_be_focused()
    heard = page.locator(".builder-app > .visually-hidden p").first
    for left in ("2 more", "1 more"):
        page.keyboard.press("Control+z")
        expect(heard).to_contain_text(left)


SHOWN = """(chosen) => { const [one] = document.querySelectorAll(chosen);
    return JSON.stringify(['', '::before', '::after'].map((part) => { const style = getComputedStyle(one, part || null);
        return [style.backgroundColor, style.outlineStyle, style.borderTopWidth, style.textDecorationLine]; })); }"""


@pytest.mark.parametrize(
    ("address", "marked", "other"),
    [
        ("/cards/?q=t:ship", ".choice-chip[aria-pressed=true]", ".choice-chip[aria-pressed=false]"),
        ("/cards/", ".button-primary", ".card-filter-more, nav.pages .button"),
        ("/play/", ".choice > input:checked ~ .panel", ".choice > input:not(:checked) ~ .panel"),
        ("/cards/", ".site-nav a[aria-current]", ".site-nav a:not([aria-current])"),
    ],
)
def test_what_is_chosen_is_seen_in_colours_of_the_system(visit: Visit, address: str, marked: str, other: str) -> None:
    page = visit(forced_colors="active")
    page.goto(address)
    assert page.evaluate(SHOWN, marked) != page.evaluate(SHOWN, other)


def test_what_can_be_played_is_lit_in_colours_of_the_system(visit: Visit) -> None:
    page = at_the_resource_card(visit(settings=QUICK, forced_colors="active"))
    ticks = page.locator(f"{HAND} .tile-ticks").first
    assert "gradient" in ticks.evaluate("(one) => getComputedStyle(one).backgroundImage")
    assert ticks.evaluate("(one) => getComputedStyle(one).forcedColorAdjust") == "none"


def test_back_undoes_a_chip_and_what_was_typed(visit: Visit) -> None:
    page = builder(visit, "viper")
    page.get_by_role("button", name="Ships").click()
    search = page.get_by_role("searchbox", name="Search cards")
    expect(search).to_have_value("viper t:ship")
    page.go_back()
    expect(search).to_have_value("viper")
    page.go_back()
    expect(search).to_have_value("")
    page.go_forward()
    expect(search).to_have_value("viper")


def test_what_a_search_finds_is_said_once_nothing_more_is_typed(visit: Visit) -> None:
    page = builder(visit, "t:ship")
    page.evaluate(
        """() => {
            window.said = [];
            const region = document.querySelector('.builder-search [role=status]');
            const watching = new MutationObserver(() => window.said.push(region.textContent));
            watching.observe(region, { childList: true, characterData: true, subtree: true });
        }"""
    )
    page.keyboard.press("/")
    page.keyboard.type("cst<=3 ")
    page.wait_for_function("() => window.said.length > 0", timeout=PATIENCE)
    assert len(page.evaluate("() => window.said")) == 1
    assert page.locator(".builder-search [role=status]").inner_text() == page.locator(".search-wrong .bad").inner_text()


def test_a_bar_of_types_says_that_it_is_pressed_and_gives_the_deck_back(visit: Visit) -> None:
    page = builder(visit, "t:ship")
    page.keyboard.press("Enter")
    bar = page.get_by_role("region", name="Types").get_by_role("button").filter(has_text="Ship")
    bar.click()
    expect(bar).to_have_attribute("aria-pressed", "true")
    expect(page.locator(".deck-filter")).to_be_visible()
    bar.click()
    expect(bar).to_have_attribute("aria-pressed", "false")
    expect(page.locator(".deck-filter")).to_have_count(0)


def test_the_deck_is_taken_along_as_text_from_the_builder(visit: Visit) -> None:
    page = builder(visit, "raptor 719")
    page.keyboard.press("Enter")
    page.keyboard.press("x")
    window = page.get_by_role("dialog", name="Export")
    expect(window.get_by_role("textbox")).to_have_value(re.compile("1 Raptor 719"))
    says, text = (
        window.get_by_text("The deck as it is now").bounding_box(),
        window.get_by_role("textbox").bounding_box(),
    )
    assert says is not None and text is not None
    assert text["y"] - says["y"] - says["height"] >= 4, "the ring of the focus does not lie on the words"
    with page.expect_download() as download:
        window.get_by_role("link", name="File").click()
    assert download.value.suggested_filename == "deck.txt"
    assert faults(page) == []
