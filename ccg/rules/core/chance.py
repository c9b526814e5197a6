"""Chance: one stream of random numbers for a game, the same on every machine and Python.

The stream is SHA-256 over the game's secret seed and a counter, as its only state; Python's own
``random.shuffle`` may change between versions, a hash does not. Nobody who has seen all cards dealt so
far can tell the next ones without the seed.
"""

from __future__ import annotations

from functools import lru_cache
from hashlib import sha256
from struct import unpack
from typing import Final

from ccg.rules.core.data import Data, Fixed

_WORD: Final = 4
_WORDS_IN_A_HASH: Final = 32 // _WORD
_SPAN: Final = 1 << (8 * _WORD)


class Drawing(Fixed, frozen=True):
    """Something that chance has decided, so that it can be worked out once more from the seed alone.

    ``why`` names it: ``start``, ``redraw``, ``search``, ``new deck``, ``discard pile``, ``put into deck`` for
    shuffles, ``first player`` for a lot. ``at`` is how many words had been drawn before. Of a shuffle, ``seat`` says
    whose deck, and ``before`` and ``after`` are its cards with the top card last; of a lot, ``seat`` is the one that it
    fell on, alone in ``after``, and ``before`` are those among which it was drawn.
    """

    why: str
    seat: int
    at: int
    before: tuple[int, ...]
    after: tuple[int, ...]


class Chance(Data):
    """A position in the stream: the ``seed`` and how many words have been ``drawn`` from it."""

    seed: bytes
    drawn: int = 0

    def below(self, limit: int) -> int:
        """Return a number from 0 to ``limit`` - 1, each equally likely (1 <= limit <= 65536)."""
        fair = _SPAN - _SPAN % limit
        while True:
            word = self._word()
            if word < fair:
                return word % limit

    def shuffle(self, cards: list[int]) -> None:
        """Put ``cards`` into random order, in place (Fisher and Yates)."""
        for last in range(len(cards) - 1, 0, -1):
            other = self.below(last + 1)
            cards[last], cards[other] = cards[other], cards[last]

    def _word(self) -> int:
        drawn = self.drawn
        self.drawn = drawn + 1
        return _words(self.seed, drawn // _WORDS_IN_A_HASH)[drawn % _WORDS_IN_A_HASH]


@lru_cache(maxsize=64)
def _words(seed: bytes, block: int) -> tuple[int, ...]:
    """Return the words of one hash; a shuffle takes them one after another."""
    return unpack(f">{_WORDS_IN_A_HASH}I", sha256(seed + block.to_bytes(8, "big")).digest())
