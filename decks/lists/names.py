"""Cards found by what people write: full names, titles, printings, and what is near where nothing fits."""

from __future__ import annotations

import re
from collections.abc import Iterable

from rapidfuzz import fuzz, process

from ccg.rules.authoring.card_files import Printing
from ccg.rules.authoring.names import LONGEST_NAME
from ccg.rules.cards.definitions import CardDef, Catalog, fold

LIKE = 70
"""How alike a name has to be to be offered, of 100."""
MAX_NEAR = 5
MAX_WITH_WORDS = 20
"""Cards offered for words that they all have: "Raptor" alone means one of more than a dozen."""
MAX_LINE_WORDS = 40
"""Words of a line among which the name of a card is looked for."""


class Names:
    """Finds cards by what people write: full name, title, printing. Built once for a card data version."""

    def __init__(self, catalog: Catalog, printings: Iterable[Printing]) -> None:
        """Take the cards and where they are printed; a printing of a card not in ``catalog`` is left out."""
        self.catalog = catalog
        self.by_printing: dict[tuple[str, int], str] = {}
        self.first: dict[str, tuple[str, int]] = {}
        self.sets: dict[str, set[str]] = {}
        self.codes: set[str] = set()
        self._titles: dict[str, list[CardDef]] = {}
        self._folded: dict[str, list[str]] = {}
        self._words: dict[str, set[str]] = {}
        for printing in printings:
            self.codes.add(printing.set.casefold())
            if printing.card in catalog:
                self.by_printing[printing.set.casefold(), printing.number] = printing.card
                self.sets.setdefault(printing.card, set()).add(printing.set.casefold())
                if printing.id == printing.card:
                    self.first[printing.card] = (printing.set, printing.number)
        for card in catalog:
            self._titles.setdefault(fold(card.title), []).append(card)
            for known in {fold(card.name), fold(card.title)} - {""}:
                self._folded.setdefault(known, []).append(card.id)
            for word in fold(card.name).split():
                self._words.setdefault(word, set()).add(card.id)
        self._titles.pop("", None)
        self._longest = max((len(known.split()) for known in self._folded), default=0)
        self._sorted: dict[str, list[str]] = {}
        for known, ids in self._folded.items():
            self._sorted.setdefault(_in_order(known), []).extend(ids)

    def find(self, name: str, bases_only: bool = False) -> list[CardDef]:
        """Return the cards that ``name`` can mean: those of this full name, else those of this title."""
        for named in (self.catalog.named(name), self._titles.get(fold(name), [])):
            cards = [card for card in named if card.type == "base" or not bases_only]
            if cards:
                return cards
        return []

    def suggest(self, name: str, bases_only: bool = False, alike: bool = True) -> list[str]:
        """Return ids of cards that ``name`` comes near to, the nearest first.

        Those with all of its words (in any order, and perhaps more), else those that are ``alike``, which
        costs more. Where ``name`` has a number, only cards with that number are near.
        """
        wanted = fold(name)[:LONGEST_NAME]
        if not wanted:
            return []
        suggestions = self._fitting(self._with_words(wanted), bases_only)[:MAX_WITH_WORDS]
        if not suggestions and alike:
            suggestions = self._fitting(self._alike(wanted), bases_only)[:MAX_NEAR]
        return suggestions

    def within(self, line: str, bases_only: bool = False) -> list[str]:
        """Return ids of the cards of the longest name that stands in ``line`` between other words: "Fury (Core Set)".

        A number in ``line`` is never passed over: it has to be one of the name.
        """
        words, numbers = fold(line).split()[:MAX_LINE_WORDS], digits(fold(line))
        for length in range(min(len(words), self._longest), 0, -1):
            spans = (" ".join(words[start : start + length]) for start in range(len(words) - length + 1))
            known = [span for span in spans if span in self._folded and digits(span) == numbers]
            named = self._fitting([card for span in known for card in self._folded[span]], bases_only)
            if named:
                return list(dict.fromkeys(named))[:MAX_WITH_WORDS]
        return []

    def _fitting(self, ids: list[str], bases_only: bool) -> list[str]:
        return [card for card in ids if self.catalog[card].type == "base" or not bases_only]

    def _with_words(self, wanted: str) -> list[str]:
        """Return the cards that have every word of ``wanted``, those without others first."""
        words = set(wanted.split())
        with_all = set.intersection(*(self._words.get(word, set()) for word in words))
        numbers = digits(wanted)
        cards = [self.catalog[one] for one in with_all if not numbers or digits(self.catalog[one].name) == numbers]
        return [card.id for card in sorted(cards, key=lambda card: (len(fold(card.name)), card.name, card.id))]

    def _alike(self, wanted: str) -> list[str]:
        numbers = digits(wanted)
        scored: list[tuple[float, str]] = []
        for pool, query in ((self._folded, wanted), (self._sorted, _in_order(wanted))):
            near = process.extract(query, list(pool), scorer=fuzz.ratio, score_cutoff=LIKE, limit=40)
            scored += [(-score, card) for known, score, _ in near if digits(known) == numbers for card in pool[known]]
        return list(dict.fromkeys(card for _, card in sorted(scored)))


def digits(name: str) -> list[str]:
    """Return the numbers in a name: "Raptor 227" and "Raptor 272" differ by more than a slip."""
    return sorted(re.findall("[0-9]+", name))


def _in_order(name: str) -> str:
    return " ".join(sorted(name.split()))
