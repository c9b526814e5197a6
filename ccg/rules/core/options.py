"""Options: what a player may choose at a decision, each named by a stable key.

A key says what is chosen in words that mean the same in every saved record: ``play ID``,
``challenge 12 p1``, ``pay 3``. Cards in hand are named by their definition (equal copies are one
option), cards in play by their piece number.
"""

from __future__ import annotations

from typing import Final

from ccg.rules.cards.definitions import Catalog
from ccg.rules.core.data import Fixed

NOBODY: Final = -1
NO_CARD: Final = -1


LONGEST_NUMBER = 9
"""Digits that a number in a key has at most; longer ones are no numbers of anything."""


class Option(Fixed, frozen=True):
    """One legal choice. ``card`` is a definition's index, ``piece`` and ``target`` are piece numbers."""

    verb: str
    card: int = NO_CARD
    piece: int = 0
    target: int = 0
    player: int = NOBODY
    number: int = -1
    word: str = ""

    def key(self, catalog: Catalog) -> str:
        """Return the stable name of this option."""
        parts = [self.verb]
        if self.card != NO_CARD:
            parts.append(catalog.ids[self.card])
        if self.piece:
            parts.append(str(self.piece))
        if self.target:
            parts.append(f"t{self.target}")
        if self.player != NOBODY:
            parts.append(f"p{self.player}")
        if self.number >= 0:
            parts.append(f"#{self.number}")
        if self.word:
            parts.append(self.word)
        return " ".join(parts)


class Owing(Fixed, frozen=True):
    """What is still to be paid: persuasion, logistics, security, then resources of any type.

    ``discount`` is what is next taken off one of them.
    """

    amounts: tuple[int, ...]
    discount: int = 0


def read_key(key: str, catalog: Catalog) -> Option:
    """Return the option with this key, whether or not it is legal anywhere; raises ValueError for no key at all."""
    verb, *parts = key.split(" ")
    card, numbers, words = NO_CARD, {"": 0, "t": 0, "p": NOBODY, "#": -1}, []
    for part in parts:
        sign, digits = (part[:1], part[1:]) if part[:1] in ("t", "p", "#") else ("", part)
        if part in catalog.index:
            card = catalog.index[part]
        elif digits.isdecimal() and len(digits) <= LONGEST_NUMBER:
            numbers[sign] = int(digits)
        else:
            words.append(part)
    return Option(verb, card, numbers[""], numbers["t"], numbers["p"], numbers["#"], " ".join(words))


PASS: Final = Option("pass")
YES: Final = Option("yes")
NO: Final = Option("no")
NOTHING: Final = Option("choose", word="nothing")
DECLINE: Final = Option("decline")


class Decision(Fixed, frozen=True):
    """Who must choose, what kind of choice it is, and everything that may be chosen.

    ``card`` is the source of the question, by its definition's index: the card whose text asks, or that is
    played or paid for; ``piece`` is that card in play. Where the rulebook asks, there is none.
    """

    seat: int
    kind: str
    options: list[Option]
    can_take_back: bool
    card: int = NO_CARD
    piece: int = 0
