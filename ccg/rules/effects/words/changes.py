"""Words for changes: power, Cylon threat, traits and keywords, what cannot be done, and changes to the game."""

from __future__ import annotations

from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from ccg.rules.cards import phrases
from ccg.rules.cards.definitions import UNIT_KEYWORDS
from ccg.rules.cards.phrases import Amount, Selector
from ccg.rules.cards.schema import CardsPhrase, Number, TraitOrKeyword, key
from ccg.rules.core.state import ModifierKind
from ccg.rules.effects.word import TO_YOU, Checking, Lasts, Telling, Voice, While, Worth
from ccg.rules.effects.words.common import GameChange, PieceChange, ended


class NumberChange(PieceChange, kw_only=True):
    """A change of a number of pieces."""

    @property
    def quantity(self) -> Amount:
        return phrases.amount(self.argument)

    def check_argument(self, check: Checking) -> None:
        check.amount(self.verb, self.argument, lasting=check.form == "always")

    def check_counted(self, check: Checking) -> None:
        check.known_before(self.verb, self.kind, self.argument)

    def change_words(self, teller: Telling, number: str, voice: Voice, until: str) -> str:
        shown, _ = teller.amount(self.argument, signed=True)
        text = ended(teller, teller.say(self.verb, number, number=shown), until)
        return teller.measured(text, self.argument, voice)


class Power(NumberChange, kw_only=True):
    """The power of cards changes by so much."""

    verb: ClassVar[str] = "power"
    worth: ClassVar[Worth] = Worth("power", 1)

    power: Number


class TraitChange(PieceChange, kw_only=True):
    """A trait or a keyword that pieces gain or lose."""

    @property
    def kind(self) -> ModifierKind:
        return "keyword" if self.is_keyword else "trait"

    @property
    def is_keyword(self) -> bool:
        """Whether it is about a keyword."""
        return self.argument.lower() in UNIT_KEYWORDS

    def change_words(self, teller: Telling, number: str, voice: Voice, until: str) -> str:
        if self.is_keyword:
            text = teller.say(f"{self.verb}.keyword", number, keyword=teller.keyword(self.argument.lower()))
        else:
            text = teller.say(self.verb, number, trait=teller.trait(self.argument))
        return ended(teller, text, until)


class Gains(TraitChange, kw_only=True):
    """Cards gain a trait or a keyword."""

    verb: ClassVar[str] = "gains"
    worth: ClassVar[Worth] = Worth("help", 0.1)

    gains: TraitOrKeyword

    @property
    def word(self) -> str:
        return self.gains.lower() if self.is_keyword else self.gains


class Loses(TraitChange, kw_only=True):
    """Cards lose a trait."""

    verb: ClassVar[str] = "loses"
    worth: ClassVar[Worth] = Worth("harm", 0.1)

    loses: TraitOrKeyword

    @property
    def word(self) -> str:
        return self.loses.lower() if self.is_keyword else f"-{self.loses}"

    def check_argument(self, check: Checking) -> None:
        if self.is_keyword:
            check.wrong("keywords are gained, not lost", "loses", advice="`loses` is for traits")


class Cannot(PieceChange, kw_only=True):
    """Cards cannot do something, or it cannot be done to them; `be targeted by power` is about effects that change
    power.
    """

    verb: ClassVar[str] = "cannot"
    worth: ClassVar[Worth] = Worth("harm", 0.2)
    forbids: ClassVar[bool] = True

    cannot: Literal["challenge", "defend", "be targeted", "be targeted by power"]

    @property
    def word(self) -> str:
        return self.cannot

    def told_pieces(self, teller: Telling, of: Selector, voice: Voice, number: str) -> str:
        if not of.every:
            return super().told_pieces(teller, of, voice, number)
        who = teller.say("which.none", what=teller.kinds(of, voice, "one", owner=True))
        teller.mention(of)
        return who

    def change_words(self, teller: Telling, number: str, voice: Voice, until: str) -> str:
        every = phrases.selector(self.on).every
        text = ended(teller, teller.say(f"can.{self.cannot}" if every else f"cannot.{self.cannot}", number), until)
        return teller.say(f"cannot by.{self.cannot}", clause=text)


class Fleet(GameChange):
    """The fleet defense level changes by so much."""

    verb: ClassVar[str] = "fleet"
    section: ClassVar[str] = "Fleet Defense Level"

    fleet: Number
    until: Lasts = None
    while_: While = None

    @property
    def quantity(self) -> Amount:
        return phrases.amount(self.fleet)

    def check(self, check: Checking) -> None:
        check.amount("fleet", self.fleet, lasting=check.form == "always")
        super().check(check)


class Threat(NumberChange, kw_only=True):
    """The Cylon threat of cards changes by so much."""

    verb: ClassVar[str] = "threat"

    threat: Number


class Price(GameChange):
    """Others pay so many resources of any type for each challenge against the player."""

    verb: ClassVar[str] = "price"
    section: ClassVar[str] = "Challenge"
    only: ClassVar[str] = "always"

    price: Annotated[int, Meta(ge=1, le=5)]
    while_: While = None

    @property
    def quantity(self) -> Amount:
        return phrases.amount(self.price)

    def changed(self, teller: Telling, until: str = "") -> str:
        shown, size = teller.amount(self.price)
        return teller.measured(teller.say("price", size, number=shown), self.price)


class NotSingular(GameChange):
    """The player's cards of that kind are not singular."""

    verb: ClassVar[str] = "not singular"
    section: ClassVar[str] = "Overlaying cards"
    only: ClassVar[str] = "always"
    worth: ClassVar[Worth] = Worth("flat", 0.2)

    not_singular: CardsPhrase
    while_: While = None

    @property
    def word(self) -> str:
        return self.not_singular

    def check(self, check: Checking) -> None:
        check.cards("not singular", self.not_singular)
        super().check(check)

    def changed(self, teller: Telling, until: str = "") -> str:
        return teller.say("not_singular", what=teller.kind(self.not_singular, TO_YOU, "many"))


class Revealed(GameChange):
    """Each mystic value that the player reveals changes by so much; `of` says of which cards, else of all."""

    verb: ClassVar[str] = "revealed"
    section: ClassVar[str] = "Revealing a Mystic Value"
    only: ClassVar[str] = "always"
    worth: ClassVar[Worth] = Worth("flat", 0.4)

    revealed: Number
    of: Annotated[CardsPhrase | None, key("Of which kind of card; of all if it is not said.")] = None
    while_: While = None

    @property
    def word(self) -> str:
        return self.of or "card"

    @property
    def quantity(self) -> Amount:
        return phrases.amount(self.revealed)

    def check(self, check: Checking) -> None:
        check.cards("of", self.of)
        check.amount("revealed", self.revealed, lasting=check.form == "always")
        super().check(check)

    def changed(self, teller: Telling, until: str = "") -> str:
        shown, _ = teller.amount(self.revealed, signed=True)
        if self.of in (None, "card"):
            return teller.measured(teller.say("revealed", number=shown), self.revealed)
        of = teller.cards(self.of or "")
        return teller.measured(teller.say("revealed.of", number=shown, what=of), self.revealed)
