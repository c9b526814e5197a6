"""The rules for players under /rules/: the guide, the clauses with what proves them, the rulings.

The texts are Markdown files of docs/rules/, read by :mod:`ccg.server.texts`.
"""

from __future__ import annotations

import re
from functools import lru_cache
from typing import NamedTuple

from django.http import Http404, HttpRequest, HttpResponse
from django.shortcuts import render
from django.template.loader import render_to_string
from django.utils.safestring import SafeString, mark_safe
from django.views.decorators.http import require_safe
from markdown_it.token import Token

from ccg.rules.scenario.coverage import Clause, Proof, read_clauses
from ccg.server.played.library import Shipped, proofs, showing
from ccg.server.texts import DOCS, markdown, read_text

TEXTS = DOCS / "rules"
RULINGS_BEGIN = re.compile(r"(?m)^(\*\*.+)\n(?=\d+\. )")
"""A heading with its list right below: to Markdown a list that does not begin with 1 needs an empty line."""


class Chapter(NamedTuple):
    """A page of the guide: its place in the address, what it is about, and its text as HTML."""

    slug: str
    title: str
    lead: str
    body: SafeString
    sections: list[tuple[str, str]]


class ClauseShown(NamedTuple):
    """A clause or ruling with the chapters that tell it, what shows it, and what of that can be watched."""

    id: str
    section: str
    rule: str
    ruling: int | None
    chapters: list[Chapter]
    shown: list[Proof]
    played: list[Shipped]


@lru_cache(maxsize=1)
def guide() -> tuple[Chapter, ...]:
    """Return the chapters of the guide in order."""
    texts = ((path, read_text(path)) for path in sorted((TEXTS / "guide").glob("*.md")))
    return tuple(Chapter(path.stem.partition("-")[2], *text) for path, text in texts)


# ---------------------------------------------------------------- clauses


@lru_cache(maxsize=1)
def clauses() -> tuple[ClauseShown, ...]:
    """Return every clause that we promise, with where it is told and what shows it."""
    shown = proofs().clauses
    return tuple(_explained(clause, shown) for clause in read_clauses(TEXTS / "clauses.yaml"))


def _explained(clause: Clause, shown: dict[str, list[Proof]]) -> ClauseShown:
    anchor = f'#{clause.id}"'
    telling = [chapter for chapter in guide() if anchor in chapter.body]
    return ClauseShown(
        clause.id, clause.section, clause.rule, clause.ruling, telling, shown.get(clause.id, []), showing(clause.id)
    )  # fmt: skip


@lru_cache(maxsize=1)
def rulings() -> SafeString:
    """Return the rulings; each has an anchor, ruling-1 and on, and leads to where it is played."""
    text = (TEXTS / "rulings.md").read_text(encoding="utf-8")
    parser = markdown()
    # What stands above the first heading speaks to who works on the rules.
    first = RULINGS_BEGIN.search(text)
    tokens = parser.parse(RULINGS_BEGIN.sub(r"\1\n\n", text[first.start() if first else 0 :]))
    ends: dict[int, str] = {}  # by the identity of a token, as the ends of items are equal
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
                if item.type == "list_item_close" and item.level == level + 1:
                    ends[id(item)] = f"ruling-{number - 1}"
    shown: list[Token] = []
    for token in tokens:
        if id(token) in ends:
            shown.append(Token("html_block", "", 0, content=_see_it_played(ends[id(token)])))
        shown.append(token)
    return mark_safe(parser.renderer.render(shown, parser.options, {}))  # noqa: S308 - our own file


def _see_it_played(name: str) -> str:
    return render_to_string("rules/_see_it_played.html", {"what": name, "played": showing(name)})


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
    for place, page in enumerate(chapters):
        if page.slug == slug:
            before = chapters[place - 1] if place else None
            after = chapters[place + 1] if place + 1 < len(chapters) else None
            return render(
                request,
                "rules/chapter.html",
                {"chapter": page, "chapters": chapters, "before": before, "after": after},
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
