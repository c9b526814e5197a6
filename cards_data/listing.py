"""What the list of cards shows for a query: its results, and every part of it as something to click.

The query is the whole state of the page: chips, orders and views are buttons that ask for the query changed by them
(``toggle``), and the address that one is sent to says only that.
"""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple
from urllib.parse import urlencode

from django.core.paginator import Page, Paginator

from cards_data.catalog import CardData
from cards_data.search import cards, editing
from cards_data.search.asking import Wrong, asked
from cards_data.search.cards import LANGUAGE, SORTS, VIEWS
from cards_data.search.errors import QueryError, nearest
from cards_data.search.kinds import quoted
from cards_data.search.known import Known
from cards_data.search.language import Query
from cards_data.search.syntax import Off
from ccg.rules.cards.definitions import fold

CARDS_A_PAGE = 60
FACETS = ("type", "pays", "makes", "set", "trait")
BUTTONS = (*FACETS, "order", "dir", "view")
"""The fields that can be clicked."""


class Chip(NamedTuple):
    """A button that takes one word into the query, or out of it."""

    toggle: str
    name: str
    word: str
    on: bool


class Filter(NamedTuple):
    """A part of the query above the results: its words, whether it is on, and the parameters that change that.

    ``switched`` are those of the query in which it is off, or on again, ``without`` those of the query without it.
    """

    words: str
    on: bool
    switched: str
    without: str


@dataclass(frozen=True)
class Listing:
    """One address of the list: the query that is shown, and what is wrong with the one asked for, if so.

    ``asked`` is what was written; where it is wrong, ``query`` is the last one that was right.
    """

    data: CardData
    known: Known
    asked: str
    query: Query
    wrong: Wrong | None = None

    @classmethod
    def read(cls, parameters: Mapping[str, str], data: CardData, known: Known) -> Listing:
        """Return what is asked for by ``q``; where that is wrong, the cards of ``last`` stay."""
        return cls(data, known, *asked(parameters, lambda text: cards.read(text, data, known)))

    def toggled(self, toggle: str) -> str:
        """Return the text of the query after a click on a button; as it is for a button that there is not."""
        name, _, word = toggle.partition(":")
        if name not in BUTTONS or fold(word) not in map(fold, self._words(name)):
            return self.query.text
        return editing.toggled(self.query, LANGUAGE, name, word)

    def page(self, number: str | None) -> Page:
        """Return one page of results; the nearest one that there is."""
        return Paginator(cards.find(self.query, self.known), CARDS_A_PAGE).get_page(number)

    def meant(self) -> str:
        """Return the query that finds something with the nearest names for words that no name has, or ""."""
        text, names = self.query.text, cards.names(self.data).values()
        for word in reversed(editing.bare_words(self.query)):
            if not any(fold(word.text) in name for name in names):
                near = nearest(fold(word.text), cards.words_of_names(self.data))
                text = f"{text[: word.start]}{quoted(near)}{text[word.end :]}" if near else text
        try:
            meant = cards.read(text, self.data, self.known)
        except QueryError:  # too long
            return ""
        return text if text != self.query.text and cards.find(meant, self.known).exists() else ""

    @property
    def view(self) -> str:
        """How results are shown: a key of VIEWS."""
        return self.query.display.get("view", "grid")

    @property
    def address(self) -> str:
        """The parameters that lead here."""
        return urlencode({"q": self.query.text} if self.query.text else {})

    def facets(self) -> list[tuple[str, str, list[Chip]]]:
        """Return the chips of each field that has some, with its name and heading."""
        return [(name, LANGUAGE.by_name[name].facet, self._chips(name, self._shown(name))) for name in FACETS]

    def sorts(self) -> list[Chip]:
        """Return the orders; a click on the one in force turns it round."""
        now = self.query.display.get("order", "number")
        direction = self.query.display.get("dir", "desc" if SORTS[now][2] else "asc")
        other = Chip(f"dir:{'asc' if direction == 'desc' else 'desc'}", SORTS[now][0], direction, True)
        return [
            other if key == now else Chip(f"order:{key}", name, "", False) for key, (name, *_) in SORTS.items()
        ]  # fmt: skip

    def views(self) -> list[Chip]:
        """Return the ways to show results."""
        return [Chip(f"view:{key}", name, key, key == self.view) for key, name in VIEWS.items()]

    def filters(self) -> list[Filter]:
        """Return each part of the query that chooses cards, those that are switched off too."""
        return [
            Filter(
                text.removeprefix("~"),
                not isinstance(part, Off),
                urlencode({"q": editing.switched(self.query, part)}),
                urlencode({"q": editing.without(self.query, part)}),
            )
            for part, text in editing.parts(self.query)
            if not editing.only_shows(part, LANGUAGE)
        ]

    def cleared(self) -> str:
        """Return the parameters of the query without all that chooses cards."""
        kept = " ".join(text for part, text in editing.parts(self.query) if editing.only_shows(part, LANGUAGE))
        return urlencode({"q": kept} if kept else {})

    def _chips(self, name: str, shown: Mapping[str, str]) -> list[Chip]:
        chosen = editing.chosen(self.query, LANGUAGE, name)
        return [Chip(f"{name}:{word}", text, word, fold(word) in chosen) for word, text in shown.items()]

    def _shown(self, name: str) -> dict[str, str]:
        """Return the words of a field with what is shown for them."""
        names = {one.code: one.name for one in self.data.sets}
        return {word: names.get(word, word if name == "trait" else word.capitalize()) for word in self._words(name)}

    def _words(self, name: str) -> tuple[str, ...]:
        return LANGUAGE.words(LANGUAGE.by_name[name], cards.vocabulary(self.data))
