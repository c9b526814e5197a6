"""Pages with cards stand still while they load, and can be read without JavaScript."""

from __future__ import annotations

import pytest
from playwright.sync_api import Page, expect

from tests.at_length import thorough
from tests.browser.conftest import Visit

pytestmark = [pytest.mark.browser, pytest.mark.ci]

SIZES = [pytest.param(390, 844, id="phone"), thorough(1440, 900, id="desktop")]
MOST = 0.02
"""How far a page may shift in all while it loads (web-vitals: cumulative layout shift; 0.1 is called good)."""

WATCH = """
window.shifts = [];
const nameOf = (node) => node && (node.id || node.className || node.nodeName);
new PerformanceObserver((list) => {
  for (const entry of list.getEntries())
    if (!entry.hadRecentInput)
      window.shifts.push([entry.value, entry.sources.map(({ node }) => nameOf(node))]);
}).observe({ type: "layout-shift", buffered: true });
"""

PAGES = [
    pytest.param("/cards/", id="cards"),
    pytest.param("/cards/?q=t%3Abase", id="bases"),
    pytest.param("/cards/BSG2-053/", id="mission"),
    pytest.param("/cards/BSG1-136/", id="personnel with other versions"),
    pytest.param("/cards/BSG1-002/", id="base"),
    pytest.param("/decks/", id="decks"),
    pytest.param("deck", id="deck"),
    pytest.param("deck?view=pictures", id="deck in pictures"),
]


def address(page: Page, asked: str) -> str:
    """Return the address of a page; "deck" is the first deck that is listed."""
    if not asked.startswith("deck"):
        return asked
    page.goto("/decks/")
    first = page.locator(".deck-card h3 a").first.get_attribute("href")
    assert first
    return first + asked.removeprefix("deck")


def drawn(page: Page) -> None:
    """Wait until all cards of the page are drawn, and the fonts are there."""
    expect(page.locator("ccg-card:not(.is-drawn)")).to_have_count(0)
    page.evaluate("document.fonts.ready.then(() => true)")
    page.wait_for_load_state("networkidle")
    # What was laid out last has been painted, and the observer has heard of it.
    page.evaluate("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(() => setTimeout(done))))")


@pytest.mark.parametrize(("width", "height"), SIZES)
@pytest.mark.parametrize("asked", PAGES)
def test_a_page_stands_still_while_it_loads(visit: Visit, asked: str, width: int, height: int) -> None:
    page = visit(width=width, height=height)
    wanted = address(page, asked)
    page.add_init_script(WATCH)
    page.goto(wanted)
    drawn(page)
    shifts = page.evaluate("window.shifts")
    assert sum(value for value, _ in shifts) <= MOST, shifts


OVERLAPS = """() => {
  const kinds = "h1, h2, h3, p, dt, dd, .card-plain, .card-plain-name, .card-plain-facts, .deck-plain, .label";
  const boxes = [...document.querySelectorAll(`main :is(${kinds}, .deck-card-plain)`)]
    .map((element) => ({ element, text: element.innerText.slice(0, 40), box: element.getBoundingClientRect() }))
    .filter(({ text, box }) => box.width > 1 && box.height > 1 && text.trim());
  const over = [];
  for (const [place, a] of boxes.entries())
    for (const b of boxes.slice(place + 1)) {
      const wide = Math.min(a.box.right, b.box.right) - Math.max(a.box.left, b.box.left);
      const high = Math.min(a.box.bottom, b.box.bottom) - Math.max(a.box.top, b.box.top);
      if (wide > 1 && high > 1 && !a.element.contains(b.element) && !b.element.contains(a.element))
        over.push([a.text, b.text]);
    }
  const cards = boxes.filter(({ element }) => element.matches(".card-plain, .deck-plain, .deck-card-plain"));
  const cut = cards.filter(({ element }) => element.clientHeight && element.scrollHeight > element.clientHeight + 1);
  return [over.slice(0, 5), cut.map(({ text }) => text).slice(0, 5)];
}"""
"""Texts that lie over each other, and words of cards higher than their boxes; nothing of either is expected."""


@pytest.mark.parametrize(("width", "height"), SIZES)
@pytest.mark.parametrize("asked", PAGES)
def test_a_page_can_be_read_without_javascript(visit: Visit, asked: str, width: int, height: int) -> None:
    page = visit(width=width, height=height, java_script_enabled=False)
    page.goto(address(page, asked))
    assert page.evaluate(OVERLAPS) == [[], []]
    assert page.evaluate("document.documentElement.scrollWidth") <= width
    words = page.locator(".card-plain-facts:visible, .deck-plain:visible, .deck-card-plain:visible")
    for place in range(min(words.count(), 5)):
        expect(words.nth(place)).not_to_be_empty()


@pytest.mark.parametrize("asked", ["/cards/", "/"])
def test_the_icon_of_an_account_has_no_type(visit: Visit, asked: str) -> None:
    page = visit()
    page.goto("/decks/new/")
    page.goto("/")
    page.get_by_role("button", name="Play now").first.click()
    page.wait_for_url("**/table/**")  # the form is sent when the server has bound itself to its shuffle
    page.goto(asked)
    colours = page.evaluate(
        """() => [...document.querySelectorAll(".site-tools a:has(.icon)")]
          .map((link) => [getComputedStyle(link).color, getComputedStyle(link.querySelector(".icon")).color])"""
    )
    assert colours
    assert all(link == icon for link, icon in colours)


def test_the_words_of_every_card_fit_its_picture(visit: Visit) -> None:
    """The longest are set smaller, step by step; none is cut off at the smallest."""
    page = visit()
    page.goto("/cards/BSG1-001/")
    drawn(page)
    page.evaluate(
        """async () => {
          const { cards } = await (await fetch("/api/v1/cards/catalog.json")).json();
          const room = document.querySelector("main");
          room.replaceChildren(...Object.keys(cards).map((id) => {
            const card = document.createElement("ccg-card");
            card.setAttribute("card", id);
            card.setAttribute("size", "full");
            return card;
          }));
        }"""
    )
    drawn(page)
    assert page.locator(".card-full").count() == 351
    cut = page.evaluate(
        """() => [...document.querySelectorAll(".card-full :is(.card-box, .card-words)")]
          .filter((box) => box.scrollHeight > box.clientHeight + 1)
          .map((box) => [box.closest("ccg-card").getAttribute("card"), box.scrollHeight - box.clientHeight])"""
    )
    assert cut == []


def test_a_table_whose_program_does_not_come_says_what_to_do(visit: Visit) -> None:
    page = visit(390, 844)
    page.route("**/assets/table-*.js", lambda route: route.abort())
    page.goto("/play/")
    page.get_by_role("button", name="Play the computer").click()
    expect(page.get_by_role("heading", name="The table has not come")).to_be_visible(timeout=40_000)
    page.unroute("**/assets/table-*.js")
    page.get_by_role("link", name="Load again").click()
    expect(page.locator(".table-app")).to_be_visible(timeout=40_000)
    expect(page.get_by_role("heading", name="The table has not come")).to_have_count(0)
