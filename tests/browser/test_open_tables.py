"""The list of open tables, and a table that waits, follow what others do without being loaded again."""

from __future__ import annotations

import re

import pytest
from playwright.sync_api import Page, expect

from tests.browser.conftest import Visit

pytestmark = pytest.mark.browser

SELDOM = """
document.addEventListener("readystatechange", () => {
  for (const part of document.querySelectorAll("[data-refresh]")) part.dataset.refresh = "100000";
});
"""


def by_socket_alone(page: Page) -> Page:
    """Let the page never look by itself: what it shows has come because the site said so."""
    page.add_init_script(SELDOM)
    return page


def test_a_table_is_seen_and_taken_while_others_look(visit: Visit) -> None:
    onlooker, host, guest = by_socket_alone(visit()), by_socket_alone(visit()), visit(390, 844)
    onlooker.goto("/play/tables/")
    expect(onlooker.get_by_text("No table waits for players now")).to_be_visible()
    host.goto("/play/tables/")
    host.get_by_label("Players, you included").select_option("2")
    host.get_by_role("button", name="Open the table").click()
    expect(host.get_by_text("At the table, 1 still to come")).to_be_visible()
    expect(onlooker.get_by_role("link", name=re.compile("^Sit down with"))).to_be_visible()
    guest.goto("/play/tables/")
    guest.get_by_role("link", name=re.compile("^Sit down with")).click()
    guest.get_by_role("button", name=re.compile("Sit down")).click()
    guest.wait_for_url("**/table/**")
    expect(host.locator("#table .hand li").first).to_be_visible()
    expect(onlooker.get_by_text("No table waits for players now")).to_be_visible()
