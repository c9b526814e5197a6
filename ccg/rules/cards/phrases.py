"""Phrases: who, what, how much and when, read with a small grammar (grammar.lark) into records.

Reading is all that happens here; what a phrase finds in a game is worked out by
:mod:`ccg.rules.core.selectors` and :mod:`ccg.rules.effects.triggers`.
"""

from __future__ import annotations

import difflib
import re
from collections.abc import Callable
from functools import cache, lru_cache
from pathlib import Path
from typing import Any, Literal, NamedTuple, get_args

from lark import Lark, Token, Transformer, UnexpectedInput, v_args
from lark.exceptions import VisitError
from msgspec import Struct

from ccg.rules.cards.definitions import KEYWORDS, CardType
from ccg.rules.cards.grammars import parser_of

GRAMMAR = Path(__file__).with_name("grammar.lark")

ONE, ANY = 1, 99

MOST = 20
"""The largest number that a phrase can say."""

KEPT = 10_000
"""Phrases kept as they were read; those of our own sets are some hundred, those of a stranger's file any number."""

MOST_LISTED = 8
COST_WORDS = ("commit", "exhaust", "sacrifice")
HELP_WORDS = ("exhaust", "sacrifice")


def message(text: str, meant: str = "", advice: str = "") -> str:
    """Return what is wrong in one sentence: ``text``, what may have been ``meant``, and what to do about it."""
    near = f", did you mean {meant!r}?" if meant else ""
    return f"{text}{near}; {advice}" if advice else f"{text}{near}"


class PhraseError(ValueError):
    """A phrase that is not understood; ``text`` names the word, ``meant`` and ``advice`` say what to do."""

    def __init__(self, text: str, meant: str = "", advice: str = "") -> None:
        super().__init__(message(text, meant, advice))
        self.text = text
        self.meant = meant
        self.advice = advice


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

    @property
    def nouns(self) -> set[str]:
        """The nouns of all descriptions."""
        return {description.noun for description in self.descriptions}


class Amount(Struct, frozen=True):
    """How much: ``base``, plus ``each`` for every piece that fits ``of``; or a value read on the way."""

    base: int = 0
    each: int = 0
    of: Selector | None = None
    value: Literal["", "x", "mystic", "power", "hand size", "hand cards", "hand highest"] = ""
    pronoun: str = ""

    @property
    def known(self) -> bool:
        """Whether it is what it is, whatever has been done before."""
        return self.value in ("", "hand size", "hand cards", "hand highest")


class Players(Struct, frozen=True):
    """Which players: ``kind`` is the phrase with underscores (you, target_player, each_player, ...).

    ``most`` is what they must have the most of.
    """

    kind: str
    most: Amount | None = None

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


class _Kind(NamedTuple):
    """One kind of thing in a phrase; ``counted`` says that how many was said with it."""

    selector: Selector
    counted: bool = False

    @property
    def amount(self) -> tuple[int, int, bool]:
        """How many are meant."""
        return self.selector.least, self.selector.most, self.selector.every


@v_args(inline=True)
class _Reader(Transformer[Token, Any]):
    """Turns the tree of a phrase into records, from the leaves up."""

    # things

    def selector(self, *parts: Any) -> Selector:
        kinds = [part for part in parts if not isinstance(part, Token)]
        first: Selector = kinds[0].selector
        for other in kinds[1:]:
            if first.pronoun or other.selector.pronoun:
                raise PhraseError("a word like 'it' or 'this' stands alone, without 'or'")
            if (other.counted and other.amount != kinds[0].amount) or (other.selector.target and not first.target):
                raise PhraseError("how many, and 'target', are said once, before the first of several kinds")
        described = [description for part in kinds for description in part.selector.descriptions]
        return Selector(
            first.pronoun,
            tuple(_completed(description, described[-1]) for description in described),
            first.target,
            first.every,
            first.least,
            first.most,
        )

    def pronoun(self, word: Token) -> _Kind:
        return _Kind(Selector(pronoun="it" if word == "that unit" else str(word)))

    def things(self, *parts: Any) -> _Kind:
        words = [part[1] for part in parts if isinstance(part, tuple) and part[0] == "word"]
        traits = [part[1] for part in parts if isinstance(part, tuple) and part[0] == "trait"]
        suffixes = [part[1] for part in parts if isinstance(part, tuple) and part[0] == "suffix"]
        noun, trait = next(part[1] for part in parts if isinstance(part, tuple) and part[0] == "noun")
        quantity = next((part[1] for part in parts if isinstance(part, tuple) and part[0] == "quantity"), None)
        target = any(isinstance(part, Token) and part.type == "TARGET" for part in parts)
        least, most, every, other = quantity if quantity is not None else (ONE, ONE, not target, False)
        if target and every:
            raise PhraseError(
                "'each' and 'all' mean every one there is, 'target' one that is chosen", advice="say either"
            )
        if not most:
            raise PhraseError("0 of them are none")
        description = Description(
            noun, trait, (*words, "other") if other else tuple(words), tuple(traits), tuple(suffixes)
        )
        return _Kind(Selector("", (description,), target, every, least, most), quantity is not None)

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
        return "trait", _bare(word)

    def kind(self, word: Token) -> Any:
        return "noun", (_SINGULAR.get(str(word), str(word)), "")

    def trait_noun(self, word: Token) -> Any:
        return "noun", ("unit", _bare(word) if word.startswith('"') else str(word).removesuffix("s"))

    # amounts

    def number(self, number: Token) -> Amount:
        return Amount(int(number))

    def x(self) -> Amount:
        return Amount(each=1, value="x")

    def minus_x(self) -> Amount:
        return Amount(each=-1, value="x")

    def for_each(self, *parts: Any) -> Amount:
        if parts[-1].pronoun:
            raise PhraseError("'for each' counts cards of a kind, such as 'unit you control', and not one card")
        return Amount(0, int(parts[0]) if len(parts) > 1 else 1, parts[-1])

    def times_x(self, number: Token, _each: Token) -> Amount:
        return Amount(each=_number(number), value="x")

    def hand_size(self) -> Amount:
        return Amount(value="hand size")

    def hand_cards(self) -> Amount:
        return Amount(value="hand cards")

    def hand_highest(self) -> Amount:
        return Amount(value="hand highest")

    def mystic_of(self, pronoun: Token) -> Amount:
        return Amount(each=1, value="mystic", pronoun=str(pronoun))

    def power_of(self, pronoun: Token) -> Amount:
        return Amount(each=1, value="power", pronoun=str(pronoun))

    def __default__(self, data: Any, children: list[Any], _meta: Any) -> Any:
        """Read what has no words of its own: suffixes, players and occasions are named by their rule."""
        rule = str(data)
        if rule in _SUFFIXES:
            words = [str(_number(word)) if rule == "weak" else _bare(word) for word in children]
            return "suffix", (rule, *(words or [""]))
        if rule in _PLAYERS:
            return Players(rule, next((child for child in children if isinstance(child, Amount)), None))
        selectors = [child for child in children if isinstance(child, Selector)]
        return Occasion(rule, *selectors[:2])


def _completed(description: Description, last: Description) -> Description:
    """Return one of several kinds with what is said at the end for all: "Enlisted or Cylon personnel you control"."""
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
    "with_most",
}  # fmt: skip


def _number(word: Token) -> int:
    return _NUMBERS.get(str(word)) or int(word)


STARTS = ("selector", "amount", "players", "occasion", "condition")
"""The rules of the grammar that a whole phrase may be."""


def _parser() -> Lark:
    return parser_of(GRAMMAR, start=list(STARTS))


def _read(phrase: str, start: str) -> Any:
    if not phrase.isascii():
        strange = next(sign for sign in phrase if not sign.isascii())
        raise PhraseError(f"{phrase!r}: the sign {strange!a} is in no word of the language")
    for number in re.findall(r"\d+", phrase):
        if number.startswith("0") and len(number) > 1:
            raise PhraseError(f"{phrase!r}: {number} begins with a zero, which no number of a phrase does")
        if len(number) > 2 or int(number) > MOST:
            raise PhraseError(f"{phrase!r}: {number} is more than {MOST}, the most that a phrase can say")
    try:
        return _Reader().transform(_parser().parse(phrase, start=start))
    except VisitError as error:
        found = error.orig_exc
        if isinstance(found, PhraseError):
            raise PhraseError(f"{phrase!r}: {found.text}", found.meant, found.advice) from error
        raise PhraseError(f"{phrase!r}: {found}") from error
    except UnexpectedInput as error:
        place = error.pos_in_stream if error.pos_in_stream is not None else len(phrase)
        expected = _expected(error, start)
        if getattr(getattr(error, "token", None), "type", "") == "$END" or not phrase[place:].strip():
            raise PhraseError(f"{phrase!r} breaks off", advice=f"then comes {_listed(expected)}") from error
        while place and phrase[place - 1].isalnum():  # the middle of a word
            place -= 1
        wrong = phrase[place:].split(maxsplit=1)[0]
        meant, advice = _suggestion(phrase[:place].split(), phrase[place:].split(), expected, start)
        raise PhraseError(f"{phrase!r}: {wrong!r} is not understood here", meant, advice) from error


def _expected(error: UnexpectedInput, start: str) -> list[str]:
    """Return the words that the grammar would have taken, without those that belong to other kinds of phrase."""
    accepted = getattr(error, "accepts", None) or getattr(error, "allowed", None) or getattr(error, "expected", None)
    words = _terminals(start)
    return sorted({word for name in accepted or () for word in words.get(name, ())})


def _bare(word: str) -> str:
    """Return a trait or title without quotation marks."""
    return str(word).strip('"')


def quoted_if_needed(word: str) -> str:
    """Return a trait or title as phrases name it."""
    plain = word == "Capital Ship" or (word.isalpha() and word[1:].islower() and not word.endswith("s"))
    return word if plain else f'"{word}"'


def is_reserved(word: str) -> bool:
    """Return whether ``word`` says something of its own in phrases, whatever its case: no trait can be called so."""
    return word.casefold() in _reserved()


@cache
def _reserved() -> frozenset[str]:
    patterns = [terminal.pattern.value for terminal in _parser().terminals if terminal.name != "TRAIT"]
    found = (words for one in patterns for words in re.findall(r"[A-Za-z' ]{2,}", one.replace("\\ ", " ")))
    return frozenset({*(words.casefold() for words in found), *KEYWORDS, *get_args(CardType), "a", "x", "events"})


@cache
def _terminals(start: str) -> dict[str, tuple[str, ...]]:
    """Return the words of each terminal that a phrase of the kind ``start`` may have."""
    symbols, reached = [start], {start}
    while symbols:
        symbol = symbols.pop()
        for rule in _parser().rules:
            if rule.origin.name == symbol:
                below = {part.name for part in rule.expansion} - reached
                reached |= below
                symbols += below
    found: dict[str, tuple[str, ...]] = {"TRAIT": ("a trait",), "NUMBER": ("a number",), "SIGNED": ("a number",)}
    for terminal in _parser().terminals:
        words = re.findall(r"[A-Za-z' ]{2,}", terminal.pattern.value.replace("\\ ", " "))
        found.setdefault(terminal.name, tuple(words))
    return {name: words for name, words in found.items() if name in reached}


def _suggestion(before: list[str], rest: list[str], expected: list[str], start: str) -> tuple[str, str]:
    """Return what may have been meant by the beginning of ``rest``, else as advice what could stand there."""
    known = [word for words in _terminals(start).values() for word in words]
    best, meant = 0.0, ""
    for back in range(min(2, len(before)) + 1):
        words = before[len(before) - back :] + rest
        article = back == 0 and rest[0] in ("a", "an", "the")  # alone it is like many words, and means none of them
        for length in range(back + 1 + article, min(8, len(words) + 1)):
            given = " ".join(words[:length])
            for near in difflib.get_close_matches(given, known if back else expected, n=1, cutoff=0.6 + 0.1 * back):
                alike = difflib.SequenceMatcher(None, given, near).ratio()
                if near != given and alike > best and (not back or " " in near):
                    best, meant = alike, near
    if meant:
        return meant, ""
    if "a trait" in expected and rest[0].isalpha() and rest[0].islower():
        return "", f"a trait begins with a capital letter, as {rest[0].capitalize()!r}"
    return "", f"here may stand {_listed(expected)}" if expected else ""


def _listed(words: list[str]) -> str:
    return ", ".join(words[:MOST_LISTED]) + (", …" if len(words) > MOST_LISTED else "")


@lru_cache(maxsize=KEPT)
def selector(phrase: str) -> Selector:
    """Read which pieces are meant; raises :class:`PhraseError`."""
    found: Selector = _read(phrase, "selector")
    return found


@lru_cache(maxsize=KEPT)
def amount(phrase: str | int) -> Amount:
    """Read how much; raises :class:`PhraseError`."""
    if isinstance(phrase, int):
        return Amount(phrase)
    found: Amount = _read(phrase, "amount")
    return found


@lru_cache(maxsize=KEPT)
def players(phrase: str) -> Players:
    """Read which players are meant; raises :class:`PhraseError`."""
    found: Players = _read(phrase, "players")
    return found


@lru_cache(maxsize=KEPT)
def occasion(phrase: str) -> Occasion:
    """Read when a trigger happens; raises :class:`PhraseError`."""
    found: Occasion = _read(phrase, "occasion")
    return found


@lru_cache(maxsize=KEPT)
def condition(phrase: str) -> Occasion:
    """Read while what a change holds; raises :class:`PhraseError`."""
    found: Occasion = _read(phrase, "condition")
    return found


@lru_cache(maxsize=KEPT)
def vague(phrase: str) -> bool:
    """Return whether a phrase has a bare noun: "ship" where "target ship", "a ship" or "all ships" is meant."""
    things = next(_parser().parse(phrase, start="selector").find_data("things"), None)
    if things is None:
        return False
    parts = [part for part in things.children if not isinstance(part, Token)]
    noun = next(str(part.children[0]) for part in parts if part.data in ("kind", "trait_noun"))
    counted = any(part.data in ("one", "every", "up_to", "any_number", "exactly", "one_other") for part in parts)
    target = any(isinstance(part, Token) and part.type == "TARGET" for part in things.children)
    return not counted and not target and noun != "personnel" and not noun.endswith("s")


def cost(phrase: str) -> list[str]:
    """Read a cost in words, each done to this card; raises :class:`PhraseError`."""
    words = phrase.split(" and ")
    for word in words:
        if word not in COST_WORDS:
            near = difflib.get_close_matches(word, COST_WORDS, n=1)
            meant = f"did you mean {near[0]!r}?" if near else "other costs are lists of steps"
            raise PhraseError(f"{phrase!r}: {word!r} is none of {', '.join(COST_WORDS)}", advice=meant)
    if len(set(words)) != len(words):
        raise PhraseError(f"{phrase!r} says one thing twice")
    return words


def helping(phrase: str) -> tuple[str, str]:
    """Read what helping with a mission costs, and for which trait alone; raises :class:`PhraseError`."""
    what, _, trait = phrase.partition(" for ")
    if what not in HELP_WORDS:
        near = difflib.get_close_matches(what, HELP_WORDS, n=1)
        advice = "" if near else f"it is one of {', '.join(HELP_WORDS)}"
        raise PhraseError(f"{phrase!r}: {what!r} is not understood here", "".join(near), advice)
    if phrase != what and not trait[:1].isupper():
        raise PhraseError(f"{phrase!r}: after 'for' comes a trait")
    return what, trait


READERS: dict[str, Callable[[str], object]] = {
    "selector": selector,
    "cards": selector,
    "players": players,
    "amount": amount,
    "occasion": occasion,
    "condition": condition,
    "cost": cost,
    "help": helping,
}
"""What reads a phrase of each kind that :mod:`~ccg.rules.cards.schema` knows."""


@lru_cache(maxsize=KEPT)
def forms(phrase: str, start: str) -> frozenset[str]:
    """Return the forms of the grammar that ``phrase`` uses, by name, and its words; raises :class:`PhraseError`."""
    _read(phrase, start)
    tree = _parser().parse(phrase, start=start)
    words = (str(token) for token in tree.scan_values(lambda token: isinstance(token, Token)))
    return frozenset([*(str(part.data) for part in tree.iter_subtrees()), *words])


def number_of(selector: Selector) -> Literal["one", "many"]:
    """Return whether ``selector`` means one thing or many."""
    return "many" if selector.every or selector.most > 1 or selector.pronoun == "them" else "one"


def with_article(noun: str) -> str:
    """Return ``noun`` with its indefinite article, for messages."""
    return f"{'an' if noun[0] in 'aeiou' else 'a'} {noun}"
