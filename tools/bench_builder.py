"""How quick the builder is in a real browser: from a key to the frame that shows what it did.

    .venv/bin/python tools/bench_builder.py          # or: make bench-builder

It serves a site of its own, opens it in the system's Chromium, once with the cards that there are and once with 5,000
made of them, fills a deck of sixty, and presses keys: copies of cards, and searches letter by letter. Times are those
of the browser, from the key to the task after the frame in which the page is right. It prints medians and 99th
percentiles and fails beyond the bounds: 50 ms for a change, 100 ms for a search. Beside them stands how long the page's
thread itself worked for each key, which says what is the page's and what a busy machine's.
"""

from __future__ import annotations

import json
import sys
import tempfile
from collections.abc import Callable
from pathlib import Path
from statistics import median, quantiles
from typing import Any

from playwright.sync_api import CDPSession, Page, Route, sync_playwright

sys.path.insert(0, str(Path(__file__).resolve().parent.parent))

from ccg.server.proving.processes import running_site
from tests.browser.builder_page import opened
from tests.browser.conftest import launched

CHANGE_MS, SEARCH_MS = 50, 100
INVENTED = 5_000
CHANGES = 200
DECK = 15
"""Different cards in the deck, four copies of each."""
QUERIES = (
    "starbuck", "t:ship cost<=3", "tr:pilot pow>=2", 'x:"draw a card"', "t:personnel -makes:security c<=2",
    "(t:ship or t:event) mv>=3", "raptor 2", "in:deck pow>=1",
)  # fmt: skip

MEASURE = """
() => {
  // From the last key to the task after the frame in which `isShown` holds.
  window.measured = [];
  window.isShown = () => true;
  addEventListener("keydown", ({ timeStamp }) => {
    const look = () => requestAnimationFrame(() => {
      if (!window.isShown()) return look();
      const after = new MessageChannel();
      after.port1.onmessage = () => window.measured.push(performance.now() - timeStamp);
      after.port2.postMessage(null);
    });
    look();
  }, true);
}
"""

WAIT = """
() => new Promise((done) => {
  const look = () => (window.measured.length > 0 ? done(window.measured[0]) : setTimeout(look, 2));
  look();
})
"""


def more_cards(file: dict[str, Any], number: int) -> dict[str, Any]:
    """Return a catalogue of so many cards, made of those that there are."""
    cards = dict(file["cards"])
    models = list(cards.values())
    for at in range(number - len(models)):
        model = models[at % len(models)]
        name = f"{model['name']} {at}"
        cards[f"INV-{at:05d}"] = {**model, "id": f"INV-{at:05d}", "subtitle": f"{model['subtitle']} {at}", "name": name}
    return {**file, "cards": cards}


def invent(page: Page, number: int) -> None:
    """Let the page have a catalogue of so many cards."""

    def answer(route: Route) -> None:
        file = route.fetch().json()
        route.fulfill(content_type="application/json", body=json.dumps(more_cards(file, number)))

    page.route("**/api/v1/cards/catalog.json*", answer)


def pressed(page: Page, key: str, shown: str) -> float:
    """Press a key; return the milliseconds until the page shows what ``shown``, a condition, says."""
    page.evaluate(f"window.measured = []; window.isShown = () => {shown}")
    page.keyboard.press(key)
    return float(page.evaluate(WAIT))


def changes(page: Page) -> list[float]:
    """Return how long changes of copies take, in a deck of sixty."""
    page.keyboard.press("/")
    page.keyboard.type("t:ship|personnel")
    page.keyboard.press("ArrowDown")
    for _ in range(DECK):
        page.keyboard.press("4")
        page.keyboard.press("ArrowDown")
    size = "Number(document.querySelector('.legality-size b').textContent)"
    return [pressed(page, str(number % 2 + 1), f"{size} === {4 * DECK + number % 2 + 1}") for number in range(CHANGES)]


def searches(page: Page) -> list[float]:
    """Return how long each letter of some searches takes."""
    found = []
    for query in QUERIES:
        page.get_by_label("Search cards").fill("")
        page.keyboard.press("End")
        for at, letter in enumerate(query, start=1):
            # The address follows the query, so that the page is right when its box and its count are.
            box = f"document.activeElement.value === {json.dumps(query[:at])}"
            found.append(pressed(page, letter, box))
    return found


def told(page: Page, name: str, measure: Callable[[Page], list[float]], bound: float) -> bool:
    """Measure, and print what came of it; return whether it keeps to the bound."""
    session = page.context.new_cdp_session(page)
    session.send("Performance.enable", {"timeDomain": "threadTicks"})
    before = worked(session)
    times = measure(page)
    own = 1_000 * (worked(session) - before) / len(times)
    worst = quantiles(times, n=100)[98]
    print(
        f"{name:36} {len(times):4} keys  median {median(times):6.1f} ms  p99 {worst:6.1f} ms  bound {bound} ms"
        f"  own work {own:5.1f} ms",
        flush=True,
    )
    return worst <= bound


def worked(session: CDPSession) -> float:
    """Return for how many seconds the page's thread has worked."""
    metrics = session.send("Performance.getMetrics")["metrics"]
    return next(float(one["value"]) for one in metrics if one["name"] == "TaskDuration")


def main() -> int:
    """Measure both; return the status of the program."""
    kept = []
    with tempfile.TemporaryDirectory() as folder, running_site(Path(folder)) as site, sync_playwright() as playwright:
        browser = launched(playwright.chromium)
        for number in (0, INVENTED):
            page = browser.new_page(base_url=site.url, viewport={"width": 1440, "height": 900})
            invent(page, number)
            opened(page)
            page.evaluate(MEASURE)
            cards = int(page.locator(".search-count").inner_text().split()[0])
            kept.append(told(page, f"a change, of {cards} cards", changes, CHANGE_MS))
            kept.append(told(page, f"a letter of a search, of {cards} cards", searches, SEARCH_MS))
            page.close()
        browser.close()
    return 0 if all(kept) else 1


if __name__ == "__main__":
    sys.exit(main())
