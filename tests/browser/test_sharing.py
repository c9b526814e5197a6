"""A deck goes round by its link: opened, copied, changed and compared by somebody else, until its owner revokes it."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from decks.starter_decks import STARTERS
from tests.browser.conftest import Visit

pytestmark = pytest.mark.browser

LIST = (STARTERS / "battlestar-viper-wing.txt").read_text(encoding="utf-8")


def save_as_guest(page: Page, text: str) -> None:
    page.goto("/decks/new/")
    page.get_by_role("textbox", name="The list").fill(text)
    page.get_by_role("button", name="Check the list").click()
    page.get_by_role("button", name="Save the deck").click()
    page.get_by_role("button", name="Go on as a guest and save").click()


@pytest.mark.parametrize("width", [390, 1280])
def test_a_deck_is_shared_copied_changed_and_taken_back(visit: Visit, width: int) -> None:
    # Without scripts, where the list as text is what a deck is edited by; the builder has tests of its own.
    owner, other = (visit(width=width, java_script_enabled=False) for _ in range(2))
    save_as_guest(owner, LIST)
    owner.get_by_label("Who sees it").select_option("unlisted")
    owner.get_by_role("button", name="Save", exact=True).click()
    link = owner.get_by_label("Link", exact=True).input_value()

    assert other.goto(owner.url).status == 404  # type: ignore[union-attr]
    other.goto(link)
    expect(other.get_by_role("heading", level=1)).to_have_text("Viper Wing")
    other.get_by_role("button", name="Copy the deck").click()
    other.get_by_role("button", name="Go on as a guest and save").click()
    expect(other.get_by_text("This is your own copy of Viper Wing now.")).to_be_visible()

    listed = other.get_by_role("textbox", name="The list")
    listed.fill(listed.input_value().replace("3 CAG", "2 CAG").replace("3 Stims", "4 Stims"))
    other.get_by_label("What is new (optional)").fill("More stims")
    other.get_by_role("button", name="Check the list").click()
    expect(other.get_by_text("59 cards in both")).to_be_visible()
    other.get_by_role("button", name="Publish version 2").click()
    other.get_by_role("link", name="Changes of version 2").click()
    expect(other.get_by_role("listitem").filter(has_text="Stims")).to_contain_text("+1")
    other.go_back()
    expect(other.get_by_text("A deck that cannot be shown")).to_be_visible()
    other.get_by_role("link", name=re.compile("^Sample hand")).click()
    expect(other.get_by_role("heading", name=re.compile("^Hand"))).to_be_visible()

    owner.get_by_role("link", name="Revoke it…").click()
    owner.get_by_role("button", name="Revoke it").click()
    expect(owner.get_by_text("The link is revoked")).to_be_visible()
    assert other.goto(link).status == 404  # type: ignore[union-attr]
