"""Words with steps inside them: for, choose one, may, at."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from ccg.rules.cards import phrases
from ccg.rules.cards.schema import CostPhrase, Mode, Moment, PlayersPhrase, Step, key
from ccg.rules.core.engine import Effect
from ccg.rules.effects.steps import ChooseWay, ForEach, Later, Offer
from ccg.rules.effects.word import (
    STRUCTURE,
    TO_YOU,
    WHAT_THEY_MAY,
    Checking,
    Clause,
    Compiling,
    Do,
    Telling,
    Voice,
    Word,
)
from ccg.rules.effects.words.in_play import costs


class For(Word):
    """Each of these players is "you" in `do`, one after another in turn order, and makes the choices there."""

    verb: ClassVar[str] = "for"
    group: ClassVar[str] = STRUCTURE
    section: ClassVar[str] = "Effects"

    for_: PlayersPhrase
    do: Do = []

    @property
    def whom(self) -> str | None:
        return self.for_

    def inner(self) -> list[Sequence[Step]]:
        return [self.do]

    def check(self, check: Checking) -> None:
        check.players("for", self.for_)
        check.inside("do", self.do, late=True)

    def compiled(self, compiling: Compiling, late: bool) -> Effect:
        return ForEach(self.for_, self.do, compiling, late)

    def wording(self, teller: Telling, voice: Voice, more: Sequence[Word] = ()) -> Clause:
        players = phrases.players(self.for_)
        if players.kind == "you":
            clauses = teller.clauses(self.do, voice)
            return Clause(teller.joined(clauses), acts=clauses[0].acts, simple=False)
        who = teller.players(self.for_, TO_YOU)
        effect, acts = teller.doing(self.do)
        if not acts:
            return Clause(teller.say("for.other", who=who, effect=effect), acts=False, simple=False)
        if players.target and voice.mood == "does":
            return Clause(teller.tell("for.target", voice, players.kind, effect=effect))
        return Clause(teller.say("actor", who=who, clause=effect), acts=False)


class ChooseOne(Word):
    """One of these, of those that are possible: a step each, or a list of steps."""

    verb: ClassVar[str] = "choose one"
    group: ClassVar[str] = STRUCTURE
    section: ClassVar[str] = "Effects"

    choose_one: Annotated[list[Mode], Meta(min_length=2, max_length=6)]

    def inner(self) -> list[Sequence[Step]]:
        return list(self.choose_one)

    def check(self, check: Checking) -> None:
        check.modes("choose one", self.choose_one)

    def compiled(self, compiling: Compiling, late: bool) -> Effect:
        return ChooseWay(self.choose_one, compiling, late)

    def wording(self, teller: Telling, voice: Voice, more: Sequence[Word] = ()) -> Clause:
        ways = self._told(teller, voice)
        if all(clause.acts and clause.simple for way in ways for clause in way):
            modes = teller.listed([teller.joined(way) for way in ways], "list.or")
            return Clause(teller.say("choose_one", modes=modes), simple=False)
        modes = teller.listed(self.ways(teller, TO_YOU if voice.mood == "do" else WHAT_THEY_MAY), "list.modes")
        return Clause(teller.tell("choose_one.other", voice, modes=modes), simple=False)

    def ways(self, teller: Telling, voice: Voice) -> list[str]:
        """Return each of the ways in words."""
        return [teller.listed([clause.text for clause in way], "list.and") for way in self._told(teller, voice)]

    def _told(self, teller: Telling, voice: Voice) -> list[list[Clause]]:
        """Return the clauses of each way; what one of them names, another does not know."""
        ways = []
        for mode in self.choose_one:
            before = teller.last, teller.it
            ways.append(teller.clauses(mode, voice))
            teller.last, teller.it = before
        return ways


class May(Word):
    """The player may pay a cost, and only then `do` follows; `true` costs nothing."""

    verb: ClassVar[str] = "may"
    group: ClassVar[str] = STRUCTURE
    section: ClassVar[str] = "Effects"

    may: CostPhrase | list[Step] | bool
    do: Do = []
    once: Annotated[Literal["each turn"] | None, key("The offer can be taken once a turn.")] = None

    def inner(self) -> list[Sequence[Step]]:
        return [self.do]

    def check(self, check: Checking) -> None:
        check.inside("do", self.do, offered=self.may)

    def compiled(self, compiling: Compiling, late: bool) -> Effect:
        return Offer(costs(self.may), self.do, self.once is not None, compiling, late)

    def wording(self, teller: Telling, voice: Voice, more: Sequence[Word] = ()) -> Clause:
        if isinstance(self.may, bool):
            text = teller.freely(self.do, voice)
        else:
            text = teller.offered(costs(self.may), self.do, voice)
        if self.once is not None:
            text = teller.say("may.once", clause=text)
        return Clause(text, voice.mood == "does", isinstance(self.may, bool))


class At(Word):
    """What is in `do` happens later, at that moment."""

    verb: ClassVar[str] = "at"
    group: ClassVar[str] = STRUCTURE
    section: ClassVar[str] = "Effects"

    at: Moment
    do: Do = []

    def inner(self) -> list[Sequence[Step]]:
        return [self.do]

    def check(self, check: Checking) -> None:
        check.inside("do", self.do, late=True)

    def compiled(self, compiling: Compiling, late: bool) -> Effect:
        return Later(self.at, self.do, compiling)

    def wording(self, teller: Telling, voice: Voice, more: Sequence[Word] = ()) -> Clause:
        clauses = teller.clauses(self.do, voice)
        place = "after" if len(clauses) == 1 and clauses[0].simple else "before"
        text = teller.listed([clause.text for clause in clauses], "list.and")
        return Clause(teller.say(f"at.{self.at}", place, clause=text), acts=clauses[0].acts, later=True)
