"""Building decks in a real browser: by keyboard alone, by touch, offline, in two windows at once."""

from __future__ import annotations

import re
from contextlib import suppress

import pytest
from playwright.sync_api import APIResponse, BrowserContext, Error, Page, Route, expect

from tests.browser import axe
from tests.browser.builder_page import import_and_publish, opened
from tests.browser.conftest import Visit
from tests.browser.measures import fits, hard_to_hit, script_of
from tests.running import Site

pytestmark = pytest.mark.browser

UNITS = 15
"""Different cards, four copies each, that make sixty."""


def as_guest(page: Page) -> Page:
    """Open the builder as somebody whom the server knows."""
    opened(page).get_by_role("button", name="Keep it as a guest").click()
    expect(page.locator(".save-note")).to_have_text("Nothing to save yet")
    return page


def size(page: Page) -> int:
    """How many cards the deck has."""
    return int(page.locator(".legality-size b").inner_text())


def is_saved(page: Page) -> None:
    expect(page.locator(".save-note")).to_have_text("Saved", timeout=15_000)
    page.wait_for_function("() => /^.decks.[\\w-]{22}.edit.$/.test(location.pathname)")


def fill_by_keyboard(page: Page, query: str, cards: int) -> None:
    """Search, go down the list, and put four copies of each card in."""
    page.keyboard.press("/")
    page.keyboard.type(query)
    page.keyboard.press("ArrowDown")
    for _ in range(cards):
        page.keyboard.press("4")
        page.keyboard.press("ArrowDown")


def reasons(page: Page) -> list[str]:
    """The words of all reasons that are shown."""
    return page.locator(".legality-all li p:first-child, .legality-first").all_inner_texts()


def test_a_guest_builds_a_legal_deck_by_keyboard_alone_and_publishes_it(visit: Visit) -> None:
    page = as_guest(visit())
    verdict = page.locator(".legality-verdict")
    expect(verdict).to_have_text("Not legal: 2 reasons")
    page.keyboard.press("l")
    expect(page.locator(".legality-all li")).to_have_count(2)
    assert "There is no base." in reasons(page)[0]

    page.keyboard.press("/")
    page.keyboard.type("t:base galactica")
    page.keyboard.press("Enter")
    expect(verdict).to_have_text("Not legal: 1 reason")
    assert "0 cards besides the base" in reasons(page)[0]
    fill_by_keyboard(page, "t:personnel|ship", UNITS)
    expect(verdict).to_have_text("Legal")
    assert size(page) == 4 * UNITS
    expect(page.locator("#deck-summary")).to_have_text("60 cards, Legal")

    page.keyboard.press("ArrowRight")
    expect(verdict).to_have_text("Legal")
    page.keyboard.press("Control+z")
    assert size(page) == 4 * UNITS
    page.keyboard.press("Control+z")
    expect(verdict).to_have_text("Not legal: 1 reason")
    page.keyboard.press("Control+Shift+z")
    expect(verdict).to_have_text("Legal")

    page.keyboard.press("p")
    page.keyboard.type("Keys Only")
    page.keyboard.press("Tab")
    page.keyboard.type("built without a mouse")
    page.keyboard.press("Enter")
    page.wait_for_url(re.compile(r"/decks/[\w-]{22}/$"))
    expect(page.get_by_role("heading", level=1)).to_have_text("Keys Only")
    expect(page.locator("main")).to_contain_text("built without a mouse")
    expect(page.locator("main")).to_contain_text("Legal in Standard 2006")


def test_a_card_that_has_four_copies_says_why_there_are_no_more(visit: Visit) -> None:
    page = opened(visit())
    fill_by_keyboard(page, '!"Raptor 227"', 1)
    page.keyboard.press("ArrowRight")
    expect(page.locator(".toast")).to_contain_text("Raptor 227: 4 of 4: 4 copies of a name are the most.")
    assert size(page) == 4
    page.keyboard.press("Shift+Digit2")
    expect(page.locator(".deck-considering")).to_contain_text("Raptor 227")


@pytest.mark.ci
def test_a_query_that_cannot_be_read_says_where_and_keeps_what_was_found(visit: Visit) -> None:
    page = opened(visit())
    box = page.get_by_label("Search cards")
    box.fill("t:ship cost<=2")
    found = page.locator(".search-count").inner_text()
    box.fill("t:ship cst<=2")
    expect(page.locator(".search-wrong")).to_contain_text("cst")
    assert page.locator(".search-count").inner_text() == found
    page.get_by_role("button", name="t:ship cost<=2").click()
    expect(page.locator(".search-wrong")).to_have_count(0)
    expect(page).to_have_url(re.compile(r"q=t%3Aship"))
    box.fill("zzzz")
    expect(page.locator(".list-empty")).to_contain_text("No card is like that.")
    box.fill("zzzz cst<=2")
    expect(page.locator(".list-empty")).to_contain_text("The search cannot be read")
    expect(page.locator(".search-count")).to_be_empty()
    box.fill("starbuk t:personnel")
    page.get_by_role("button", name="starbuck t:personnel").click()
    expect(box).to_have_value("starbuck t:personnel")
    expect(page.locator(".list-empty")).to_have_count(0)
    for address in ("/cards/", "/decks/"):
        page.goto(f"{address}?q=zzzz")
        expect(page.locator("#results .empty").last).to_be_visible()
        page.locator("#q").fill("zzzz cst<=2")
        expect(page.locator("#query-wrong")).to_contain_text("cst")
        expect(page.locator("#results")).not_to_contain_text("is like that", use_inner_text=True)


@pytest.mark.ci
@pytest.mark.parametrize("width", [390, 1440])
def test_what_could_be_written_next_is_offered(visit: Visit, width: int) -> None:
    page = opened(visit(width=width))
    box = page.get_by_label("Search cards")
    offers = page.get_by_role("group", name="What could be written next")
    page.keyboard.press("/")
    page.keyboard.type("apollo tr")
    offers.get_by_role("button", name="trait:").click()
    expect(box).to_have_value("apollo trait:")
    expect(box).to_be_focused()
    expect(page.locator(".search-wrong")).to_have_count(0)
    page.keyboard.type("pi")
    expect(offers.get_by_role("button")).to_have_text(["pilot"])
    page.keyboard.press("Tab")
    expect(offers.get_by_role("button")).to_be_focused()
    page.keyboard.press("Enter")
    expect(box).to_have_value("apollo trait:pilot")
    expect(offers).to_have_count(0)
    assert page.locator(".list-row").count() > 0
    page.keyboard.type("x")
    expect(page.locator(".search-wrong")).to_contain_text("pilotx")
    assert fits(page)


def test_a_phone_builds_by_touch(visit: Visit) -> None:
    page = opened(visit(width=390, height=844, has_touch=True, is_mobile=True))
    bar = page.get_by_role("navigation", name="Parts of the builder")
    bar.get_by_role("button", name="Deck").tap()
    page.get_by_role("button", name="Keep it as a guest").tap()
    expect(bar).to_contain_text("Nothing to save yet")
    page.get_by_label("Search cards").fill("t:ship")
    for row in range(3):
        page.locator(".list-row").nth(row).get_by_role("button", name="4", exact=True).tap()
    expect(bar).to_contain_text("12")
    expect(bar).to_contain_text("Not legal: 2 reasons")
    bar.get_by_role("button", name="Deck").tap()
    assert hard_to_hit(page, ".builder-deck") == []
    page.get_by_role("button", name="Publish").tap()
    assert hard_to_hit(page, "dialog") == []
    page.get_by_role("dialog").get_by_role("button", name="Close").tap()
    page.get_by_role("button", name=re.compile("less$")).first.tap()
    expect(bar).to_contain_text("11")
    page.locator(".deck-base").get_by_role("button", name="Choose a base").tap()
    page.locator(".list-row").first.get_by_role("button", name="as the base").tap()
    expect(bar).to_contain_text("Not legal: 1 reason")
    expect(bar).to_contain_text("Saved")
    for name in (".list-open", ".deck-row-name"):
        target = page.locator(name).first.bounding_box()
        assert target is not None and target["height"] >= 40, "it is met by a finger"
        page.locator(name).first.tap()
        picture, body = (page.locator(part).bounding_box() for part in (".sheet .card-full", ".window-body"))
        assert picture is not None and body is not None
        assert body["x"] <= picture["x"] and picture["x"] + picture["width"] <= body["x"] + body["width"], "not cut"
        page.keyboard.press("Escape")
        bar.get_by_role("button", name="Not legal: 1 reason").tap()
        expect(page.locator(".legality-first")).to_be_in_viewport()
    assert fits(page)


def test_a_card_has_the_same_menu_by_right_click_by_key_and_by_finger(visit: Visit) -> None:
    page = opened(visit(), "/decks/new/?q=t:ship")
    menu = page.locator(".card-menu")
    row = page.locator(".list-row").first
    row.locator(".list-open").hover()
    expect(page.locator(".card-preview")).to_be_visible()
    row.locator(".list-open").click(button="right")
    expect(menu.get_by_role("menuitem").first).to_be_focused()
    assert axe.faults(page) == []
    menu.get_by_role("menuitem", name="One more").click()
    expect(menu).to_have_count(0)
    deck = page.locator(".deck-groups")
    expect(deck.locator(".deck-count")).to_have_text("1")
    page.get_by_label("Search cards").press("ArrowDown")
    page.keyboard.press("Shift+F10")
    expect(menu).to_contain_text("One more (1 in the deck)")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("ArrowDown")
    page.keyboard.press("Enter")
    expect(page.locator(".deck-considering .deck-count")).to_have_text("1")
    expect(row).to_be_focused()
    page.keyboard.press("Shift+F10")
    expect(menu.get_by_role("menuitem").first).to_be_focused()
    page.keyboard.press("4")
    page.keyboard.press("Escape")
    expect(deck.locator(".deck-count")).to_have_text("1")
    expect(row).to_be_focused()

    phone = opened(visit(width=390, height=844, has_touch=True, is_mobile=True), "/decks/new/?q=t:ship")
    name = phone.locator(".list-open").nth(2)
    name.dispatch_event("pointerdown", {"pointerType": "touch", "bubbles": True})
    phone.locator(".card-menu").get_by_role("menuitem", name="One more").tap()
    expect(phone.get_by_role("navigation", name="Parts of the builder")).to_contain_text("1")
    name.dispatch_event("pointerdown", {"pointerType": "touch", "bubbles": True})
    expect(phone.locator(".card-menu")).to_contain_text("One more (1 in the deck)")
    assert hard_to_hit(phone, ".card-menu") == []
    for part in (".card-preview .card-full", ".card-menu"):
        box = phone.locator(part).bounding_box()
        assert box is not None and box["y"] >= 0 and box["y"] + box["height"] <= 844, f"{part} is whole in sight"
    phone.touchscreen.tap(4, 4)
    expect(phone.locator(".card-menu")).to_have_count(0)


def test_what_is_done_offline_outlives_a_crash_of_the_browser(visit: Visit) -> None:
    page = as_guest(visit())
    fill_by_keyboard(page, "t:ship", 2)
    is_saved(page)
    address = str(page.evaluate("location.href"))
    page.context.set_offline(True)
    fill_by_keyboard(page, "t:event", 3)
    expect(page.locator(".save-note")).to_have_text("Offline: 3 changes kept here", timeout=15_000)
    again = opened(crashed_and_opened(page), address)

    assert size(again) == 20
    expect(again.locator(".toast")).to_contain_text("Changes that only this browser had are back.")
    is_saved(again)
    again.evaluate("localStorage.clear()")
    again.reload()
    expect(again.locator(".legality-size b")).to_have_text("20")


def crashed_and_opened(page: Page) -> Page:
    """Let the window crash, so that it can send nothing any more, and open another one when the line is back."""
    context: BrowserContext = page.context
    with suppress(Error):
        page.goto("chrome://crash")
    page.close()
    context.set_offline(False)
    return context.new_page()


def test_two_windows_are_merged_card_by_card_with_a_notice(visit: Visit) -> None:
    one = as_guest(visit())
    fill_by_keyboard(one, "t:ship", 1)
    is_saved(one)
    other = opened(one.context.new_page(), str(one.evaluate("location.href")))
    assert size(other) == 4

    one.context.set_offline(True)
    fill_by_keyboard(one, "t:event", 1)
    fill_by_keyboard(other, "t:mission", 1)
    for page in (one, other):
        expect(page.locator(".save-note")).to_have_text(re.compile("^Offline"), timeout=15_000)
    one.context.set_offline(False)

    for page in (one, other):
        expect(page.locator(".legality-size b")).to_have_text("12", timeout=20_000)
        is_saved(page)
    told = "".join(page.locator("body").inner_text() for page in (one, other))
    assert "Merged with changes from another window." in told


def test_a_window_that_is_slow_to_open_takes_back_nothing_of_another_device(visit: Visit) -> None:
    """Another window has heard of more than the page by then, and has a change that the server does not have."""
    one = as_guest(visit())
    fill_by_keyboard(one, "Raptor 227", 1)
    is_saved(one)
    address = str(one.evaluate("location.href"))
    device = visit()
    device.context.add_cookies(one.context.cookies())  # type: ignore[arg-type]
    opened(device, address)

    slow, held = one.context.new_page(), list[Route]()

    def hold(route: Route) -> None:
        held.append(route)

    slow.route(re.compile(r"/builder-[^/]*\.js$"), hold)
    slow.goto(address, wait_until="commit")
    slow.wait_for_function("document.querySelector('#builder-start')")
    raptor_of(device, 3)
    is_saved(device)
    expect(one.locator(".legality-size b")).to_have_text("4")
    one.evaluate("document.dispatchEvent(new Event('visibilitychange'))")  # which it hears of as it is come back to
    expect(one.locator(".legality-size b")).to_have_text("3")
    one.context.set_offline(True)
    fill_by_keyboard(one, "Viper 762", 1)
    expect(one.locator(".save-note")).to_have_text("Offline: 1 change kept here", timeout=15_000)
    raptor_of(device, 2)
    is_saved(device)
    one.close()
    slow.context.set_offline(False)
    for route in held:
        route.continue_()
    slow.unroute_all()

    expect(slow.locator(".legality-size b")).to_have_text("6", timeout=20_000)
    is_saved(slow)
    slow.reload()
    expect(slow.locator(".legality-size b")).to_have_text("6")


def test_a_page_that_is_loaded_again_while_it_saves_has_what_was_saved(visit: Visit) -> None:
    page, held = as_guest(visit()), list[tuple[Route, APIResponse]]()
    fill_by_keyboard(page, "Raptor 227", 1)
    is_saved(page)
    page.route(re.compile(r"/edit/(\?.*)?$"), lambda route: held.append((route, route.fetch())))
    page.evaluate("setTimeout(() => location.reload())")
    while not held:
        page.wait_for_timeout(50)
    with page.expect_response(lambda answer: answer.request.method == "PUT"):
        fill_by_keyboard(page, "", 0)  # after the new page was made, before it has come
        page.keyboard.press("ArrowDown")
        page.keyboard.press("3")
    page.wait_for_timeout(300)  # until the page has heard the answer as well
    for route, made in held:
        route.fulfill(response=made)
    page.wait_for_function("performance.getEntriesByType('navigation')[0].type === 'reload'")

    expect(page.locator(".legality-size b")).to_have_text("3")
    expect(page.locator(".toast")).to_have_count(0)
    is_saved(page)


def test_a_new_deck_whose_page_is_loaded_again_while_it_is_saved_first_is_there(visit: Visit) -> None:
    page, held = as_guest(visit()), list[tuple[Route, APIResponse]]()
    page.route(re.compile(r"/decks/new/(\?.*)?$"), lambda route: held.append((route, route.fetch())))
    page.evaluate("window.isBefore = true; setTimeout(() => location.reload())")
    while not held:
        page.wait_for_timeout(50)
    with page.expect_response(lambda answer: answer.request.method == "PUT"):
        fill_by_keyboard(page, "Raptor 227", 1)
    page.wait_for_timeout(300)  # until the page has heard the answer as well
    for route, made in held:
        route.fulfill(response=made)
    page.wait_for_function("() => !window.isBefore")
    page.unroute_all()

    expect(page.locator(".legality-size b")).to_have_text("4", timeout=20_000)
    is_saved(page)
    opened(page)  # a new one, and not that
    page.reload()
    expect(page.locator(".list-row").first).to_be_attached(timeout=30_000)
    expect(page.locator(".legality-size b")).to_have_text("0")


def test_what_a_closed_window_had_of_a_deck_that_was_deleted_is_offered(visit: Visit) -> None:
    page = as_guest(visit())
    fill_by_keyboard(page, "t:ship", 2)
    is_saved(page)
    address = page.url
    page.context.set_offline(True)
    fill_by_keyboard(page, "t:event", 1)
    expect(page.locator(".save-note")).to_have_text("Offline: 1 change kept here", timeout=15_000)
    other = crashed_and_opened(page)
    other.goto(address.replace("/edit/", "/delete/"))
    other.locator("main form button").first.click()
    other.wait_for_url(re.compile("/decks/mine/"))

    opened(other)
    expect(other.locator(".toast")).to_contain_text("A deck that was deleted is still in this browser")
    assert size(other) == 0
    other.locator(".toast").get_by_role("button", name="Undo").click()
    assert size(other) == 12
    is_saved(other)
    assert other.url != address
    opened(other)
    expect(other.locator(".toast")).to_have_count(0)


def raptor_of(page: Page, copies: int) -> None:
    page.locator("body").press("/")
    page.keyboard.type("Raptor 227")
    page.keyboard.press("ArrowDown")
    page.keyboard.press(str(copies))


@pytest.mark.ci
def test_a_visitor_keeps_the_deck_and_takes_it_along_as_a_guest(visit: Visit) -> None:
    page = opened(visit())
    fill_by_keyboard(page, "t:ship", 2)
    expect(page.locator(".save-note")).to_contain_text("Not signed in: 2 changes kept here")
    page.get_by_role("button", name="Keep it as a guest").click()
    expect(page.locator(".toast")).to_contain_text("Going on with the deck")
    assert size(page) == 8
    is_saved(page)
    page.evaluate("localStorage.clear()")
    page.reload()
    expect(page.locator(".legality-size b")).to_have_text("8")


@pytest.mark.ci
def test_going_back_after_going_on_as_a_guest_leads_to_the_page_before_the_builder(visit: Visit) -> None:
    page = visit(width=390, height=844, has_touch=True, is_mobile=True)
    page.goto("/decks/")
    page.get_by_role("link", name="New deck").tap()
    page.locator(".list-row").first.get_by_role("button", name="as the base").tap()
    page.get_by_role("navigation", name="Parts of the builder").get_by_role("button", name="Deck").tap()
    page.get_by_role("button", name="Keep it as a guest").tap()
    expect(page.locator(".toast")).to_contain_text("Going on with the deck")
    is_saved(page)
    page.go_back()
    expect(page.get_by_role("heading", name="Starter decks")).to_be_visible()
    page.go_forward()
    expect(page.locator(".deck-base")).not_to_contain_text("Choose a base")
    is_saved(page)


@pytest.mark.ci
def test_a_visitor_who_publishes_goes_on_as_a_guest_where_they_were(visit: Visit) -> None:
    page = opened(visit(width=390, height=844, has_touch=True, is_mobile=True))
    page.locator(".list-row").first.get_by_role("button", name="as the base").tap()
    page.get_by_role("navigation", name="Parts of the builder").get_by_role("button", name="Deck").tap()
    page.get_by_role("button", name="Publish").tap()
    page.get_by_label("A note on this version").fill("The first")
    page.get_by_label("Who sees it").select_option("unlisted")
    page.get_by_role("button", name="Go on as a guest to publish").tap()
    expect(page.get_by_label("A note on this version")).to_have_value("The first")
    expect(page.get_by_label("Who sees it")).to_have_value("unlisted")
    page.get_by_role("dialog").get_by_role("button", name="Publish").tap()
    expect(page.get_by_role("textbox", name="Link")).to_be_visible()
    page.go_back()
    expect(page.get_by_role("dialog")).to_have_count(0)


@pytest.mark.ci
def test_a_list_is_imported_line_by_line_and_undone(visit: Visit) -> None:
    page = opened(visit())
    page.get_by_role("button", name="Import").click()
    page.locator("#import-text").fill("Base: Galactica (BSG1) 7\n4 Raptor 227 [x]\n3 Starbuck\n100 Crackdown\n")
    dialog = page.get_by_role("dialog", name="Import a list")
    expect(dialog).to_contain_text("2 to decide")
    expect(dialog.get_by_role("button", name="Replace the deck")).to_be_disabled()
    expect(dialog).to_contain_text("A line says from 1 to 99 copies. A deck may have 4 of most cards")
    dialog.get_by_text("1 other line is read with a note").click()
    expect(dialog).to_contain_text("[x] was ignored.")
    dialog.get_by_label("line 3").select_option(value="BSG1-136")
    page.keyboard.press("Escape")  # by mistake, or to look at the deck: nothing of it is lost
    page.get_by_role("button", name="Import").click()
    expect(dialog.get_by_label("line 3")).to_have_value("BSG1-136")
    dialog.get_by_label("line 4").select_option(label="Leave this line out")
    dialog.get_by_role("button", name="Replace the deck").click()
    assert size(page) == 7
    page.locator(".toast").get_by_role("button", name="Undo").click()
    assert size(page) == 0
    page.get_by_role("button", name="Import").click()
    expect(page.locator("#import-text")).to_have_value("")


def test_a_list_with_another_base_says_which_one_stays(visit: Visit) -> None:
    page = opened(visit())
    dialog = page.get_by_role("dialog", name="Import a list")
    page.keyboard.press("i")
    page.locator("#import-text").fill("Base: Galactica\n4 Raptor 227")
    dialog.get_by_role("button", name="Replace the deck").click()

    page.locator("body").press("i")
    page.locator("#import-text").fill("Base: Colonial One\n2 Stims")
    expect(dialog).to_contain_text("The deck has the base Galactica, and keeps it if the list is added")
    dialog.get_by_role("button", name="Add to the deck").click()
    expect(page.locator(".toast")).to_contain_text("the base is still Galactica")
    assert size(page) == 6


@pytest.mark.ci
def test_a_list_comes_from_a_file_or_an_address_of_this_site(visit: Visit, site: Site) -> None:
    page = opened(visit())
    dialog = page.get_by_role("dialog", name="Import a list")
    starter = str(page.request.get("/api/v1/decks/?page_size=1").json()["results"][0]["url"])
    page.keyboard.press("i")
    page.locator("#import-text").fill(f"{site.url}{starter}")
    dialog.get_by_role("button", name="Replace the deck").click()
    assert size(page) == 60

    page.locator("body").press("i")
    file = page.request.get(f"{starter}export/octgn/").body()
    chooser = dialog.get_by_label("Choose a file")
    chooser.set_input_files({"name": "deck.o8d", "mimeType": "application/xml", "buffer": file})
    dialog.get_by_role("button", name="Add to the deck").click()
    assert size(page) == 120

    page.locator("body").press("i")
    chooser.set_input_files({"name": "deck.png", "mimeType": "image/png", "buffer": b"\x89PNG\xff"})
    expect(dialog.get_by_role("alert")).to_contain_text("This file is not text in UTF-8.")
    page.locator("#import-text").evaluate(
        """(box) => {
          const brought = new DataTransfer();
          brought.items.add(new File(["3 Raptor 227"], "deck.txt"));
          box.dispatchEvent(new DragEvent("drop", { bubbles: true, cancelable: true, dataTransfer: brought }));
        }"""
    )
    expect(page.locator("#import-text")).to_have_value("3 Raptor 227")
    page.locator("#import-text").fill("https://elsewhere.example/decks/1/")
    expect(dialog.get_by_role("alert")).to_contain_text("Lists are not fetched from other sites.")


@pytest.mark.ci
@pytest.mark.parametrize("width", [390, 1440])
def test_another_deck_stands_beside_this_one_and_gives_single_cards(visit: Visit, width: int) -> None:
    page = as_guest(visit())
    import_and_publish(page, "Base: Galactica (BSG1) 7\n4 Raptor 227\n2 Stims\n", "Viper Wing")
    address = page.url
    page.set_viewport_size({"width": width, "height": 900})
    opened(page, f"{address}edit/")
    fill_by_keyboard(page, "t:mission", 1)
    page.locator(".list-row").first.press("v")
    dialog = page.get_by_role("dialog", name="Two decks side by side")
    dialog.get_by_role("region", name="Versions of this deck").get_by_role("button", name="Version 1").click()
    expect(dialog).to_contain_text("Here 4 more and 0 fewer copies than there.")
    dialog.get_by_role("button", name=re.compile("^Take .* out$")).click()
    expect(dialog).to_contain_text("The same cards.")
    dialog.get_by_role("button", name="Undo").click()
    expect(dialog).to_contain_text("Here 4 more and 0 fewer copies than there.")

    dialog.get_by_role("button", name="Another deck").click()
    dialog.get_by_role("region", name="Everybody's decks").get_by_role("button", name="Quorum Business").click()
    dialog.get_by_role("button", name="Take 4 Raptor 101").click()
    dialog.get_by_role("button", name="Take over the base").click()
    totals = dialog.get_by_role("row", name=re.compile("^Cards"))
    expect(totals).to_have_text("Cards1460")
    dialog.get_by_label("Only what differs").check()
    expect(dialog.get_by_text("Raptor 101")).to_have_count(0)
    dialog.get_by_role("button", name="Another deck").click()
    dialog.get_by_role("searchbox").fill(address)
    expect(dialog).to_contain_text("Here 8 more and 0 fewer copies than there.")
    dialog.get_by_role("button", name="Close").click()
    assert size(page) == 14
    expect(page.locator(".deck-base")).to_contain_text("Colonial One")


@pytest.mark.ci
def test_discarding_is_undone_after_all(visit: Visit) -> None:
    page = as_guest(visit())
    fill_by_keyboard(page, "t:ship", 2)
    is_saved(page)
    page.get_by_role("button", name="Empty the deck").click()
    expect(page.locator(".toast")).to_contain_text("The deck is empty again.")
    assert size(page) == 0
    page.locator(".toast").get_by_role("button", name="Undo").click()
    assert size(page) == 8
    page.get_by_label("Name of the deck").fill("Back again")
    is_saved(page)
    page.reload()
    expect(page.locator(".legality-size b")).to_have_text("8")
    expect(page.locator(".toast")).to_have_count(0)


@pytest.mark.ci
def test_what_was_discarded_is_offered_after_the_page_was_left(visit: Visit) -> None:
    page = as_guest(visit())
    fill_by_keyboard(page, "t:ship", 2)
    is_saved(page)
    page.get_by_role("button", name="Empty the deck").click()
    is_saved(page)
    page.reload()
    expect(page.locator(".toast")).to_contain_text("You discarded changes here on")
    page.locator(".toast").get_by_role("button", name="Undo").click()
    assert size(page) == 8
    is_saved(page)
    page.reload()
    expect(page.locator(".legality-size b")).to_have_text("8")
    expect(page.locator(".toast")).to_have_count(0)


@pytest.mark.ci
def test_what_is_filled_in_to_publish_outlives_its_window(visit: Visit) -> None:
    page = as_guest(visit())
    fill_by_keyboard(page, "t:ship", 1)
    page.keyboard.press("p")
    page.get_by_label("A note on this version").fill("Only ships")
    page.get_by_label("Tags").fill("rush")
    page.get_by_label("Who sees it").select_option("public")
    page.keyboard.press("Escape")
    fill_by_keyboard(page, "t:event", 1)
    page.keyboard.press("p")

    expect(page.get_by_label("A note on this version")).to_have_value("Only ships")
    expect(page.get_by_label("Tags")).to_have_value("rush")
    expect(page.get_by_label("Who sees it")).to_have_value("public")


def test_tags_are_given_while_publishing(visit: Visit) -> None:
    page = as_guest(visit())
    fill_by_keyboard(page, "t:ship", 2)
    page.keyboard.press("p")
    page.get_by_label("Name", exact=True).fill("Tagged")
    page.get_by_label("Tags").fill("Rush, scouts")
    page.get_by_role("dialog").get_by_role("button", name="Publish").click()
    page.wait_for_url(re.compile(r"/decks/[\w-]{22}/$"))
    expect(page.locator("main")).to_contain_text("scouts")
    opened(page, f"{page.url}edit/")
    page.locator(".list-row").first.press("p")
    expect(page.get_by_label("Tags")).to_have_value("rush, scouts")


@pytest.mark.ci
def test_a_revert_in_another_window_is_seen_before_anything_is_published(visit: Visit) -> None:
    page = as_guest(visit())
    import_and_publish(page, "Base: Galactica\n4 Raptor 227\n", "Raptors")
    address = page.url
    opened(page, f"{address}edit/")
    for query in ("t:event", "t:mission"):
        fill_by_keyboard(page, query, 1)
        if query == "t:event":
            page.locator(".list-row").first.press("p")
            page.get_by_role("dialog").get_by_role("button", name="Publish").click()
            page.wait_for_url(address)
            opened(page, f"{address}edit/")
    is_saved(page)
    other = page.context.new_page()
    other.goto(f"{address}v1/")
    other.get_by_role("button", name=re.compile("back to|again", re.IGNORECASE)).first.click()
    expect(other.locator("main")).to_contain_text("As in version 1 again.")

    page.locator(".list-row").first.press("p")
    page.get_by_role("dialog").get_by_role("button", name="Publish").click()
    expect(page.get_by_role("alert")).to_contain_text("changed in another window meanwhile")
    expect(page.locator(".legality-size b")).to_have_text("8")
    expect(page.get_by_role("dialog")).to_contain_text("Changed since version 3: 1")
    page.get_by_role("dialog").get_by_role("button", name="Publish").click()
    page.wait_for_url(address)
    expect(page.locator("main")).to_contain_text("· v4,")


@pytest.mark.ci
def test_the_page_has_no_more_script_than_it_may(visit: Visit) -> None:
    page = visit()
    with script_of(page) as script:
        opened(page)
    assert script.plain <= 250_000
    assert script.packed <= 90_000


@pytest.mark.ci
def test_a_bar_of_a_chart_shows_its_cards_and_has_a_table(visit: Visit) -> None:
    page = opened(visit())
    fill_by_keyboard(page, "t:ship", 3)
    fill_by_keyboard(page, "t:personnel", 2)
    page.get_by_role("button", name="8 Personnel").click()
    expect(page.locator(".deck-filter")).to_contain_text("Only Personnel")
    expect(page.locator("[data-row]")).to_have_count(2)
    page.locator(".deck-filter").get_by_role("button", name="Show all").click()
    expect(page.locator("[data-row]")).to_have_count(5)
    types = page.get_by_role("region", name="Types")
    types.get_by_text("As a table").click()
    expect(types.get_by_role("table")).to_contain_text("12")


@pytest.mark.ci
def test_the_odds_to_pay_for_a_card_are_played_out_beside_the_page(visit: Visit) -> None:
    page = opened(visit())
    chart = page.get_by_role("region", name="Able to pay by turn")
    expect(chart).to_contain_text("No card of the deck costs anything yet.")
    page.get_by_role("button", name="Import").click()
    # Galactica makes security, and nothing makes the logistics that Advanced Planning costs.
    page.locator("#import-text").fill("Base: Galactica\n56 Condition Two\n4 Advanced Planning\n")
    page.get_by_role("button", name="Replace the deck").click()
    expect(chart).to_contain_text("20,000 games")
    chart.get_by_text("As a table").click()
    rows = chart.get_by_role("row")
    expect(rows).to_have_count(1 + 8)
    expect(rows.nth(1)).to_contain_text(re.compile(r"^1100 %99.9 to 100.0 %"))
    chart.get_by_label("For which card").select_option(label="Advanced Planning")
    expect(rows.nth(8)).to_contain_text(re.compile(r"^80 %0.0 to 0.1 %0 %"))
    page.get_by_role("button", name="Empty the deck").click()
    expect(chart).to_contain_text("No card of the deck costs anything yet.")


def test_without_scripts_a_list_can_be_pasted(visit: Visit) -> None:
    page = visit(java_script_enabled=False)
    page.goto("/decks/new/")
    page.get_by_label("The list", exact=True).fill("4 Raptor 227")
    page.get_by_role("button", name="Check the list").click()
    expect(page.locator("main")).to_contain_text("Raptor 227")


@pytest.mark.ci
@pytest.mark.parametrize("width", [390, 1024, 1440])
def test_the_builder_fits(visit: Visit, width: int) -> None:
    page = opened(visit(width=width))
    assert fits(page)


@pytest.mark.ci
def test_a_draft_is_tested_and_tried_from_the_builder(visit: Visit) -> None:
    page = as_guest(visit())
    fill_by_keyboard(page, "t:base galactica", 0)
    page.keyboard.press("Enter")
    fill_by_keyboard(page, "t:personnel|ship", UNITS)
    page.locator("body").press("t")
    page.get_by_role("button", name="Test it").click()
    page.wait_for_url("**/playtests/*/")
    expect(page.get_by_role("progressbar")).to_be_visible()
    stop = page.get_by_role("button", name="Stop")
    expect(stop).to_be_visible()
    # The page follows the games by itself.
    expect(page.get_by_role("heading", name="Cards")).to_be_visible(timeout=120_000)
    expect(page.get_by_role("progressbar")).to_have_count(0, timeout=120_000)
    expect(stop).to_have_count(0)
    expect(page.locator("main")).to_contain_text("of 12 games")
    assert fits(page)
    page.set_viewport_size({"width": 390, "height": 844})
    figures = page.locator(".table-scroll:has(.playtest-cards)")
    assert figures.evaluate("box => box.scrollWidth <= box.clientWidth")
    page.set_viewport_size({"width": 1440, "height": 900})
    page.get_by_role("link", name="Back to the deck").click()
    expect(page.locator(".list-row").first).to_be_attached()
    page.locator("body").press("t")
    page.get_by_role("dialog").get_by_role("button", name="Try it").click()
    page.wait_for_url("**/table/*/")
    expect(page.locator(".hand")).to_be_visible()
