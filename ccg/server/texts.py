"""Markdown files of docs/ as pages: what the guide to the rules and the pages for authors of cards share.

The files read well where they lie, too. Three marks are ours: a picture or link to ``card:ID`` is a card, a
link to ``page:NAME`` another page of the guide, and ``{CHAL-1 ruling-24}`` behind a sentence names the
clauses that it tells. A block of code called ``position`` is a picture (:mod:`ccg.server.positions`). HTML in the files
is shown, not obeyed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from django.conf import settings
from django.urls import reverse
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import slugify
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict

from ccg.rules import Catalog
from ccg.rules.authoring.card_files import read_catalog
from ccg.server.positions import picture

DOCS = Path(settings.BASE_DIR) / "docs"
PAGES = {
    DOCS / "make-a-card-set" / "README.md": "make_a_card_set",
    DOCS / "make-a-card-set" / "salvage-rights": "salvage_rights",
    DOCS / "card-files.md": "card_files",
    DOCS / "ability-language.md": "ability_language",
    DOCS / "scenarios.md": "scenarios",
    DOCS / "card-set.schema.json": "card_set_schema",
    DOCS / "rules": "rules",
}
"""Files that texts link to and that have a page on the site: the name of its address."""
CLAUSES = re.compile(r"\s*\{((?:[A-Z]+-[A-Z0-9-]+[a-z]?|ruling-\d+)(?: (?:[A-Z]+-[A-Z0-9-]+[a-z]?|ruling-\d+))*)\}")


class Text(NamedTuple):
    """A file as a page: what it is about, its text as HTML, and its sections with their anchors."""

    title: str
    lead: str
    body: SafeString
    sections: list[tuple[str, str]]


class _Renderer(RendererHTML):
    """HTML with our own links and pictures."""

    def image(self, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType) -> str:
        """Draw the card of a picture; other pictures are only named."""
        token = tokens[index]
        source = str(token.attrGet("src") or "")
        if not source.startswith("card:") or source[5:] not in own_cards():
            return escape(token.content)
        card = own_cards()[source[5:]]
        return format_html(
            '<ccg-card card="{}" size="thumbnail"><a class="card-name" data-card="{}" href="{}">{}</a></ccg-card>',
            card.id, card.id, reverse("cards_data:card", args=[card.id]), card.name,
        )  # fmt: skip

    def fence(self, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType) -> str:
        """Draw a position; other blocks of code are shown as they are."""
        token = tokens[index]
        if token.info.strip() == "position":
            return picture(token.content, own_cards())
        return super().fence(tokens, index, options, env)

    def link_open(self, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType) -> str:
        """Lead to cards and to pages of the guide."""
        token = tokens[index]
        target = str(token.attrGet("href") or "")
        if target.startswith("card:"):
            address = reverse("cards_data:card", args=[target[5:]])
            return format_html('<a class="card-name" data-card="{}" href="{}">', target[5:], address)
        if target.startswith("page:"):
            slug, _, anchor = target[5:].partition("#")
            token.attrSet("href", reverse("rules_chapter", args=[slug]) + (f"#{anchor}" if anchor else ""))
        elif "path" in env and "://" not in target and not target.startswith("#"):
            return _link_to_file(env["path"], target)
        return self.renderToken(tokens, index, options, env)

    def text(self, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType) -> str:
        """Turn the names of clauses into small links; the first to a clause on a page is its anchor there."""
        anchors: set[str] = env.setdefault("anchors", set())
        return CLAUSES.sub(lambda match: _references(match[1].split(), anchors), escape(tokens[index].content))


def _link_to_file(here: Path, target: str) -> str:
    """Lead from the text ``here`` to the page of another file; one that has none is only named."""
    file, _, anchor = target.partition("#")
    page = PAGES.get((here.parent / file).resolve())
    return format_html('<a href="{}{}">', reverse(page), f"#{anchor}" if anchor else "") if page else "<a>"


def _references(names: list[str], anchors: set[str]) -> str:
    links = []
    for name in names:
        anchor = "" if name in anchors else format_html('id="{}" ', name)
        anchors.add(name)
        label = name.replace("ruling-", "ruling ")
        links.append(
            format_html(
                '<a {}href="{}#{}" title="{}" aria-label="{}">§</a>',
                anchor,
                reverse(_page_of(name)),
                name,
                label,
                label,
            )
        )
    return f' <small class="rule-ref">{" ".join(links)}</small>'


def _page_of(name: str) -> str:
    return "rules_rulings" if name.startswith("ruling-") else "rules_clauses"


@lru_cache(maxsize=1)
def own_cards() -> Catalog:
    """Return the cards of the project's own sets, as its texts and scenarios speak of them."""
    return read_catalog()


@lru_cache(maxsize=1)
def markdown() -> MarkdownIt:
    """Return the reader of our Markdown."""
    parser = MarkdownIt("commonmark", {"html": False}, renderer_cls=_Renderer).enable("table")
    usual = parser.validateLink
    parser.validateLink = lambda url: url.startswith(("card:", "page:")) or usual(url)  # type: ignore[method-assign]
    return parser


def read_text(path: Path) -> Text:
    """Read one file: its title, its first paragraph, and the rest with an anchor for each heading."""
    tokens = markdown().parse(path.read_text(encoding="utf-8"))
    title, lead = tokens[1].content, "".join(child.content or " " for child in tokens[4].children or ())
    body = tokens[6:]
    sections: list[tuple[str, str]] = []
    anchors: set[str] = set()
    for token, inline in pairwise(body):
        if token.type == "heading_open":
            anchor = _anchor(inline.content, anchors)
            token.attrSet("id", anchor)
            if token.tag == "h2":
                sections.append((anchor, inline.content))
        if token.type == "paragraph_open" and inline.content.startswith("!["):
            token.attrSet("class", "card-grid")
    env: dict[str, object] = {"path": path}
    places = [place for place, token in enumerate(body) if token.type == "heading_open"]
    html = "".join(
        f"<section>{markdown().renderer.render(body[begin:end], markdown().options, env)}</section>"
        for begin, end in pairwise([0, *(place for place in places if place), len(body)])
    )
    return Text(title, lead, mark_safe(html), sections)  # noqa: S308 - our own files


def _anchor(heading: str, taken: set[str]) -> str:
    """Return the anchor of a heading as GitHub does: the second with the same words ends in -1."""
    first = slugify(heading)
    anchor = next(name for name in (first, *(f"{first}-{number}" for number in range(1, 100))) if name not in taken)
    taken.add(anchor)
    return anchor
