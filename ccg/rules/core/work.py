"""How much work one decision may take: it is counted, and what would never end is stopped.

Cards are data that anybody may write, so texts that count, or that ask each other, can be made to take for ever.
Work is counted in texts and pieces, not in seconds: the same move is stopped on every machine or on none.
"""

from __future__ import annotations

from collections import Counter
from typing import Final

from ccg.rules.cards.definitions import Catalog
from ccg.rules.core.board import Board
from ccg.rules.core.state import CardNumber, F, State, definition_of
from ccg.rules.errors import EngineError

WORK_LIMIT: Final = 50_000
"""What may be asked and looked at for one decision: texts asked, pieces held against a phrase (real games: 353)."""

NO_LIMIT: Final = 1 << 60
SAMPLE_EVERY: Final = 512
"""At every how many-eth piece of work is noted whose text it is for, to name those that make most of it."""

ASKING_LIMIT: Final = 40
"""Texts asked for the sake of one another after which one counts as asking for itself (real games: 2)."""

MOST_NAMED = 4
"""How many cards are named as those that make most of the work, or that go on for ever."""


class MeteredBoard(Board[F]):
    """A board that counts the work done to answer questions about it."""

    __slots__ = ("_busy", "_next_sample", "depth", "most_work", "work")

    def __init__(self, state: State[F], catalog: Catalog) -> None:
        super().__init__(state, catalog)
        self.depth = 0
        """How many texts are being asked, each for the sake of the one before."""
        self.work = 0
        self.most_work = NO_LIMIT
        self._next_sample = SAMPLE_EVERY
        self._busy: Counter[int] = Counter()

    def begin_work(self, most: int) -> None:
        """Count from now on what is worked out; more than ``most`` of it raises :class:`EngineError` "work"."""
        self.work = 0
        self.most_work = most
        self._next_sample = SAMPLE_EVERY
        self._busy.clear()

    def worked(self, card: CardNumber, amount: int) -> None:
        """Note so much work for the text of ``card``."""
        self.work += amount
        if self.work >= self._next_sample:
            self._sample(card)

    def busiest(self) -> list[int]:
        """Return the definitions of the cards whose texts made most work since :meth:`begin_work`."""
        return [card for card, _ in self._busy.most_common(MOST_NAMED)]

    def deeper(self, card: CardNumber) -> None:
        """Note that one more text, of ``card``, is asked; raises RecursionError where texts ask for themselves."""
        self.work += 1
        if self.work >= self._next_sample:
            self._sample(card)
        self.depth += 1
        if self.depth > ASKING_LIMIT:
            self.depth = 0
            raise RecursionError("texts in play ask for themselves")

    def named(self, busy: Counter[int], verb: str, of_several: str) -> str:
        """Name the busiest of the cards, by their definitions, and add a verb; return nothing if there is none."""
        most = max(busy.values(), default=0)
        names = [self.catalog.names[card] for card, times in busy.most_common(MOST_NAMED) if 2 * times >= most]
        if not names:
            return ""
        return f"{' and '.join(names)} {of_several if len(names) > 1 else verb}"

    def _sample(self, card: CardNumber) -> None:
        self._next_sample = self.work + SAMPLE_EVERY
        self._busy[definition_of(card)] += 1
        if self.work > self.most_work:
            self.most_work = NO_LIMIT
            what = self.named(self._busy, "says", "say")
            raise EngineError(
                "work", f"What {what} takes far too much to work out; the move was stopped and nothing has changed."
            )
