"""Verbs about the course of the game: actions, phases, challenges, mystic values and Cylon threats."""

from __future__ import annotations

from collections.abc import Callable, Iterator

from ccg.rules.agenda import Choice, Engine, Frame, Verb
from ccg.rules.language.schema import Step
from ccg.rules.language.verbs import Compiling, Which, Whose
from ccg.rules.mystic_values import RevealAgain
from ccg.rules.performing import part_of
from ccg.rules.state import Modifier, Scope, Until
from ccg.rules.threats import RevealThreats


class Extra(Verb):
    """``extra: 2``: the player takes as many actions more, directly after this one (ruling 21)."""

    def __init__(self, step: Step, compiling: Compiling, late: bool) -> None:
        assert step.extra is not None
        self.number = step.extra

    def perform(self, engine: Engine, scope: Scope) -> list[Frame]:
        if engine.state.challenge is None:
            engine.modify(Modifier("extra", part_of(scope), [], amount=self.number))
            engine.tell("extra", scope.you, number=self.number)
        return []


class NextAction(Verb):
    """``cheaper: 1`` and ``convert: 2``: what paying for the player's next action is like."""

    def __init__(self, step: Step, compiling: Compiling, late: bool) -> None:
        self.kind = "cheaper" if step.cheaper is not None else "convert"
        self.amount = step.cheaper or step.convert or 0

    def perform(self, engine: Engine, scope: Scope) -> list[Frame]:
        engine.modify(Modifier(self.kind, part_of(scope), [], amount=self.amount, until=Until.NEXT_ACTION))
        return []


class End(Verb):
    """``end: challenge`` or ``end: execution phase``: it is over when the effect is done."""

    def __init__(self, step: Step, compiling: Compiling, late: bool) -> None:
        self.what = step.end

    def perform(self, engine: Engine, scope: Scope) -> list[Frame]:
        challenge = engine.state.challenge
        if self.what == "challenge":
            if challenge is not None:
                challenge.over = True
        else:
            engine.modify(Modifier("over", part_of(scope), [], word="execution phase"))
        return []


class AddPhases(Verb):
    """``add phases: true``: after the next Cylon phase come another execution phase and another Cylon phase."""

    def __init__(self, step: Step, compiling: Compiling, late: bool) -> None:
        """Nothing to keep."""

    def perform(self, engine: Engine, scope: Scope) -> list[Frame]:
        engine.modify(Modifier("add phases", part_of(scope), [], until=Until.TURN))
        return []


class GoesFirst(Verb):
    """``goes first: target player``: they are first player in the next Cylon phase of this turn."""

    def __init__(self, step: Step, compiling: Compiling, late: bool) -> None:
        self.whose = Whose(step.goes_first, compiling, late)

    def announced(self, engine: Engine, scope: Scope) -> Iterator[Choice]:
        return self.whose.announced()

    def perform(self, engine: Engine, scope: Scope) -> list[Frame]:
        for seat in self.whose.found(engine, scope):
            engine.modify(Modifier("goes first", part_of(scope), [], amount=seat, until=Until.TURN))
            engine.tell("goes first", seat)
        return []


class Fate(Verb):
    """``fate: ...``: what becomes of the loser or the winner of the challenge that is going on."""

    def __init__(self, step: Step, compiling: Compiling, late: bool) -> None:
        assert step.fate is not None
        self.fate = step.fate

    def perform(self, engine: Engine, scope: Scope) -> list[Frame]:
        challenge = engine.state.challenge
        if challenge is not None:
            challenge.fates.append(self.fate)
        return []


class MysticReveal(Verb):
    """``reveal: sum | choose | skip``: what happens when ``who`` next reveals a mystic value for a challenge.

    ``sum``: one more is revealed and added. ``choose``: one more, and ``you`` choose which counts.
    ``skip``: none is, and ``of`` gets X power instead. ``again``: the value just revealed is replaced.
    """

    def __init__(self, step: Step, compiling: Compiling, late: bool) -> None:
        assert step.reveal is not None
        self.word = step.reveal
        self.until = Until(step.until or "end of turn")
        self.whose = Whose(step.who, compiling, late)
        self.which = Which(step.of, compiling, late) if step.of is not None else None
        if self.which is not None:
            self.which.for_power = True

    def announced(self, engine: Engine, scope: Scope) -> Iterator[Choice]:
        yield from self.whose.announced()
        if self.which is not None:
            yield from self.which.announced()

    def perform(self, engine: Engine, scope: Scope) -> list[Frame]:
        if self.word == "again":
            return [RevealAgain(scope.you, scope.value)]
        x = scope.x
        pieces = self.which.found(engine, scope) if self.which is not None else []
        for seat in self.whose.found(engine, scope):
            made = part_of(scope)
            made.x = x
            engine.modify(Modifier("reveal", made, pieces, amount=seat, word=self.word, until=self.until))
        return []


class MoreThreats(Verb):
    """``threats: 1``: the player reveals as many additional Cylon threats."""

    def __init__(self, step: Step, compiling: Compiling, late: bool) -> None:
        assert step.threats is not None
        self.number = step.threats
        self.whose = Whose("you", compiling, late)

    def perform(self, engine: Engine, scope: Scope) -> list[Frame]:
        return [RevealThreats([seat] * self.number) for seat in self.whose.found(engine, scope)]


class Immune(Verb):
    """``immune: target player, of: target Cylon threat``: its red text does not affect them."""

    def __init__(self, step: Step, compiling: Compiling, late: bool) -> None:
        self.which = Which(step.of or "target Cylon threat", compiling, late)
        self.whose = Whose(step.immune, compiling, late)

    def announced(self, engine: Engine, scope: Scope) -> Iterator[Choice]:
        yield from self.which.announced()
        yield from self.whose.announced()

    def perform(self, engine: Engine, scope: Scope) -> list[Frame]:
        threats = self.which.found(engine, scope)
        for seat in self.whose.found(engine, scope):
            engine.modify(Modifier("immune", part_of(scope), threats, amount=seat))
        return []


class Name(Verb):
    """``choose: a singular personnel you control``: it is "it" in the steps that follow."""

    def __init__(self, step: Step, compiling: Compiling, late: bool) -> None:
        assert step.choose is not None
        self.which = Which(step.choose, compiling, late)

    def announced(self, engine: Engine, scope: Scope) -> Iterator[Choice]:
        return self.which.announced()

    def resolved(self, engine: Engine, scope: Scope) -> Choice | None:
        return self.which.resolved()

    def perform(self, engine: Engine, scope: Scope) -> list[Frame]:
        self.which.found(engine, scope)
        return []

    def possible(self, engine: Engine, scope: Scope) -> bool:
        return self.which.exists(engine, scope)


COURSE_VERBS: dict[str, Callable[[Step, Compiling, bool], Verb]] = {
    "extra": Extra,
    "cheaper": NextAction,
    "convert": NextAction,
    "end": End,
    "add_phases": AddPhases,
    "goes_first": GoesFirst,
    "fate": Fate,
    "reveal": MysticReveal,
    "threats": MoreThreats,
    "immune": Immune,
    "choose": Name,
}
