"""What phrases say has to make sense where they stand: what they refer to, what is chosen, what is compared.

Phrases are known to be well formed here (:mod:`ccg.rules.cards.phrases`); whether a step may stand where it stands is
the business of :mod:`ccg.rules.authoring.checking`.
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Any, NamedTuple

from msgspec import Struct

from ccg.rules.authoring.records import KeyPath, Problem, nearest
from ccg.rules.cards import phrases
from ccg.rules.cards.definitions import KEYWORDS, CardType
from ccg.rules.cards.phrases import Amount, Description, Occasion, Selector

CARD_NOUNS = frozenset({"unit", "personnel", "ship", "mission", "card"})
"""Nouns for cards that are not in play."""

LAYERS = {"trait": 0, "keyword": 1, "power": 2, "threat": 3}
"""Changes that last are worked out in this order; one may only ask for what is worked out before it."""


class Referents(Struct):
    """What words can refer to at some point of an ability."""

    it: bool = False
    whom: bool = False
    x: bool = False
    hand: str = ""

    def copy(self) -> Referents:
        return Referents(self.it, self.whom, self.x, self.hand)


class Surroundings(NamedTuple):
    """Where a step stands: the form of its ability, whether choices are made late, whether it is paid as a cost."""

    form: str
    late: bool = False
    cost: bool = False
    when: str = ""
    depth: int = 1


class PhraseChecker:
    """Checks the phrases of one ability on a card of the type ``kind`` and adds to ``found`` what is wrong.

    ``choices`` counts what is chosen for the ability.
    """

    def __init__(self, kind: CardType, found: list[Problem]) -> None:
        self.kind = kind
        self.found = found
        self.choices = 0

    def wrong(self, path: KeyPath, text: str, meant: str = "", advice: str = "") -> None:
        """Add a problem."""
        self.found.append(Problem(path, text, meant, advice))

    def things(
        self,
        phrase: str,
        path: KeyPath,
        where: Surroundings,
        referents: Referents,
        as_played: bool = False,
        quiet: bool = False,
    ) -> Selector:
        """Check who or what a step is about, and return it."""
        selector = phrases.selector(phrase)
        chosen = not selector.every and not selector.pronoun
        self.choices += chosen
        self._refers(selector, path, referents)
        if phrases.vague(phrase):
            self.wrong(path, f"{phrase!r} does not say which", advice="say 'target', 'a', or 'all' with more than one")
        if "supply card" in selector.nouns:
            self.wrong(path, "a supply card can only be sacrificed: sacrifice: a supply card")
        if selector.pronoun == "this" and self.kind == "event" and not quiet and where.form != "red":
            self.wrong(path, "an event is not in play, so there is no 'this'")
        if where.form == "always" and not selector.every and selector.pronoun != "this":
            self.wrong(
                path, f"{phrase!r}: what always works is on 'this' or on all of a kind, as 'other ships you control'"
            )
        elif chosen and as_played and (where.late or not selector.target):
            at, advice = ("", f"it cannot stand in {late_places(where)}") if where.late else (": say 'target'", "")
            self.wrong(path, f"{phrase!r} is chosen as the ability is played{at}", advice=advice)
        return selector

    def _refers(self, selector: Selector, path: KeyPath, referents: Referents) -> None:
        """Check that words which refer to something have something to refer to."""
        if selector.pronoun in ("it", "them") and not referents.it:
            self.wrong(
                path, f"{selector.pronoun!r} refers to nothing", advice="a step before it has to be about something"
            )
        for description in selector.descriptions:
            for suffix, word in description.suffixes:
                if suffix == "theirs" and not referents.whom:
                    self.wrong(path, "'they' refers to nobody", advice="a step before it has to be about somebody")
                elif suffix == "same_title" and not referents.it:
                    self.wrong(path, "'its' refers to nothing", advice="a step before it has to be about something")
                elif suffix == "with_keyword" and word.lower() not in KEYWORDS:
                    self.wrong(path, f"there is no keyword {word!r}", nearest(word.lower(), KEYWORDS))

    def _tested(self, selector: Selector | None, path: KeyPath, referents: Referents) -> None:
        """Check what something is only compared with: none of it is chosen, and it is not counted."""
        if selector is None:
            return
        self._refers(selector, path, referents)
        if selector.target:
            self.wrong(path, "nothing is chosen here, so nothing is a target", advice="say 'a'")
        elif selector.most != 1 or selector.least != 1:
            self.wrong(path, "nothing is counted here", advice="say 'a'")
        if "supply card" in selector.nouns:
            self.wrong(path, "supply cards lie face down", advice="nothing is known of them")
        if selector.pronoun == "this" and self.kind == "event":
            self.wrong(path, "an event is not in play, so there is no 'this'")

    def cards(self, phrase: str | None, path: KeyPath, target: bool = False) -> None:
        """Check a kind of card that is not in play: all that is known of it is its type and its traits."""
        if phrase is None:
            return
        selector = phrases.selector(phrase)
        if selector.pronoun:
            self.wrong(path, f"{phrase!r}: here stands a kind of card, as 'Cylon card'")
        for description in selector.descriptions:
            if description.noun not in CARD_NOUNS:
                self.wrong(
                    path,
                    f"{phrases.with_article(description.noun)} is in play",
                    advice="here stands a kind of card, as 'Cylon card'",
                )
            elif description.words or description.suffixes:
                self.wrong(path, f"{phrase!r}: of a card that is not in play only its type and traits are known")
        if selector.most != 1 or selector.least != 1 or (selector.target and not target):
            without = "a number" if target else "a number or 'target'"
            self.wrong(path, f"{phrase!r}: it is one card", advice=f"say 'card' without {without}")

    def people(
        self,
        phrase: str | None,
        path: KeyPath,
        where: Surroundings,
        referents: Referents,
        one: bool = False,
        as_played: bool = False,
    ) -> None:
        if phrase is None:
            return
        players = phrases.players(phrase)
        self.choices += players.target
        if players.most is not None:
            self._most(players.most, path, referents)
        if players.kind == "they" and not referents.whom:
            self.wrong(path, "'they' refers to nobody", advice="a step before it has to be about somebody")
        elif players.kind in ("its_controller", "its_owner") and not referents.it:
            self.wrong(path, "'its' refers to nothing", advice="a step before it has to be about something")
        elif one and (players.kind.startswith("each") or players.most is not None):
            self.wrong(path, f"{phrase!r} are several players", advice="this is for one")
        elif as_played and players.target and where.late:
            self.wrong(
                path,
                f"{phrase!r} is chosen as the ability is played",
                advice=f"it cannot stand in {late_places(where)}",
            )

    def _most(self, most: Amount, path: KeyPath, referents: Referents) -> None:
        """Check what somebody has the most of: it must be counted for each player."""
        self._tested(most.of, path, referents)
        if most.of is None and not (most.value and most.known):
            self.wrong(path, "all players have the same", advice="say what is counted, as 'cards in your hand'")
        self._hands(most, path, referents)

    def _hands(self, amount: Amount, path: KeyPath, referents: Referents) -> None:
        """Refuse an amount that tells what is in hands which nobody has seen."""
        if amount.value == "hand highest" and referents.hand != "each player":
            self.wrong(path, "nobody sees the hands of others", advice="let `reveal hand: each player` come before")

    def amount(
        self, written: Any, path: KeyPath, referents: Referents, least: int | None = None, lasting: bool = False
    ) -> None:
        """Check how much; ``least`` where less would be nothing."""
        amount = phrases.amount(written)
        plain = not amount.value and amount.of is None
        each = amount.base if plain else amount.each
        if not (amount.value and amount.known) and (each == 0 or (least is not None and each < least)):
            self.wrong(path, f"{written} does nothing" if each == 0 else f"{written} is less than nothing")
        if amount.value == "x" and (lasting or not referents.x):
            self.wrong(path, "a step before it has to say what X is" if not lasting else "there is no X in `always`")
        if amount.value in ("mystic", "power"):
            self._refers(Selector(pronoun=amount.pronoun), path, referents)
            if amount.pronoun == "this" and self.kind == "event":
                self.wrong(path, "an event is not in play, so there is no 'this'")
        self._hands(amount, path, referents)
        self._tested(amount.of, path, referents)

    def condition(self, phrase: str | None, path: KeyPath, referents: Referents) -> None:
        if phrase is None:
            return
        condition = phrases.condition(phrase)
        self._tested(condition.who, path, referents)
        if condition.kind != "is_challenging_without":
            self._tested(condition.whom, path, referents)

    def layer(self, kind: str, asked: Selector | Amount | Occasion, path: KeyPath) -> None:
        """Refuse a change that would have to be known before it can be worked out."""
        own = LAYERS.get(kind, 9)
        needs = _asks(asked)
        if kind == "trait" and path[-1] == "of":
            needs -= {0}  # of gained and lost traits the latest counts (ruling 47)
        for layer in sorted(needs):
            if layer >= own:
                word = next(name for name, number in LAYERS.items() if number == layer)
                self.wrong(path, f"asks for {word}, so a lasting change of {kind} cannot depend on it")


def late_places(where: Surroundings) -> str:
    """Return what is around a step whose choices are made late, as messages say it."""
    return "`red`" if where.form == "red" else "`for`, `at` or `contest`"


def _asks(asked: Selector | Amount | Occasion) -> set[int]:
    """Return the layers that have to be worked out to answer a phrase."""
    if isinstance(asked, Amount):
        found = {LAYERS["power"]} if asked.value == "power" else set()
        return found | (_asks(asked.of) if asked.of is not None else set())
    if isinstance(asked, Occasion):
        return {layer for one in (asked.who, asked.whom) if one is not None for layer in _asks(one)}
    return {layer for description in asked.descriptions for layer in _described(description)}


def _described(description: Description) -> Iterator[int]:
    if description.trait or description.traits:
        yield LAYERS["trait"]
    for suffix, _ in description.suffixes:
        layer = {"without": "trait", "with_keyword": "keyword", "weak": "power"}.get(suffix)
        if layer is not None:
            yield LAYERS[layer]
