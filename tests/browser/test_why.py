"""Why a number is what it is, and why a card cannot be used now, as people find it: pointing, focusing, holding."""

from __future__ import annotations

import random
import re

import pytest
from playwright.sync_api import Locator, Page, expect

from tests.browser.conftest import Visit
from tests.browser.measures import keep_picture
from tests.browser.table_page import PATIENCE, QUICK, TablePage
from tests.running import Site

pytestmark = [pytest.mark.browser, pytest.mark.ci]

RAISED, RAISER, DEAR, EXHAUSTED = "BSG1-103", "BSG1-099", "BSG2-149", "BSG1-152"
"""A Pilot, another one who gives other Pilots power, a ship for six security, and one that lies face down."""

LAY_OUT = """
from matches.playing import match_cache
from matches.models import Match
from tests.rules.tables import position
match = Match.objects.get(public_id={match!r})
seat = match.seats.get(kind="person").number
mine = {{
    "alert": ["Apollo, Commander Air Group", "Boomer, Hell Of A Pilot"],
    "reserve": [{{"card": "Colonial Viper 670", "exhausted": True}}],
    "hand": ["Galactica, Launch Platform", "Colonial Shuttle"],
    "base_supplies": 2,
}}
sides = [mine, {{"alert": ["Colonial Shuttle"]}}]
catalog = match_cache.catalog_of(match.catalog)
game = position(catalog, *(sides if seat == 0 else sides[::-1]), first=("Ana", "Ben")[seat])
match.saved, match.digest, match.deciders, match.computer_to_move = game.save(), game.digest(), 1 << seat, False
match.save(update_fields=["saved", "digest", "deciders", "computer_to_move"])
"""
"""Puts a match into a position in which its person acts; the server is not running meanwhile."""


def at_the_position(visit: Visit, site: Site, width: int, height: int, **options: object) -> Page:
    page = visit(width, height, settings=QUICK, **options)
    seat = TablePage(page, random.Random(21))
    seat.begin_against_the_computer()
    site.stop()
    site.manage("shell", "-c", LAY_OUT.format(match=page.url.rstrip("/").rsplit("/", 1)[1]))
    site.start()
    page.reload()
    seat.expect_table()
    return page


def notes(page: Page) -> Locator:
    """What is said beside the card one looks at; beside a number that belongs to no card, a box of its own."""
    return page.locator(".looked .why, .card-preview.is-notes .preview-notes")


def test_pointing_and_the_keyboard_tell_why(visit: Visit, site: Site) -> None:
    page = at_the_position(visit, site, 1440, 900)
    raised, dear = (page.locator(f'.board .tile[data-card="{RAISED}"]'), page.locator(f'.hand [data-card="{DEAR}"]'))
    expect(raised.locator(".power.is-raised .power-arrow")).to_be_visible(timeout=PATIENCE)

    raised.hover()
    expect(notes(page)).to_contain_text("+1 power · Apollo, Commander Air Group while it is in play")
    keep_picture(page, "why-raised")
    expect(page.locator(f'.looked .why .card-name[data-card="{RAISER}"]')).to_be_visible()

    dear.hover()
    expect(notes(page)).to_contain_text("Play: It needs 3")
    expect(dear).to_have_attribute("aria-label", re.compile(r"costs 6 security.*Play: It needs 3 security more\."))
    keep_picture(page, "why-not")
    page.mouse.move(2, 2)

    page.locator(f'.board .tile[data-card="{EXHAUSTED}"]').focus()
    expect(page.locator(".why-spoken")).to_contain_text("Challenge: Colonial Viper 670 is not alert.")
    expect(notes(page)).to_contain_text("it lies face down")

    page.locator(".gauge-level").hover()
    expect(page.locator(".card-preview.is-notes")).to_contain_text("from the power of bases")
    keep_picture(page, "why-levels")


def test_a_finger_held_on_a_card_tells_why(visit: Visit, site: Site) -> None:
    page = at_the_position(visit, site, 390, 844, has_touch=True, is_mobile=True)
    for card, words in ((RAISED, "+1 power"), (DEAR, "It needs 3")):
        tile = page.locator(f'.tile[data-card="{card}"]').first
        expect(tile).to_be_visible(timeout=PATIENCE)
        touch = {"pointerType": "touch", "bubbles": True}
        tile.dispatch_event("pointerdown", touch)
        expect(page.locator(".card-preview.is-held")).to_contain_text(words)
        tile.dispatch_event("pointerup", touch)
        keep_picture(page, f"why-phone-{card}")
        assert page.evaluate("document.scrollingElement.scrollWidth <= innerWidth")
        page.locator(".card-preview").dispatch_event("pointerdown", touch)
        expect(page.locator(".card-preview")).to_have_count(0)
