"""Words about influence: gain, lose, prevent, reduce."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Literal

from ccg.rules.cards import phrases
from ccg.rules.cards.schema import Number
from ccg.rules.core import selectors
from ccg.rules.core.engine import Effect, Engine, Frame
from ccg.rules.core.state import Context
from ccg.rules.effects import targets
from ccg.rules.effects.word import INFLUENCE, Checking, Clause, Compiling, Lasts, Telling, Voice, Word, Worth
from ccg.rules.effects.words.common import Counted, CountedByPlayers, GameChange, ended
from ccg.rules.rulebook.influence import Influence, ReduceLoss


class Gain(CountedByPlayers, kw_only=True):
    """Players gain influence."""

    verb: ClassVar[str] = "gain"
    group: ClassVar[str] = INFLUENCE
    section: ClassVar[str] = "Victory Conditions"
    worth: ClassVar[Worth] = Worth("influence", 1)
    does: ClassVar[Counted] = Counted(
        lambda seats, amount: [Influence([(seat, amount) for seat in seats])], targets.may_gain
    )

    gain: Number

    def template(self, teller: Telling) -> str:
        """Defeating a Cylon threat gains influence by itself (rulebook: Cylon Phase); this comes on top of it."""
        return "gain.more" if teller.occasion_kind == "beats_threat" and self.who in (None, "you") else "gain"


class Lose(CountedByPlayers, kw_only=True):
    """Players lose influence."""

    verb: ClassVar[str] = "lose"
    group: ClassVar[str] = INFLUENCE
    section: ClassVar[str] = "Victory Conditions"
    worth: ClassVar[Worth] = Worth("influence", -1)
    does: ClassVar[Counted] = Counted(
        lambda seats, amount: [Influence([(seat, -amount) for seat in seats])], targets.may_lose
    )

    lose: Number

    @property
    def brings_about(self) -> tuple[str, ...]:
        return ("you_lose",) if self.who in (None, "you", "each player") else ()


class Prevent(GameChange):
    """No player loses, or no player gains, influence for a while."""

    verb: ClassVar[str] = "prevent"
    group: ClassVar[str] = INFLUENCE
    section: ClassVar[str] = "Effects"
    worth: ClassVar[Worth] = Worth("flat", 0.4)
    forbids: ClassVar[bool] = True

    prevent: Literal["influence loss", "influence gain"]
    until: Lasts = None

    @property
    def word(self) -> str:
        return self.prevent

    def changed(self, teller: Telling, until: str = "") -> str:
        return ended(teller, teller.say(f"prevent.{self.prevent}"), until)


class Reduce(Word):
    """The loss that is about to happen is so much smaller."""

    verb: ClassVar[str] = "reduce"
    group: ClassVar[str] = INFLUENCE
    section: ClassVar[str] = "Effects"
    only: ClassVar[str] = "instead of: you would lose influence"

    reduce: Number

    def check(self, check: Checking) -> None:
        check.amount("reduce", self.reduce, least=1)

    def compiled(self, compiling: Compiling, late: bool) -> Effect:
        return ReducedLoss(self.reduce)

    def wording(self, teller: Telling, voice: Voice, more: Sequence[Word] = ()) -> Clause:
        shown, _ = teller.amount(self.reduce)
        return Clause(teller.measured(teller.tell("reduce", voice, number=shown), self.reduce, voice))


class ReducedLoss(Effect):
    """The loss of influence about to happen becomes smaller."""

    def __init__(self, amount: int | str) -> None:
        self.amount = selectors.quantity(phrases.amount(amount))

    def perform(self, engine: Engine, context: Context) -> list[Frame]:
        return [ReduceLoss(context.you, self.amount(engine, context, None))]
