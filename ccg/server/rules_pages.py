"""The rules for players under /rules/: the guide, the clauses with what proves them, the rulings.

The texts are Markdown files of docs/rules/, which read well there too. Three marks are ours: a picture or
link to ``card:ID`` is a card, a link to ``page:NAME`` another page of the guide, and ``{CHAL-1 ruling-24}``
behind a sentence names the clauses that it tells. HTML in the files is shown, not obeyed.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from functools import lru_cache
from itertools import pairwise
from pathlib import Path
from typing import NamedTuple

from django.conf import settings
from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.urls import reverse
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe
from django.utils.text import slugify
from django.views.decorators.http import require_safe
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict

from ccg.rules import Catalog
from ccg.rules.cardfiles import read_catalog
from ccg.rules.scenario.coverage import Clause, read_clauses

TEXTS = Path(settings.BASE_DIR) / "docs" / "rules"
CLAUSES = re.compile(r"\s*\{((?:[A-Z]+-[A-Z0-9-]+[a-z]?|ruling-\d+)(?: (?:[A-Z]+-[A-Z0-9-]+[a-z]?|ruling-\d+))*)\}")
RULINGS_BEGIN = re.compile(r"(?m)^(\*\*.+)\n(?=\d+\. )")
"""A heading with its list right below: to Markdown a list that does not begin with 1 needs an empty line."""
SHOWN = re.compile(r"^- (?P<name>.+?)(?: \(`(?P<path>[^`]+)`\))?$")


class Chapter(NamedTuple):
    """A page of the guide: its place in the address, what it is about, and its text as HTML."""

    slug: str
    title: str
    lead: str
    body: SafeString
    sections: list[tuple[str, str]]


class Told(NamedTuple):
    """A clause or ruling with the chapters that tell it and the scenarios that show it."""

    id: str
    section: str
    rule: str
    ruling: int | None
    chapters: list[Chapter]
    shown: list[str]


# ---------------------------------------------------------------- Markdown with cards


class _Renderer(RendererHTML):
    """HTML with our own links and pictures."""

    def image(self, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType) -> str:
        """Draw the card of a picture; other pictures are only named."""
        token = tokens[index]
        source = str(token.attrGet("src") or "")
        if not source.startswith("card:") or source[5:] not in _catalog():
            return escape(token.content)
        card = _catalog()[source[5:]]
        return format_html(
            '<ccg-card card="{}" size="thumbnail"><a class="card-name" data-card="{}" href="{}">{}</a></ccg-card>',
            card.id, card.id, reverse("cards_data:card", args=[card.id]), card.name,
        )  # fmt: skip

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
        return self.renderToken(tokens, index, options, env)

    def text(self, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType) -> str:
        """Turn the names of clauses into small links; the first to a clause on a page is its anchor there."""
        anchors: set[str] = env.setdefault("anchors", set())
        return CLAUSES.sub(lambda found: _references(found[1].split(), anchors), escape(tokens[index].content))


def _references(names: list[str], anchors: set[str]) -> str:
    links = []
    for name in names:
        anchor = "" if name in anchors else format_html('id="{}" ', name)
        anchors.add(name)
        said = name.replace("ruling-", "ruling ")
        links.append(
            format_html(
                '<a {}href="{}#{}" title="{}" aria-label="{}">§</a>', anchor, reverse(_page_of(name)), name, said, said
            )
        )
    return f' <small class="rule-ref">{" ".join(links)}</small>'


def _page_of(name: str) -> str:
    return "rules_rulings" if name.startswith("ruling-") else "rules_clauses"


@lru_cache(maxsize=1)
def _catalog() -> Catalog:
    return read_catalog()


@lru_cache(maxsize=1)
def _markdown() -> MarkdownIt:
    parser = MarkdownIt("commonmark", {"html": False}, renderer_cls=_Renderer).enable("table")
    usual = parser.validateLink
    parser.validateLink = lambda url: url.startswith(("card:", "page:")) or usual(url)  # type: ignore[method-assign]
    return parser


def _chapter(path: Path) -> Chapter:
    """Read one file: its title, its first paragraph, and the rest with an anchor for each heading."""
    tokens = _markdown().parse(path.read_text(encoding="utf-8"))
    title, lead = tokens[1].content, tokens[4].content
    body = tokens[6:]
    sections = []
    for token, inline in pairwise(body):
        if token.type == "heading_open":
            token.attrSet("id", slugify(inline.content))
            sections.append((slugify(inline.content), inline.content))
        if token.type == "paragraph_open" and inline.content.startswith("!["):
            token.attrSet("class", "card-grid")
    env: dict[str, object] = {}
    places = [place for place, token in enumerate(body) if token.type == "heading_open"]
    html = "".join(
        f"<section>{_markdown().renderer.render(body[begin:end], _markdown().options, env)}</section>"
        for begin, end in pairwise([0, *(place for place in places if place), len(body)])
    )
    return Chapter(path.stem.partition("-")[2], title, lead, mark_safe(html), sections)  # noqa: S308 - our own files


@lru_cache(maxsize=1)
def guide() -> tuple[Chapter, ...]:
    """Give the chapters of the guide in order."""
    return tuple(_chapter(path) for path in sorted((TEXTS / "guide").glob("*.md")))


# ---------------------------------------------------------------- clauses


@lru_cache(maxsize=1)
def clauses() -> tuple[Told, ...]:
    """Give every clause that we promise, with where it is told and what shows it."""
    shown = _shown()
    return tuple(_told(clause, shown) for clause in read_clauses(TEXTS / "clauses.yaml"))


def _told(clause: Clause, shown: dict[str, list[str]]) -> Told:
    anchor = f'#{clause.id}"'
    telling = [chapter for chapter in guide() if anchor in chapter.body]
    return Told(clause.id, clause.section, clause.rule, clause.ruling, telling, shown.get(clause.id, []))


def _shown() -> dict[str, list[str]]:
    """Read the coverage page: the names of the scenarios that show each clause."""
    shown: dict[str, list[str]] = {}
    current: list[str] = []
    for line in (TEXTS / "coverage.md").read_text(encoding="utf-8").splitlines():
        if line.startswith("**"):
            current = shown.setdefault(line[2:].partition("**")[0], [])
        elif found := SHOWN.match(line):
            current.append(found["name"])
    return shown


@lru_cache(maxsize=1)
def rulings() -> SafeString:
    """Give the rulings; each has an anchor, ruling-1 and on."""
    text = (TEXTS / "rulings.md").read_text(encoding="utf-8").partition("\n")[2]
    parser = _markdown()
    tokens = parser.parse(RULINGS_BEGIN.sub(r"\1\n\n", text))
    for place, token in enumerate(tokens):
        if token.type == "ordered_list_open":
            number = int(token.attrGet("start") or 1)
            level = token.level
            for item in tokens[place + 1 :]:
                if item.type == "ordered_list_close" and item.level == level:
                    break
                if item.type == "list_item_open" and item.level == level + 1:
                    item.attrSet("id", f"ruling-{number}")
                    number += 1
    return mark_safe(parser.renderer.render(tokens, parser.options, {}))  # noqa: S308 - our own file


# ---------------------------------------------------------------- pages


@require_safe
def rules(request: HttpRequest) -> HttpResponse:
    """What there is to read about the rules."""
    shown = sum(1 for clause in clauses() if clause.shown)
    return render(request, "rules/index.html", {"chapters": guide(), "count": len(clauses()), "shown": shown})


@require_safe
def chapter(request: HttpRequest, slug: str) -> HttpResponse:
    """One page of the guide, with the way to the one before and after it."""
    chapters = guide()
    for place, found in enumerate(chapters):
        if found.slug == slug:
            before = chapters[place - 1] if place else None
            after = chapters[place + 1] if place + 1 < len(chapters) else None
            return render(
                request,
                "rules/chapter.html",
                {"chapter": found, "chapters": chapters, "before": before, "after": after},
            )
    raise Http404(f"The guide has no page {slug!r}.")


@require_safe
def all_clauses(request: HttpRequest) -> HttpResponse:
    """Every clause with its anchor, and the scenarios that show it."""
    return render(request, "rules/clauses.html", {"clauses": clauses()})


@require_safe
def all_rulings(request: HttpRequest) -> HttpResponse:
    """The answers to what the rulebook leaves open."""
    return render(request, "rules/rulings.html", {"rulings": rulings()})
