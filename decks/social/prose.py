"""What people write about decks: Markdown as clean HTML, in which the names of cards are links to them.

Full names of two and more words are found as they are printed ("Apollo, Ace Pilot", "Raptor 227"); any other way to
name one card is put in double square brackets (``[[fury]]``). HTML is shown, not obeyed; pictures and links to
anything but the web and this site are left as text. Everything goes through nh3 before a page gets it.

No text grows to many times its length, which each look at a page would pay for: links stand where they are read, not
once for many references, and tables whose rows leave out very many cells are left as text.
"""

from __future__ import annotations

import re
from collections.abc import Iterator, Sequence
from functools import lru_cache

import nh3
from django.urls import reverse
from django.utils.html import escape, format_html
from django.utils.safestring import SafeString, mark_safe
from markdown_it import MarkdownIt
from markdown_it.renderer import RendererHTML
from markdown_it.rules_block import StateBlock, table
from markdown_it.rules_core import StateCore
from markdown_it.token import Token
from markdown_it.utils import EnvType, OptionsDict

from cards_data.catalog import CardData
from ccg.rules.cards.definitions import CardDef
from decks.lists.names import Names

TAGS = {
    "p", "br", "hr", "strong", "em", "s", "ul", "ol", "li", "blockquote", "code", "pre", "h3", "h4", "h5", "h6",
    "table", "thead", "tbody", "tr", "th", "td", "a",
}  # fmt: skip
ATTRIBUTES = {"a": {"href", "title", "class", "data-card"}, "ol": {"start"}}
REL = "nofollow ugc noopener noreferrer"
MAX_MISSING = 100
"""Cells that the rows of all tables of a text may leave out."""
KEPT = 128
"""Texts whose HTML is kept, of 100 KB at most each."""
HIGHEST = 3
"""The heading that ``#`` makes: those above are the page's own."""

_BRACKETS = re.compile(r"\[\[([^\[\]\n]{1,120})\]\]")
_WORD = re.compile(r"(?<!\w)\w+")


class Mentions:
    """Finds the cards that a text names."""

    def __init__(self, names: Names) -> None:
        self._names = names
        self._by_first_word: dict[str, list[str]] = {}
        for card in names.catalog:
            first = _WORD.match(card.name)
            if first and first[0] != card.name:
                self._by_first_word.setdefault(first[0], []).append(card.name)
        for known in self._by_first_word.values():
            known.sort(key=len, reverse=True)

    def split(self, text: str) -> Iterator[tuple[str, CardDef | None]]:
        """Yield ``text`` in pieces, each with the card that it names, if it names one."""
        end = 0
        for bracketed in _BRACKETS.finditer(text):
            card = self._one(bracketed[1])
            if card is not None:
                yield from self._plain(text[end : bracketed.start()])
                yield bracketed[1], card
                end = bracketed.end()
        yield from self._plain(text[end:])

    def _plain(self, text: str) -> Iterator[tuple[str, CardDef | None]]:
        end = 0
        for word in _WORD.finditer(text):
            name = self._name_at(text, word) if word.start() >= end else ""
            card = self._one(name) if name else None
            if card is not None:
                yield text[end : word.start()], None
                yield name, card
                end = word.start() + len(name)
        yield text[end:], None

    def _name_at(self, text: str, word: re.Match[str]) -> str:
        """Return the longest full name that begins with ``word``; "" if there is none."""
        for name in self._by_first_word.get(word[0], ()):
            behind = text[word.start() + len(name) :][:1]
            if text.startswith(name, word.start()) and not (behind.isalnum() or behind == "_"):
                return name
        return ""

    def _one(self, name: str) -> CardDef | None:
        cards = self._names.find(name)
        return cards[0] if len(cards) == 1 else None


class _Renderer(RendererHTML):
    """HTML in which cards are links, but not within other links."""

    def link_open(self, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType) -> str:
        """Begin a link of the writer's own."""
        env["in_link"] = True
        return self.renderToken(tokens, index, options, env)

    def link_close(self, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType) -> str:
        """End it."""
        env["in_link"] = False
        return self.renderToken(tokens, index, options, env)

    def text(self, tokens: Sequence[Token], index: int, options: OptionsDict, env: EnvType) -> str:
        """Return the text with its cards as links."""
        content = tokens[index].content
        if env.get("in_link"):
            return escape(content)
        return "".join(
            _linked(piece, card) if card else escape(piece) for piece, card in env["mentions"].split(content)
        )


def _linked(words: str, card: CardDef) -> str:
    address = reverse("cards_data:card", args=[card.id])
    return format_html('<a class="card-name" data-card="{}" href="{}">{}</a>', card.id, address, words)


def _lower_headings(state: StateCore) -> None:
    for token in state.tokens:
        if token.type.startswith("heading_"):
            token.tag = f"h{min(6, int(token.tag[1:]) + HIGHEST - 1)}"


def _table(state: StateBlock, start: int, end: int, silent: bool) -> bool:
    """Take a table, as markdown-it does, unless it would be filled up with more empty cells than it is worth."""
    if silent or not table(state, start, end, True):
        return table(state, start, end, silent)
    missing = state.env.get("missing", 0) + _missing(state, start, end)
    # Once it is too much, further tables are not counted again: each could be as long as the text.
    state.env["missing"] = missing
    return missing <= MAX_MISSING and table(state, start, end, False)


def _missing(state: StateBlock, start: int, end: int) -> int:
    """Return how many cells the rows of a table leave out, counted up to a little more than there may be."""
    columns, missing = len(re.findall("-+", _line(state, start + 1))), 0
    if state.env.get("missing", 0) > MAX_MISSING:
        return 0
    for number in range(start + 2, end):
        line = _line(state, number).strip()
        if not line or missing > MAX_MISSING:
            break
        missing += max(0, columns - line.strip("|").count("|") - 1)
    return missing


def _line(state: StateBlock, number: int) -> str:
    return state.src[state.bMarks[number] + state.tShift[number] : state.eMarks[number]]


@lru_cache(maxsize=1)
def _markdown() -> MarkdownIt:
    reader = MarkdownIt("commonmark", {"html": False, "breaks": True}, renderer_cls=_Renderer)
    reader.enable(["table", "strikethrough"]).disable(["image", "reference"])
    reader.block.ruler.at("table", _table, {"alt": ["paragraph", "reference"]})
    reader.core.ruler.push("lower_headings", _lower_headings)
    reader.validateLink = _is_of_the_web  # type: ignore[method-assign]
    return reader


def _is_of_the_web(url: str) -> bool:
    return url.startswith(("http://", "https://")) or (url.startswith("/") and not url.startswith(("//", "/\\")))


@lru_cache(maxsize=2)
def mentions(cards: CardData) -> Mentions:
    """Return what finds the names of these cards in texts."""
    return Mentions(Names(cards.catalog, cards.printings))


@lru_cache(maxsize=KEPT)
def as_html(text: str, cards: CardData) -> SafeString:
    """Return what somebody wrote as HTML that is safe to show, with links to the ``cards`` that it names.

    It is kept: the dearest texts take a fifth of a second, and whoever looks at a deck is charged for its page.
    """
    made = _markdown().render(text, {"mentions": mentions(cards)})
    clean = nh3.clean(made, tags=TAGS, attributes=ATTRIBUTES, link_rel=REL, url_schemes={"http", "https"})
    return mark_safe(clean)  # noqa: S308 (cleaned in the line above)
