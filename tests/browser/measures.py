"""What can be measured of a page: its weight, and texts that lie over one another, small tiles, names that are cut."""

from __future__ import annotations

import gzip
import os
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from pathlib import Path

from playwright.sync_api import Page, Response

OVERLAPPING = """() => {
    // What lies over the table on purpose, while it is open, hides what is below it.
    const layer = (element) => element.closest(
        '.option-list, .card-choices, .thing-menu, dialog, .looked') ?? document.body;
    const shown = (element) => element.checkVisibility({checkOpacity: true, checkVisibilityCSS: true})
        && !element.closest('.visually-hidden, .table-app ~ *');
    const clipped = (element, box) => {
        let {left, top, right, bottom} = box;
        for (let one = element; one && one !== document.documentElement; one = one.parentElement) {
            const style = getComputedStyle(one);
            if (style.overflowX === 'visible' && style.clipPath === 'none') continue;
            const edge = one.getBoundingClientRect();
            left = Math.max(left, edge.left); right = Math.min(right, edge.right);
            top = Math.max(top, edge.top); bottom = Math.min(bottom, edge.bottom);
        }
        return {left: Math.max(left, 0), top: Math.max(top, 0),
            right: Math.min(right, innerWidth), bottom: Math.min(bottom, innerHeight)};
    };
    const texts = [];
    const walker = document.createTreeWalker(document.querySelector('.table-app'), NodeFilter.SHOW_TEXT);
    while (walker.nextNode()) {
        const node = walker.currentNode, element = node.parentElement;
        if (!node.data.trim() || !shown(element)) continue;
        const range = document.createRange();
        range.selectNodeContents(node);
        for (const rect of range.getClientRects()) {
            // Letters are lower than their line: what counts is where ink is.
            const ink = rect.height * 0.24;
            const box = clipped(element, {left: rect.left, right: rect.right,
                top: rect.top + ink, bottom: rect.bottom - ink});
            if (box.right - box.left > 1 && box.bottom - box.top > 2) texts.push({node, element, box});
        }
    }
    const over = [];
    texts.forEach((one, place) => texts.slice(place + 1).forEach((other) => {
        if (one.node === other.node || layer(one.element) !== layer(other.element)) return;
        const wide = Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left);
        const high = Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top);
        if (wide > 1.5 && high > 1.5) over.push(`${one.node.data.trim()} | ${other.node.data.trim()}`);
    }));
    return over;
}"""

PAST = """(elements) => elements.filter((one) => {
        const {left, right} = one.getBoundingClientRect();
        return left < -1 || right > innerWidth + 1;
    }).map((one) => one.textContent.trim())"""

SMALL = """(least) => [...document.querySelectorAll('.fleet .tile:not(.tile-stack), .middle .tile')]
    .map((tile) => [tile.textContent.trim(), tile.getBoundingClientRect()])
    .filter(([, {width, height}]) => Math.min(width, height) < least)
    .map(([name, {width, height}]) => `${name}: ${Math.round(width)}x${Math.round(height)}`)"""

CUT = """() => [...document.querySelectorAll('.tile-name, .player-name, .row-name b')]
    .filter((name) => name.checkVisibility() && name.scrollWidth > name.clientWidth + 1 && name.clientWidth > 0)
    .map((name) => name.textContent)"""

ON_TILES = """(tiles) => tiles.flatMap((card) => {
    const text = (element) => {
        const range = document.createRange();
        range.selectNodeContents(element);
        return [...range.getClientRects()].map(({left, top, right, bottom}) => (
            // Letters are lower than their line.
            {left, right, top: top + (bottom - top) * 0.2, bottom: bottom - (bottom - top) * 0.2}));
    };
    const signs = {'.cost-tab': 0, '.hand-makes': 0, '.tile-stats > .icon': 0, '.stat': 0, '.power, .tile-type': 0,
        '.tile-name': text, '.tile-traits': text, '.tile-needs': text};
    const boxes = Object.entries(signs).flatMap(([name, measured]) => [...card.querySelectorAll(name)]
        .filter((one) => one.checkVisibility())
        .flatMap((one) => measured ? measured(one) : [one.getBoundingClientRect()])
        .map((box) => ({name, box})));
    return boxes.flatMap((one, place) => boxes.slice(place + 1)
        .filter((other) => one.name !== other.name
            && Math.min(one.box.right, other.box.right) - Math.max(one.box.left, other.box.left) > 4
            && Math.min(one.box.bottom, other.box.bottom) - Math.max(one.box.top, other.box.top) > 4)
        .map((other) => `${card.querySelector('.tile-name').textContent}: ${one.name} and ${other.name}`));
})"""

SEEN = """(tiles) => tiles.filter((tile) => {
    const {left, top, right, bottom} = tile.getBoundingClientRect();
    const on = document.elementFromPoint((left + right) / 2, (top + bottom) / 2);
    return left >= 0 && top >= 0 && right <= innerWidth && bottom <= innerHeight && tile.contains(on);
}).length"""


def overlapping_texts(page: Page) -> list[str]:
    """Return pairs of texts of the table that lie over each other."""
    found: list[str] = page.evaluate(OVERLAPPING)
    return found


def small_tiles(page: Page, least: int) -> list[str]:
    """Return the units and missions in play that are drawn narrower or lower than ``least`` pixels."""
    found: list[str] = page.evaluate(SMALL, least)
    return found


def cut_names(page: Page) -> list[str]:
    """Return the names that do not find room in their line."""
    found: list[str] = page.evaluate(CUT)
    return found


def overlapping_in_hand(page: Page) -> list[str]:
    """Return what lies over something else on cards in the hand: costs, signs, names, traits."""
    found: list[str] = page.locator(".hand li").evaluate_all(ON_TILES)
    return found


def overlapping_in_play(page: Page) -> list[str]:
    """Return what lies over something else on units and missions: names, power, traits, what a mission needs."""
    found: list[str] = page.locator(".line-pieces > .tile:not(.tile-stack)").evaluate_all(ON_TILES)
    return found


def overlapping_in_event(page: Page) -> list[str]:
    """Return what lies over something else on the card that was just played, where the middle shows it."""
    found: list[str] = page.locator(".event-card > .tile").evaluate_all(ON_TILES)
    return found


def past_the_edge(page: Page, selector: str) -> list[str]:
    """Return the texts of these elements of which a part is beyond the left or right edge of the window."""
    found: list[str] = page.locator(selector).evaluate_all(PAST)
    return found


def whole_in_sight(page: Page, selector: str) -> int:
    """Return how many of these elements are in the window with nothing over their middle."""
    found: int = page.locator(selector).evaluate_all(SEEN)
    return found


def fits(page: Page) -> bool:
    """Whether nothing sticks out at the side."""
    return bool(page.evaluate("document.documentElement.scrollWidth <= document.documentElement.clientWidth"))


def in_view(page: Page, selector: str) -> None:
    """The element is wholly inside the window, across."""
    box = page.locator(selector).bounding_box()
    assert box is not None
    assert box["x"] >= 0 and box["x"] + box["width"] <= page.viewport_size["width"] + 0.5  # type: ignore[index]


def keep_picture(page: Page, name: str) -> None:
    """Keep a picture of the page for somebody who wants to look at it: SCREENSHOTS names the folder."""
    folder = os.environ.get("SCREENSHOTS")
    if folder:
        page.screenshot(path=Path(folder) / f"{name}.png")


@dataclass
class Script:
    """How much script a page loads, in bytes: as it is, and packed by gzip as it is sent."""

    plain: int = 0
    packed: int = 0


@contextmanager
def script_of(page: Page) -> Iterator[Script]:
    """Weigh all scripts that ``page`` loads in the block and until it rests; what is given is filled in then."""
    answers: list[Response] = []
    script = Script()

    def heard(answer: Response) -> None:
        answers.append(answer)

    page.on("response", heard)
    yield script
    page.wait_for_load_state("networkidle")
    page.remove_listener("response", heard)
    files = [answer.body() for answer in answers if answer.url.endswith(".js")]
    assert files
    script.plain, script.packed = sum(map(len, files)), sum(len(gzip.compress(file)) for file in files)


REACHED = """(within) => {
    const shown = {visibilityProperty: true, opacityProperty: true};
    // What a label names is hit by it as well; links in a sentence, and words of the game in any text, are as high as
    // its lines (WCAG 2.5.8).
    const inSentence = (one) => {
        if (one.matches('.term')) return true;
        const text = one.closest('p, li, dt, dd, td, figcaption');
        return one.tagName === 'A' && getComputedStyle(one).display === 'inline' && text
            && text.textContent.trim().length > one.textContent.trim().length + 3;
    };
    const found = [];
    for (const one of document.querySelectorAll(
        `${within} :is(a[href], button, summary, select, input:not([type=hidden]), [role=button], [tabindex="0"])`
    )) {
        if (!one.checkVisibility(shown) || one.disabled || one.tabIndex < 0 || inSentence(one)) continue;
        if (one.matches('.skip-link, [role=tabpanel], [role=log]') || one.closest('.visually-hidden')) continue;
        const target = one.labels?.[0] && one.matches('[type=checkbox], [type=radio]') ? one.labels[0] : one;
        one.scrollIntoView({block: 'center', inline: 'center', behavior: 'instant'});
        const {left, top, right, bottom} = target.getBoundingClientRect();
        if (right - left < 2 || left >= innerWidth || right <= 0 || top >= innerHeight || bottom <= 0) continue;
        const x = Math.min(Math.max((left + right) / 2, 1), innerWidth - 1), y = (top + bottom) / 2;
        const hits = (dx, dy) => {
            const on = document.elementFromPoint(x + dx, y + dy);
            return on !== null && (target.contains(on) || one.contains(on));
        };
        if (!hits(0, 0)) continue;  // something lies over it: what that is, is measured itself
        const reach = (dx, dy) => {
            let steps = 0;
            // At the edge of the screen no finger goes past it.
            const out = (x + dx * 22 < 0 || y + dy * 22 < 0) ? 3 : 0;
            while (steps < 44 && hits(dx * (steps + 1), dy * (steps + 1))) steps += 1;
            return steps + out;
        };
        const wide = reach(-1, 0) + reach(1, 0) + 1, high = reach(0, -1) + reach(0, 1) + 1;
        if (wide < 43 || high < 43) {
            const name = (one.getAttribute('aria-label') ?? one.textContent).trim().slice(0, 40) || one.id;
            found.push(`${name} (${one.tagName.toLowerCase()}.${one.className}): ${wide}x${high}`);
        }
    }
    return found;
}"""


def hard_to_hit(page: Page, within: str = "body") -> list[str]:
    """Return what is to be hit with a finger and answers in less than 44 px across or down, with how much it is.

    What counts is where a tap comes to it, drawn or not: that neighbours lie over it is noticed.
    """
    found: list[str] = page.evaluate(REACHED, within)
    return found


OVER_AT_THE_TOP = """() => {
    const signs = '.top-home, .top > .chip, .line-state:not(:empty), .phase, .phases-turn, .top-next, .top-tool';
    const boxes = [...document.querySelector('.top').querySelectorAll(signs)].filter((one) => one.checkVisibility())
        .map((one) => [one.textContent.trim() || one.className, one.getBoundingClientRect()]);
    return boxes.slice(1).filter(([, box], place) => box.left < boxes[place][1].right - 1 || box.right > innerWidth)
        .map(([name]) => name);
}"""
"""What at the head of the table lies over what is before it, or beyond the edge."""
