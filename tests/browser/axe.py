"""axe, which complains of what people who see or move otherwise cannot use."""

from __future__ import annotations

from playwright.sync_api import Page

from tests.running import ROOT

AXE = ROOT / "node_modules" / "axe-core" / "axe.min.js"
RUN = """async () => {
    const {violations} = await axe.run(document, {resultTypes: ['violations']});
    // Cards are drawn. Their names begin with what is written on them, and figures beside icons are told in words;
    // long words on one are scrolled by pointer alone, as the same words stand as text on the page of the card.
    const drawn = {'label-content-name-mismatch': 'button[data-card]',
        'scrollable-region-focusable': '.card-box, .card-words'};
    for (const one of violations) {
        const card = drawn[one.id];
        if (card) one.nodes = one.nodes.filter(({target}) => !document.querySelector(target.at(-1))?.matches(card));
    }
    return violations.filter(({nodes}) => nodes.length).map(({id, nodes}) => ({id, nodes: nodes.slice(0, 3).map(
        (node) => `${node.target.join(' ')}: ${node.failureSummary}`), count: nodes.length}));
}"""


def faults(page: Page) -> list[object]:
    """What axe complains of."""
    page.evaluate(AXE.read_text(encoding="utf-8"))
    return list(page.evaluate(RUN))
