"""The replay of a match that is over: stepped through, shown in full, linked to, and played on from."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, Route, expect

from ccg.server.proving.inside import call
from tests import chance
from tests.at_length import in_ci
from tests.browser.accounts import new_name, sign_up
from tests.browser.conftest import Visit
from tests.browser.measures import hard_to_hit, script_of
from tests.browser.table_page import PATIENCE, QUICK, concede, open_replay
from tests.running import Site

pytestmark = pytest.mark.browser


@pytest.fixture(scope="module")
def replay(site: Site) -> str:
    """The address of the replay of a match of two players that everybody may see."""
    played = call(
        "ccg.server.proving.archives:play", {"numbers": [0], "seed": 1, "part": 0}, site.env, chance.IN_SERVERS
    )
    (match_id,) = played["hashes"]
    return f"/matches/{match_id}/replay/"


def opened(page: Page, address: str) -> tuple[int, int]:
    """Open a replay; return where it is, and how many moves there are."""
    page.goto(address)
    expect(page.locator(".table-app")).to_be_visible(timeout=PATIENCE)
    return at(page)


def at(page: Page) -> tuple[int, int]:
    place, _, last = page.locator(".replay-place").inner_text().partition(" / ")
    return int(place), int(last)


def test_a_replay_is_stepped_shown_in_full_and_linked_to_by_keyboard(visit: Visit, replay: str) -> None:
    page = visit(settings=QUICK)
    assert opened(page, f"{replay}#move=5")[0] == 5
    expect(page.locator(".open-hand")).to_have_count(0)
    page.keyboard.press("ArrowRight")
    expect(page).to_have_url(re.compile("#move=6$"))
    page.get_by_role("button", name="Show all hands").press("Enter")
    expect(page.locator(".open-hand")).to_be_visible()
    expect(page).to_have_url(re.compile("#move=6&all$"))
    assert at(page)[0] == 6
    page.get_by_label("Turn", exact=True).select_option("3")
    expect(page.locator(".phases-turn")).to_have_text("Turn 3")
    expect(page).not_to_have_url(re.compile("#move=6&all$"))
    again = visit(settings=QUICK)
    assert opened(again, page.url)[0] == at(page)[0] > 6
    expect(again.locator(".open-hand")).to_be_visible()
    page.keyboard.press("End")
    page.get_by_text("How it went").press("Enter")
    expect(page.get_by_text("Influence by turn").first).to_be_visible()


@pytest.mark.ci
def test_on_a_phone_one_plays_on_from_there(visit: Visit, replay: str) -> None:
    page = visit(390, 844, settings=QUICK)
    opened(page, f"{replay}#move=20")
    assert hard_to_hit(page, ".replay-bar") == []
    page.get_by_role("button", name="More").click()
    assert page.evaluate("document.documentElement.scrollWidth") <= 390
    page.get_by_role("button", name="Play on from here").click()
    expect(page).to_have_url(re.compile("/table/"), timeout=PATIENCE)
    expect(page.locator(".table-app")).to_be_visible(timeout=PATIENCE)


@pytest.mark.ci
def test_what_is_told_of_a_replay_lies_on_its_plane_however_far_it_is_scrolled(visit: Visit, replay: str) -> None:
    page = visit(390, 844, settings=QUICK)
    opened(page, f"{replay}#move=20")
    page.get_by_role("button", name="More").click()
    page.get_by_text("How it went").click()
    expect(page.get_by_text("Influence by turn").first).to_be_visible()
    panel = page.locator(".replay-match")
    assert panel.evaluate("panel => (panel.scrollTop = 9999, panel.scrollTop)") > 0
    plane = "panel => [getComputedStyle(panel).backgroundColor, getComputedStyle(panel, '::after').content]"
    colour, drawn_inside = panel.evaluate(plane)
    assert colour not in ("rgba(0, 0, 0, 0)", "transparent")
    assert drawn_inside == "none"
    cut = panel.evaluate("panel => getComputedStyle(panel).backgroundImage.split('linear-gradient').length - 1")
    assert cut == 4, "its corners have lines as its sides do"


@pytest.mark.parametrize(("width", "height"), [(844, 390), in_ci(720, 450)])
def test_in_a_low_window_the_moves_go_on_while_more_is_open_and_it_can_be_closed(
    visit: Visit, replay: str, width: int, height: int
) -> None:
    page = visit(width, height, settings=QUICK, has_touch=True)
    opened(page, f"{replay}#move=20")
    more = page.get_by_role("button", name="More")
    more.tap()
    expect(page.locator(".replay-match")).to_be_visible()
    page.get_by_role("button", name="Forward").tap(timeout=5_000)
    expect(page.locator(".replay-place")).to_contain_text("21 / ")
    more.tap(timeout=5_000)
    expect(page.locator(".replay-match")).to_have_count(0)


@pytest.mark.ci
def test_a_replay_offers_nothing_that_only_players_choose(visit: Visit, replay: str) -> None:
    page = visit(settings=QUICK)
    opened(page, replay)
    expect(page.locator(".top .auto-pass")).to_have_count(0)


@pytest.mark.ci
def test_a_replay_has_no_more_script_than_a_table_may(visit: Visit, replay: str) -> None:
    page = visit(settings=QUICK)
    with script_of(page) as script:
        opened(page, replay)
    assert script.packed <= 90_000


def test_a_replay_whose_moves_do_not_come_says_so_and_comes_when_the_line_is_back(visit: Visit, replay: str) -> None:
    page = visit(width=390, height=844, settings=QUICK)
    asked: list[str] = []

    def answer(route: Route) -> None:
        asked.append(route.request.url)
        if len(asked) > 2:
            route.continue_()
        else:
            route.abort()

    page.route(re.compile("/api/v1/matches/.*/replay/"), answer)
    page.goto(replay)
    expect(page.get_by_role("status").filter(has_text="The table is not loaded yet")).to_be_visible()
    expect(page.locator(".table-app")).to_be_visible(timeout=PATIENCE)
    expect(page.get_by_text("The table is not loaded yet")).to_be_hidden()
    assert len(asked) > 2


def with_notes_open(page: Page) -> None:
    """Play a match to its end by conceding it, and open its replay at the first move, with the notes."""
    page.goto("/play/")
    page.get_by_role("button", name="Play the computer").click()
    page.get_by_role("button", name="Keep this hand").click(timeout=PATIENCE)
    concede(page)
    open_replay(page)
    page.get_by_role("button", name="Forward").click()
    page.get_by_role("button", name="More").click()
    page.get_by_text("Your notes").click()
    expect(page.get_by_label("Note on move 1")).to_be_visible()


def test_what_is_written_and_not_kept_is_told_and_outlives_the_page(visit: Visit) -> None:
    page = visit(390, 844, settings=QUICK)
    with_notes_open(page)
    note = page.get_by_label(re.compile("^Note on move"))
    page.context.set_offline(True)
    note.fill("I should have drawn.")
    page.get_by_role("button", name="Keep the note").click()
    expect(page.get_by_role("status").filter(has_text="could not be saved")).to_be_visible()
    page.get_by_role("button", name="Forward").click()
    expect(note).to_have_value("")
    expect(page.get_by_role("status").filter(has_text="could not be saved")).to_have_count(0)
    expect(page.locator(".replay-notes")).to_contain_text("Could not be kept: I should have drawn.")
    page.context.set_offline(False)
    page.reload()
    page.get_by_role("button", name="More").click(timeout=PATIENCE)
    expect(page.locator(".replay-notes")).to_contain_text("Not kept yet: I should have drawn.")
    page.get_by_role("button", name="Move 1").click()
    expect(note).to_have_value("I should have drawn.")
    page.get_by_role("button", name="Keep the note").click()
    expect(page.locator(".replay-notes")).to_have_text(re.compile("^Move 1 I should have drawn.$"))
    page.get_by_role("button", name="Share by a link").click()
    link = page.get_by_label("Link to your notes")
    expect(link).to_be_visible()
    page.get_by_role("button", name="Stop sharing").click()
    expect(page.get_by_text("cannot be had again")).to_be_visible()
    expect(link).to_be_visible()
    page.get_by_role("button", name="Stop it for good").click()
    expect(link).to_have_count(0)


def test_notes_are_kept_on_where_the_guest_has_made_an_account_in_another_tab(visit: Visit) -> None:
    page = visit(390, 844, settings=QUICK)
    with_notes_open(page)
    beside = page.context.new_page()
    beside.goto("/accounts/upgrade/")
    sign_up(beside, name := new_name())
    expect(beside.get_by_text(f"You are {name} now")).to_be_visible()
    page.get_by_label("Note on move 1").fill("I should have drawn.")
    page.get_by_role("button", name="Keep the note").click()
    expect(page.locator(".replay-notes")).to_have_text(re.compile("^Move 1 I should have drawn.$"))

    beside.goto("/accounts/logout/")
    beside.locator("main form button").first.click()
    expect(beside.get_by_role("link", name="Sign in")).to_be_visible()
    page.get_by_label("Note on move 1").fill("Or kept Helo.")
    page.get_by_role("button", name="Keep the note").click()
    told = page.get_by_role("status").filter(has_text="You are not signed in here any more")
    expect(told.get_by_role("link", name="Sign in")).to_be_visible()
