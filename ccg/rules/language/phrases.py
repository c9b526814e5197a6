"""Phrases: who, what, how much and when, read with a small grammar (grammar.lark) into records.

Reading is all that happens here; what a phrase finds in a game is worked out by
:mod:`ccg.rules.selecting` and :mod:`ccg.rules.triggers`.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Any, Literal

from lark import Lark, Token, Transformer, UnexpectedInput, v_args
from msgspec import Struct

ONE, ANY = 1, 99


class PhraseError(ValueError):
    """A phrase that is not understood; the message names the word."""


class Description(Struct, frozen=True):
    """One kind of thing: the noun, the words before it and after it. All of them must hold."""

    noun: str = "unit"
    trait: str = ""
    words: tuple[str, ...] = ()
    traits: tuple[str, ...] = ()
    suffixes: tuple[tuple[str, str], ...] = ()


class Selector(Struct, frozen=True):
    """Which pieces are meant: a pronoun, or every piece that fits one of the descriptions.

    ``least`` and ``most`` say how many are chosen; ``every`` that none is: all are meant. ``target`` says
    that the player of the ability chooses as it is played (Meeting Requirements: Target).
    """

    pronoun: str = ""
    descriptions: tuple[Description, ...] = ()
    target: bool = False
    every: bool = False
    least: int = ONE
    most: int = ONE


class Amount(Struct, frozen=True):
    """How much: ``base``, plus ``each`` for every piece that fits ``of``; or a value read on the way."""

    base: int = 0
    each: int = 0
    of: Selector | None = None
    value: Literal["", "x", "mystic", "power", "hand size"] = ""
    pronoun: str = ""


class Players(Struct, frozen=True):
    """Which players: ``kind`` is the phrase with underscores (you, target_player, each_player, ...)."""

    kind: str

    @property
    def target(self) -> bool:
        """Whether the player of the ability chooses one as it is played."""
        return self.kind.startswith("target_")


class Occasion(Struct, frozen=True):
    """When a trigger happens or a change holds: ``kind`` names the form, ``who`` and ``whom`` what it is about."""

    kind: str
    who: Selector | None = None
    whom: Selector | None = None


_NUMBERS = {"two": 2, "three": 3}
_SINGULAR = {
    "units": "unit", "ships": "ship", "missions": "mission", "assets": "asset", "bases": "base", "cards": "card",
    "resource stacks": "resource stack", "Cylon threats": "Cylon threat", "supply cards": "supply card",
}  # fmt: skip


@v_args(inline=True)
class _Reader(Transformer[Token, Any]):
    """Turns the tree of a phrase into records, from the leaves up."""

    # things

    def selector(self, *parts: Any) -> Selector:
        kinds = [part for part in parts if not isinstance(part, Token)]
        first: Selector = kinds[0]
        described = [description for part in kinds for description in part.descriptions]
        return Selector(
            first.pronoun,
            tuple(_completed(description, described[-1]) for description in described),
            first.target,
            first.every,
            first.least,
            first.most,
        )

    def pronoun(self, word: Token) -> Selector:
        return Selector(pronoun="it" if word == "that unit" else str(word))

    def things(self, *parts: Any) -> Selector:
        words = [part[1] for part in parts if isinstance(part, tuple) and part[0] == "word"]
        traits = [part[1] for part in parts if isinstance(part, tuple) and part[0] == "trait"]
        suffixes = [part[1] for part in parts if isinstance(part, tuple) and part[0] == "suffix"]
        noun, trait = next(part[1] for part in parts if isinstance(part, tuple) and part[0] == "noun")
        said = next((part[1] for part in parts if isinstance(part, tuple) and part[0] == "quantity"), None)
        target = any(isinstance(part, Token) and part.type == "TARGET" for part in parts)
        least, most, every, other = said if said is not None else (ONE, ONE, not target, False)
        description = Description(
            noun, trait, (*words, "other") if other else tuple(words), tuple(traits), tuple(suffixes)
        )
        return Selector("", (description,), target, every, least, most)

    def one(self, _word: Token) -> Any:
        return "quantity", (ONE, ONE, False, False)

    def every(self, _word: Token) -> Any:
        return "quantity", (ONE, ONE, True, False)

    def up_to(self, number: Token) -> Any:
        return "quantity", (0, _number(number), False, False)

    def any_number(self) -> Any:
        return "quantity", (0, ANY, False, False)

    def exactly(self, number: Token) -> Any:
        return "quantity", (_number(number), _number(number), False, False)

    def one_other(self) -> Any:
        return "quantity", (ONE, ONE, False, True)

    def other(self) -> Any:
        return "word", "other"

    def plain(self, word: Token) -> Any:
        return "word", str(word)

    def trait(self, word: Token) -> Any:
        return "trait", str(word)

    def kind(self, word: Token) -> Any:
        return "noun", (_SINGULAR.get(str(word), str(word)), "")

    def trait_noun(self, word: Token) -> Any:
        return "noun", ("unit", str(word).removesuffix("s"))

    # amounts

    def number(self, number: Token) -> Amount:
        return Amount(int(number))

    def x(self) -> Amount:
        return Amount(each=1, value="x")

    def minus_x(self) -> Amount:
        return Amount(each=-1, value="x")

    def for_each(self, *parts: Any) -> Amount:
        return Amount(0, int(parts[0]) if len(parts) > 1 else 1, parts[-1])

    def times_x(self, number: Token, _each: Token) -> Amount:
        return Amount(each=_number(number), value="x")

    def hand_size(self) -> Amount:
        return Amount(value="hand size")

    def mystic_of(self, pronoun: Token) -> Amount:
        return Amount(each=1, value="mystic", pronoun=str(pronoun))

    def power_of(self, pronoun: Token) -> Amount:
        return Amount(each=1, value="power", pronoun=str(pronoun))

    def __default__(self, data: Any, children: list[Any], _meta: Any) -> Any:
        """Read what has no words of its own: suffixes, players and occasions are named by their rule."""
        rule = str(data)
        if rule in _SUFFIXES:
            return "suffix", (rule, str(_number(children[0]) if rule == "weak" else children[0]) if children else "")
        if rule in _PLAYERS:
            return Players(rule)
        selectors = [child for child in children if isinstance(child, Selector)]
        return Occasion(rule, *selectors[:2])


def _completed(description: Description, last: Description) -> Description:
    """Give one of several kinds what is said once at the end: "Enlisted or Cylon personnel you control"."""
    return Description(
        last.noun if description.noun == "unit" and description.trait else description.noun,
        description.trait,
        description.words,
        description.traits,
        description.suffixes or last.suffixes,
    )


_SUFFIXES = {
    "yours", "theirs", "an_opponents", "in_play", "weak", "bare", "supplied", "without", "against_threat",
    "challenging_you", "challenging_you_alone", "with_keyword", "same_title",
}  # fmt: skip
_PLAYERS = {
    "you", "target_player", "target_opponent", "each_player", "each_opponent", "its_controller", "its_owner", "they",
    "high_stakes",
}  # fmt: skip


def _number(word: Token) -> int:
    return _NUMBERS.get(str(word)) or int(word)


@cache
def _parser() -> Lark:
    grammar = Path(__file__).with_name("grammar.lark").read_text(encoding="utf-8")
    starts = ["selector", "amount", "players", "occasion", "condition"]
    return Lark(grammar, parser="lalr", start=starts, maybe_placeholders=False)


def _read(phrase: str, start: str) -> Any:
    try:
        return _Reader().transform(_parser().parse(phrase, start=start))
    except UnexpectedInput as error:
        place = error.pos_in_stream if error.pos_in_stream is not None else len(phrase)
        word = phrase[place:].split()[:1] or ["the end"]
        raise PhraseError(f"{phrase!r}: {word[0]!r} is not understood here") from error


@cache
def selector(phrase: str) -> Selector:
    """Read which pieces are meant; raises :class:`PhraseError`."""
    found: Selector = _read(phrase, "selector")
    return found


@cache
def amount(phrase: str | int) -> Amount:
    """Read how much; raises :class:`PhraseError`."""
    if isinstance(phrase, int):
        return Amount(phrase)
    found: Amount = _read(phrase, "amount")
    return found


@cache
def players(phrase: str) -> Players:
    """Read which players are meant; raises :class:`PhraseError`."""
    found: Players = _read(phrase, "players")
    return found


@cache
def occasion(phrase: str) -> Occasion:
    """Read when a trigger happens; raises :class:`PhraseError`."""
    found: Occasion = _read(phrase, "occasion")
    return found


@cache
def condition(phrase: str) -> Occasion:
    """Read while what a change holds; raises :class:`PhraseError`."""
    found: Occasion = _read(phrase, "condition")
    return found
