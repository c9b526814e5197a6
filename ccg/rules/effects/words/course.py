"""Words about the course of the game: actions, payments, phases, challenges and Cylon threats."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from typing import Annotated, ClassVar, Literal

from msgspec import Meta

from ccg.rules.cards.schema import PlayersPhrase, SelectorPhrase, key
from ccg.rules.core import characteristics
from ccg.rules.core import state as states
from ccg.rules.core.engine import Choice, ContinuousEffect, Effect, Engine, Frame
from ccg.rules.core.state import Context, Modifier, Phase, Piece, Until
from ccg.rules.effects.steps import AboutPieces
from ccg.rules.effects.targets import PieceSelector, PlayerSelector, has_red_text
from ccg.rules.effects.word import COURSE, STRUCTURE, Checking, Clause, Compiling, Telling, Voice, Word, Worth
from ccg.rules.rulebook.resolving import part_of
from ccg.rules.rulebook.threats import RevealThreats

SomeFew = Annotated[int, Meta(ge=1, le=5)]
A_THREAT = "target Cylon threat"


def _counted(word: Word, teller: Telling, voice: Voice) -> Clause:
    """Return what a player does, told with a number."""
    return Clause(teller.tell(word.verb, voice, "one" if word.argument == 1 else "many", number=word.argument))


class Extra(Word):
    """The player takes so many more actions, directly after this one."""

    verb: ClassVar[str] = "extra"
    group: ClassVar[str] = COURSE
    section: ClassVar[str] = "Execution Phase"
    worth: ClassVar[Worth] = Worth("flat", 0.9)

    extra: SomeFew

    def compiled(self, compiling: Compiling, late: bool) -> Effect:
        return ExtraActions(self.extra)

    def wording(self, teller: Telling, voice: Voice, more: Sequence[Word] = ()) -> Clause:
        return _counted(self, teller, voice)


class ExtraActions(Effect):
    """The player takes as many actions more, directly after this one (rulings 21 and 79).

    Used in a challenge they follow on the action that it belongs to; in the Cylon phase there are none.
    """

    def __init__(self, number: int) -> None:
        self.number = number

    def perform(self, engine: Engine, context: Context) -> list[Frame]:
        if engine.phase == Phase.EXECUTION:
            engine.state.granted.extra_actions += [context.you] * self.number
            engine.emit("extra", context.you, number=self.number)
        return []


class Cheaper(Word):
    """A card costs so much less of one resource on the player's next action."""

    verb: ClassVar[str] = "cheaper"
    group: ClassVar[str] = COURSE
    section: ClassVar[str] = "Paying Costs"
    worth: ClassVar[Worth] = Worth("flat", 0.5)

    cheaper: SomeFew

    def compiled(self, compiling: Compiling, late: bool) -> Effect:
        return Discount(self.cheaper)

    def wording(self, teller: Telling, voice: Voice, more: Sequence[Word] = ()) -> Clause:
        return Clause(teller.say("cheaper", number=self.cheaper), acts=False)


class Discount(Effect):
    """A card costs less of one resource on the player's next action."""

    def __init__(self, amount: int) -> None:
        self.amount = amount

    def perform(self, engine: Engine, context: Context) -> list[Frame]:
        engine.modify(Modifier("cheaper", part_of(context), [], amount=self.amount, until=Until.NEXT_ACTION))
        return []


class Convert(Word):
    """On the player's next action a stack that makes `at least` so many of that resource `makes` so many of any one
    resource instead.
    """

    verb: ClassVar[str] = "convert"
    group: ClassVar[str] = COURSE
    section: ClassVar[str] = "Generating Resources"
    worth: ClassVar[Worth] = Worth("flat", 0.4)

    convert: Literal["persuasion", "logistics", "security"]
    at_least: Annotated[
        Annotated[int, Meta(ge=1, le=9)] | None, key("How many the stack makes by itself; 1 if it is not said.")
    ] = None
    makes: Annotated[Annotated[int, Meta(ge=1, le=9)] | None, key("How many it makes instead.")] = None

    def check(self, check: Checking) -> None:
        if self.makes is None:
            check.wrong("convert needs `makes`: how many the stack makes instead")

    def compiled(self, compiling: Compiling, late: bool) -> Effect:
        return ConvertStacks(self, compiling)

    def wording(self, teller: Telling, voice: Voice, more: Sequence[Word] = ()) -> Clause:
        name = teller.words.RESOURCES[self.convert]
        text = teller.say(
            "convert", resource=self.convert, name=name, number=self.at_least or 1, made=self.makes
        )  # fmt: skip
        return Clause(text, acts=False)


class ConvertStacks(Effect):
    """Stacks make another resource on the player's next action."""

    def __init__(self, word: Convert, compiling: Compiling) -> None:
        self.resource = word.convert
        self.least = word.at_least or 1
        made = word.makes or 1
        self.change = compiling.change(ContinuousEffect("convert", self._touches, lambda engine, context, stack: made))

    def _touches(self, engine: Engine, context: Context, stack: Piece) -> bool:
        return (
            stack.controller == context.you
            and engine.definition(stack).produces == self.resource
            and characteristics.yields(engine, stack) >= self.least
        )

    def perform(self, engine: Engine, context: Context) -> list[Frame]:
        engine.modify(Modifier("convert", part_of(context), None, self.change, until=Until.NEXT_ACTION))
        return []


class End(Word):
    """The challenge or the phase is over when this effect is done."""

    verb: ClassVar[str] = "end"
    group: ClassVar[str] = COURSE
    section: ClassVar[str] = "Challenge Procedure"
    worth: ClassVar[Worth] = Worth("flat", 0.1)

    end: Literal["challenge", "execution phase"]

    def compiled(self, compiling: Compiling, late: bool) -> Effect:
        return EndIt(self.end)

    def wording(self, teller: Telling, voice: Voice, more: Sequence[Word] = ()) -> Clause:
        return Clause(teller.say(f"end.{self.end}"), acts=False)


class EndIt(Effect):
    """The challenge or the execution phase is over when the effect is done."""

    def __init__(self, what: str) -> None:
        self.what = what

    def perform(self, engine: Engine, context: Context) -> list[Frame]:
        challenge = engine.state.challenge
        if self.what == "challenge":
            if challenge is not None:
                challenge.over = True
        else:
            engine.state.granted.phase_over = True
        return []


class AddPhases(Word):
    """After the Cylon phase follow another execution and another Cylon phase. In play only with `once: each turn`."""

    verb: ClassVar[str] = "add phases"
    group: ClassVar[str] = COURSE
    section: ClassVar[str] = "Turn Structure"

    add_phases: bool

    def compiled(self, compiling: Compiling, late: bool) -> Effect:
        return MorePhases()

    def wording(self, teller: Telling, voice: Voice, more: Sequence[Word] = ()) -> Clause:
        return Clause(teller.say("add_phases"), acts=False)


class MorePhases(Effect):
    """After the next Cylon phase come another execution phase and another Cylon phase."""

    def perform(self, engine: Engine, context: Context) -> list[Frame]:
        engine.state.granted.more_phases += 1
        return []


class GoesFirst(Word):
    """That player is first player in the next Cylon phase of this turn."""

    verb: ClassVar[str] = "goes first"
    group: ClassVar[str] = COURSE
    section: ClassVar[str] = "First Player"
    worth: ClassVar[Worth] = Worth("flat", 0.1)

    goes_first: PlayersPhrase

    @property
    def whom(self) -> str | None:
        return self.goes_first

    def check(self, check: Checking) -> None:
        check.players("goes first", self.goes_first, one=True, as_played=True)

    def compiled(self, compiling: Compiling, late: bool) -> Effect:
        return NameFirst(self.goes_first, compiling, late)

    def wording(self, teller: Telling, voice: Voice, more: Sequence[Word] = ()) -> Clause:
        who = teller.players(self.goes_first, voice)
        return Clause(
            teller.say("goes_first", who=who) if who else teller.say("goes_first.you"), acts=False
        )  # fmt: skip


class NameFirst(Effect):
    """Players are first player in the next Cylon phase of this turn."""

    def __init__(self, who: str, compiling: Compiling, late: bool) -> None:
        self.whose = PlayerSelector(who, compiling, late)

    def announced(self, engine: Engine, context: Context) -> Iterator[Choice]:
        return self.whose.announced()

    def perform(self, engine: Engine, context: Context) -> list[Frame]:
        for seat in self.whose.found(engine, context):
            engine.state.granted.first.append(seat)
            engine.emit("goes first", seat)
        return []


class Fate(Word):
    """The challenge that is going on ends otherwise for one who takes part."""

    verb: ClassVar[str] = "fate"
    group: ClassVar[str] = COURSE
    section: ClassVar[str] = "Challenge Procedure"
    worth: ClassVar[Worth] = Worth("flat", 0.6)

    fate: Literal[
        "the loser", "the winner", "a losing challenger", "a losing defender", "a winning challenger",
        "a winning defender",
    ]  # fmt: skip
    is_: Annotated[
        Literal["exhausted", "spared", "defeated"] | None,
        key(
            "What becomes of it: a loser is `exhausted` or `spared`, not defeated; a winner `exhausted` or `defeated`."
        ),
    ] = None

    def check(self, check: Checking) -> None:
        wins = "win" in self.fate
        if self.is_ is None:
            check.wrong("fate needs `is`: what becomes of it")
        elif self.is_ == "defeated" and not wins:
            check.wrong(f"{self.fate} is defeated as it is", "is", advice="here stands 'exhausted' or 'spared'")
        elif self.is_ == "spared" and wins:
            check.wrong(f"{self.fate} is not defeated", "is", advice="here stands 'exhausted' or 'defeated'")

    def compiled(self, compiling: Compiling, late: bool) -> Effect:
        return ChangeFate(self)

    def wording(self, teller: Telling, voice: Voice, more: Sequence[Word] = ()) -> Clause:
        return Clause(teller.say(f"fate.{self.fate}", self.is_ or "spared"), acts=False)


class ChangeFate(Effect):
    """Something becomes of who takes part in the challenge that is going on."""

    def __init__(self, word: Fate) -> None:
        self.fate: states.Fate = (word.fate, word.is_ or "spared")

    def perform(self, engine: Engine, context: Context) -> list[Frame]:
        challenge = engine.state.challenge
        if challenge is not None:
            challenge.fates.append(self.fate)
        return []


class Threats(Word):
    """The player reveals so many more Cylon threats."""

    verb: ClassVar[str] = "threats"
    group: ClassVar[str] = COURSE
    section: ClassVar[str] = "Resolving Cylon Threats"
    only: ClassVar[str] = "red"

    threats: SomeFew

    @property
    def brings_about(self) -> tuple[str, ...]:
        return ("threats_revealed",)

    def compiled(self, compiling: Compiling, late: bool) -> Effect:
        return MoreThreats(self.threats, compiling, late)

    def wording(self, teller: Telling, voice: Voice, more: Sequence[Word] = ()) -> Clause:
        return _counted(self, teller, voice)


class MoreThreats(Effect):
    """The player reveals as many additional Cylon threats."""

    def __init__(self, number: int, compiling: Compiling, late: bool) -> None:
        self.number = number
        self.whose = PlayerSelector("you", compiling, late)

    def perform(self, engine: Engine, context: Context) -> list[Frame]:
        return [RevealThreats([seat] * self.number) for seat in self.whose.found(engine, context)]


class Immune(Word):
    """The red text of `of`, a Cylon threat, does not affect those players."""

    verb: ClassVar[str] = "immune"
    group: ClassVar[str] = COURSE
    section: ClassVar[str] = "Red Cylon threat text"
    worth: ClassVar[Worth] = Worth("flat", 0.4)

    immune: PlayersPhrase
    of: Annotated[SelectorPhrase | None, key(f"Which Cylon threat; `{A_THREAT}` if it is not said.")] = None

    @property
    def whom(self) -> str | None:
        return self.immune

    def check(self, check: Checking) -> None:
        check.players("immune", self.immune, as_played=True)
        selector = check.selector("of", self.of or A_THREAT, as_played=True)
        if selector.nouns - {"Cylon threat"}:
            check.wrong("only Cylon threats have red text", "of")
        check.names(selector)

    def compiled(self, compiling: Compiling, late: bool) -> Effect:
        return MakeImmune(self, compiling, late)

    def wording(self, teller: Telling, voice: Voice, more: Sequence[Word] = ()) -> Clause:
        what = teller.selected(self.of or A_THREAT, voice)
        who = teller.players(self.immune, voice)
        return Clause(
            teller.say("immune", what=what, who=who) if who else teller.say("immune.you", what=what), acts=False
        )  # fmt: skip


class MakeImmune(Effect):
    """The red text of a Cylon threat does not affect players."""

    def __init__(self, word: Immune, compiling: Compiling, late: bool) -> None:
        self.which = PieceSelector(word.of or A_THREAT, compiling, late, has_red_text)
        self.whose = PlayerSelector(word.immune, compiling, late)

    def announced(self, engine: Engine, context: Context) -> Iterator[Choice]:
        yield from self.which.announced()
        yield from self.whose.announced()

    def perform(self, engine: Engine, context: Context) -> list[Frame]:
        threats = self.which.found(engine, context)
        for seat in self.whose.found(engine, context):
            engine.modify(Modifier("immune", part_of(context), threats, amount=seat))
        return []


class Add(Word):
    """The stack being spent makes one more of that resource."""

    verb: ClassVar[str] = "add"
    group: ClassVar[str] = COURSE
    section: ClassVar[str] = "Generating Resources"
    only: ClassVar[str] = "when: you spend a resource stack"
    worth: ClassVar[Worth] = Worth("flat", 0.6)

    add: Literal["persuasion", "logistics", "security"]

    def compiled(self, compiling: Compiling, late: bool) -> Effect:
        raise ValueError(f"`add` can only stand in `{self.only}`, where it is no effect")

    def wording(self, teller: Telling, voice: Voice, more: Sequence[Word] = ()) -> Clause:
        return Clause(teller.say("add", resource=self.add, name=teller.words.RESOURCES[self.add]))


class Choose(Word):
    """Something is only named: it is "it" in the steps that follow."""

    verb: ClassVar[str] = "choose"
    group: ClassVar[str] = STRUCTURE
    section: ClassVar[str] = "Effects"

    choose: SelectorPhrase

    def check(self, check: Checking) -> None:
        selector = check.selector("choose", self.choose)
        if selector.pronoun or selector.every:
            check.wrong(f"{self.choose!r} leaves nothing to choose", "choose")
        check.names(selector)

    def compiled(self, compiling: Compiling, late: bool) -> Effect:
        return NameOne(self.choose, compiling, late)

    def wording(self, teller: Telling, voice: Voice, more: Sequence[Word] = ()) -> Clause:
        return Clause(teller.tell("choose", voice, what=teller.selected(self.choose, voice)))


class NameOne(AboutPieces):
    """Something is chosen, and is "it" in the steps that follow."""

    def __init__(self, phrase: str, compiling: Compiling, late: bool) -> None:
        self.which = PieceSelector(phrase, compiling, late)

    def perform(self, engine: Engine, context: Context) -> list[Frame]:
        self.which.found(engine, context)
        return []
