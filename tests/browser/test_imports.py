"""The set of the tutorial brought in through the admin pages of a running server, played with, and taken back."""

from __future__ import annotations

import random
import re
import zipfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from playwright.sync_api import Locator, Page, expect

from ccg.rules.authoring.card_files import read_set
from ccg.rules.cards.definitions import CardDef
from tests.browser.builder_page import import_and_publish
from tests.browser.conftest import Visit
from tests.browser.measures import fits
from tests.browser.table_page import MENU, PATIENCE, QUICK, TablePage
from tests.running import ROOT, Site, running_site

pytestmark = [pytest.mark.browser, pytest.mark.ci]

TUTORIAL = ROOT / "docs" / "make-a-card-set" / "salvage-rights"
CODE = "SALV"
OWNER, PASSWORD = "adama", "raptor in the dark 7"
IMPORT = "/admin/cards_data/importdraft/"
GAMES_SECONDS = 300
CLICKS = 200
WIDTHS = (1280, 390)


@pytest.fixture(scope="module")
def site(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Site]:
    """A site of these tests' own, as they change its cards, with an owner."""
    with running_site(tmp_path_factory.mktemp("imports"), {"DJANGO_SUPERUSER_PASSWORD": PASSWORD}) as site:
        site.manage("createsuperuser", "--noinput", "--username", OWNER, "--email", "")
        # Checks and games run in processes beside the server, and on a small machine pages wait for them.
        expect.set_options(timeout=PATIENCE)
        yield site
        expect.set_options(timeout=5_000)


@pytest.fixture(scope="module")
def cards() -> list[CardDef]:
    """The cards of the tutorial's set."""
    return list(read_set(TUTORIAL).cards)


@pytest.fixture
def upload(tmp_path: Path) -> Path:
    """The tutorial's folder as a zip, as its readers would upload it."""
    return packed(tmp_path / "salvage-rights.zip", {})


def packed(target: Path, instead: dict[str, str]) -> Path:
    """The tutorial's folder as a zip, with other text ``instead`` of some."""
    with zipfile.ZipFile(target, "w", zipfile.ZIP_DEFLATED) as archive:
        for path in sorted(TUTORIAL.rglob("*.yaml")):
            text = path.read_text(encoding="utf-8")
            for old, new in instead.items():
                text = text.replace(old, new)
            archive.writestr(path.relative_to(TUTORIAL.parent).as_posix(), text)
    return target


def sign_in(page: Page, address: str) -> None:
    """Go to a page of the administration, by way of the site's own page for signing in."""
    page.goto(address)
    page.get_by_label("Username").fill(OWNER)
    page.get_by_label("Password").fill(PASSWORD)
    page.get_by_role("button", name="Sign in").click()
    page.wait_for_url(f"**{address}")


def send(page: Page, file: Path) -> None:
    """Upload a set and come to what was found."""
    page.goto(IMPORT)
    page.get_by_label("Card set").set_input_files(file)
    page.get_by_role("button", name="Upload and check").click()
    page.wait_for_url("**/change/")


def steps(page: Page) -> str:
    """The step that is being done."""
    return page.locator(".import-steps [aria-current]").inner_text().strip()


def fits_everywhere(page: Page) -> bool:
    """Whether nothing sticks out at the side, on a screen and on a phone."""
    found = []
    for width in WIDTHS:
        page.set_viewport_size({"width": width, "height": 860})
        found.append(fits(page))
    page.set_viewport_size({"width": WIDTHS[0], "height": 860})
    return all(found)


def test_a_set_with_mistakes_is_told_all_of_them_and_changes_nothing(visit: Visit, tmp_path: Path) -> None:
    page = visit()
    sign_in(page, IMPORT)
    send(page, packed(tmp_path / "wrong.zip", {"power: 4": "powr: 4", "{logistics: 1}": "{logistic: 1}"}))
    expect(page.get_by_role("heading", name="Nothing can be imported yet")).to_be_visible()
    rows = page.locator(".import-problems tbody tr")
    assert rows.count() >= 3
    expect(rows.filter(has_text="unknown key 'powr'")).to_contain_text("did you mean 'power'?")
    expect(rows.filter(has_text="unknown key 'powr'")).to_contain_text("salvage-rights/base.yaml")
    expect(page.get_by_role("link", name="Publish …")).to_have_count(0)
    assert fits_everywhere(page)
    page.goto("/admin/cards_data/dataversion/")
    expect(page.locator("tbody tr")).to_have_count(1)


def test_the_tutorials_set_is_imported_played_and_taken_back(visit: Visit, upload: Path, cards: list[CardDef]) -> None:
    page = visit(settings=QUICK)
    page.on("pageerror", lambda error: pytest.fail(str(error)))
    sign_in(page, IMPORT)

    # What would change: every card is new, and drawn as it will be, though it is in no version yet.
    send(page, upload)
    assert steps(page).endswith("Check")
    expect(page.locator(".import-figures")).to_contain_text(f"{len(cards)} new")
    drawn = page.locator("#new ccg-card.is-drawn .card-full")
    expect(drawn).to_have_count(len(cards))
    for card in cards:
        expect(page.locator(f'#new ccg-card[card="{card.id}"]')).to_contain_text(card.subtitle or card.title)
    expect(page.locator("#scenarios")).to_contain_text(re.compile(r"(\d+) of \1 pass"))
    assert fits_everywhere(page)
    page.goto(f"/cards/{cards[0].id}/")
    expect(page.locator("main")).to_contain_text("404")
    page.go_back()

    # Simulated games, with progress that moves by itself.
    page.get_by_label("Games").select_option("5")
    page.get_by_role("button", name="Play simulated games").click()
    expect(page.locator(".import-progress:has(progress)")).to_contain_text("of 5 games played")
    publish = page.get_by_role("link", name="Publish …")
    publish.wait_for(timeout=GAMES_SECONDS * 1000)
    # A game may be cut off at 500 choices, which is no fault of the set.
    expect(page.locator("#games")).to_contain_text(re.compile("All 5 games ended well|None of 5 games broke"))
    assert page.locator(".import-counts tbody tr").count() == len(cards)
    assert fits_everywhere(page)

    # Published, after being asked.
    publish.click()
    assert fits_everywhere(page)
    page.get_by_role("button", name="Publish", exact=True).click()
    expect(page.get_by_role("heading", name="Published as version 2")).to_be_visible()
    page.goto(f"/cards/{cards[0].id}/")
    expect(page.locator("ccg-card .card-full")).to_be_visible()

    # A deck of nothing but new cards, at a table against the computer: one of them is played, by clicks.
    allow_in_decks(page)
    make_deck(page, cards)
    page.locator("main").get_by_role("link", name="Play", exact=True).click()
    deck = page.url
    page.get_by_role("button", name="Play the computer").click()
    seat = TablePage(page, random.Random(3))
    seat.expect_table()
    played = play_a_card(seat, cards)
    assert played in {card.name for card in cards}

    # Taken back, while the match is going on.
    elsewhere = page.context.new_page()
    elsewhere.goto("/admin/cards_data/dataversion/2/change/")
    elsewhere.get_by_role("link", name="Undo it").click()
    expect(elsewhere.locator("#gone")).to_contain_text(cards[0].name)
    expect(elsewhere.locator(".import-confirm")).to_contain_text("1 of the decks stored here")
    assert fits_everywhere(elsewhere)
    elsewhere.get_by_label("Reason").fill("It was for a test.")
    elsewhere.get_by_role("button", name="Go back to version 1").click()
    expect(elsewhere.get_by_role("heading", name="Version 3 of the cards")).to_be_visible()
    expect(elsewhere.locator("main")).to_contain_text("It was for a test.")
    elsewhere.goto(f"/cards/{cards[0].id}/")
    expect(elsewhere.locator("main")).to_contain_text("This card has been withdrawn")
    elsewhere.goto(deck.replace("/play/?deck=", "/decks/"))
    expect(elsewhere.locator("main")).to_contain_text("Not legal in")

    # The match goes on with the cards it began with, also for a browser that comes anew.
    page.reload()
    seat.expect_table()
    before = len(seat.log)
    for _ in range(6):
        if seat.wait() == "over":
            break
        assert played in " ".join(seat.log)
        choose(seat, page.locator(".hand .is-choosable"))
    assert seat.wait() in ("turn", "over")
    assert len(seat.log) > before

    page.goto("/admin/cards_data/auditentry/")
    log = page.locator("#result_list")
    for what in ("Uploaded", "Checked", "Trial Begun", "Trial Finished", "Published", "Rolled Back"):
        expect(log.get_by_text(what, exact=True).first).to_be_visible()


def test_a_trial_is_watched_without_scripts(visit: Visit, upload: Path) -> None:
    page = visit(java_script_enabled=False)
    sign_in(page, IMPORT)
    send(page, upload)
    expect(page.locator("#new")).to_contain_text("Scrap Hauler")
    page.get_by_label("Games").select_option("1000")
    page.get_by_role("button", name="Play simulated games").click()
    expect(page.locator("noscript meta[http-equiv=refresh], meta[http-equiv=refresh]")).to_have_count(1)
    expect(page.get_by_role("progressbar")).to_be_visible()
    page.get_by_role("button", name="Stop and put aside").click()
    expect(page.get_by_role("heading", name="Put aside", exact=True)).to_be_visible()


def test_djangos_own_pages_break_no_rule_of_the_policy_and_fit_a_phone(visit: Visit) -> None:
    page = visit(color_scheme="dark")
    sign_in(page, "/admin/")
    for address in (
        "/admin/",
        "/admin/accounts/user/",
        "/admin/auth/group/add/",
        "/admin/decks/format/standard-2006/change/",
    ):
        page.goto(address)
        expect(page.locator("#site-name, .brand").first).to_be_visible()
        assert fits_everywhere(page), address
    ground = "getComputedStyle(document.body).backgroundColor"
    dark = page.evaluate(ground)
    page.get_by_role("button", name=re.compile("[Tt]heme")).click()
    page.get_by_role("button", name=re.compile("[Tt]heme")).click()
    assert page.evaluate(ground) != dark


# --- steps of the way -----------------------------------------------------------------------------------


def allow_in_decks(page: Page) -> None:
    """Let the format of all decks have the new set, as an owner does."""
    page.goto("/admin/decks/format/standard-2006/change/")
    page.locator(f'input[name="editions-0-sets"][value="{CODE}"]').check()
    page.get_by_role("button", name="Save", exact=True).click()
    expect(page.locator(".messagelist")).to_contain_text("changed successfully")


def make_deck(page: Page, cards: list[CardDef]) -> None:
    """Import a list with four of each new card, up to 60, and publish it."""
    base = next(card for card in cards if card.type == "base")
    units = [card for card in cards if card.type in ("personnel", "ship")]
    others = [card for card in cards if card.type not in ("personnel", "ship", "base")]
    lines = [f"4 {card.name} ({CODE}) {card.id.split('-')[1]}" for card in [*units, *others][:15]]
    import_and_publish(page, "\n".join(["# Salvage", f"Base: {base.name}", *lines]))
    expect(page.locator("main")).to_contain_text("Legal in")


def play_a_card(seat: TablePage, cards: list[CardDef]) -> str:
    """Play from the hand until the log says that one of ``cards`` was played; return its name."""
    said = re.compile(rf"{OWNER} \(you\) plays ({'|'.join(re.escape(card.name) for card in cards)})\.")
    for _ in range(CLICKS):
        if found := [match[1] for line in seat.log if (match := said.search(line))]:
            return found[0]
        assert seat.wait() == "turn", "the match is over and no card was played"
        choose(seat, seat.page.locator(".hand .is-choosable"))
    raise AssertionError(f"nothing was played: {seat.log}")


def choose(seat: TablePage, wanted: Locator) -> None:
    """Click what is wanted if it glows and nothing has been begun; else what any player would."""
    page = seat.page
    begun = page.locator(f"{MENU}, .is-chosen, .prompt-buttons .button-primary:not(:disabled)").count()
    if wanted.count() and not begun:
        wanted.nth(seat.rng.randrange(wanted.count())).click()
    else:
        seat.click_something()
