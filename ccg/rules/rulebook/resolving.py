"""Playing and resolving abilities: choices, costs, and the steps of an effect one after another.

Targets of an ability are chosen when it is played, before it is paid for. Everything else is chosen when it
resolves (Meeting Requirements; rulings 16 and 18).
"""

from __future__ import annotations

from collections.abc import Callable, Iterator
from enum import IntEnum
from typing import Final

from msgspec import field

from ccg.rules.core import loops
from ccg.rules.core.engine import Choice, Effect, Engine, Frame, Returned, Source
from ccg.rules.core.legality import Reason
from ccg.rules.core.options import NO, YES, Option
from ccg.rules.core.state import Context, SeatNumber, Waiting

DONE: Final = Option("choose", word="done")

MOST_TRIES: Final = 1_000
"""Ways to choose that are tried to find out whether an ability can be played; the cards there are need a few dozen."""


class CostPaid(Returned, frozen=True):
    """A cost has been paid; ``context`` knows what was named in paying it."""

    context: Context


class Revealed(Returned, frozen=True):
    """A mystic ``value`` was revealed."""

    value: int


class Chooser(Frame, kw_only=True):
    """A frame in which choices are made for an ability. ``picked`` is what the current one has so far."""

    context: Context
    picked: list[int] = field(default_factory=list)

    def asked_by(self, engine: Engine) -> Source | None:
        return Source(self.context.card, self.context.piece)

    def wanted(self, engine: Engine) -> Choice | None:
        """Return the next choice to be made, or None."""
        raise NotImplementedError

    def choosing(self, engine: Engine) -> Choice | None:
        return self.wanted(engine)

    def chooser(self) -> SeatNumber:
        """Return who makes the choice."""
        return self.context.you

    def settled(self, engine: Engine) -> bool:
        """Settle what leaves nothing to choose; ask for the rest. True when nothing is left to be asked."""
        while (choice := self.wanted(engine)) is not None:
            left = self._left(engine, choice)
            if left and len(self.picked) < choice.most:
                engine.ask(self.chooser(), choice.question)
                return False
            self._settle(choice)
        return True

    def options(self, engine: Engine) -> list[Option]:
        choice = self.wanted(engine)
        assert choice is not None
        left = self._left(engine, choice)
        if choice.least == choice.most == len(self.picked) + len(left):
            left = left[:1]  # all of them are chosen, and which is named first makes no difference (ruling 104)
        options = [choice.option(candidate) for candidate in left]
        if (len(self.picked) >= choice.least and choice.most > 1) or choice.least == 0:
            options.append(DONE)
        return options

    def take(self, engine: Engine, option: Option) -> None:
        choice = self.wanted(engine)
        assert choice is not None
        if option == DONE:
            self._settle(choice)
            return
        candidate = next(c for c in self._left(engine, choice) if choice.option(c) == option)
        self.picked.append(candidate)
        if len(self.picked) == choice.most:
            self._settle(choice)

    def _left(self, engine: Engine, choice: Choice) -> list[int]:
        return [candidate for candidate in choice.candidates(engine, self.context) if candidate not in self.picked]

    def _settle(self, choice: Choice) -> None:
        self.context.chosen[choice.number] = self.picked
        self.picked = []

    def receive(self, engine: Engine, returned: Returned) -> None:
        """Go on with what was named in paying the cost."""
        if isinstance(returned, CostPaid):
            self.context = returned.context
        else:
            super().receive(engine, returned)


class Perform(Chooser, kw_only=True):
    """The steps of ``block`` are carried out, one after another, for ``context``; ``at`` is the next one.

    ``cost`` says that it is a cost, so that who pays it goes on with what was named in paying it.
    """

    block: int
    at: int = 0
    cost: bool = False

    def run(self, engine: Engine) -> None:
        verbs = self._verbs(engine)
        while self.at < len(verbs):
            if not self.settled(engine):
                return
            verb = verbs[self.at]
            self.at += 1
            frames = verb.perform(engine, self.context)
            if frames:
                engine.push(*frames)
                return
        engine.end(self, CostPaid(self.context) if self.cost else None)

    def receive(self, engine: Engine, returned: Returned) -> None:
        """A mystic value that a step has revealed is X for those after it."""
        if isinstance(returned, Revealed):
            self.context.x = returned.value
        else:
            super().receive(engine, returned)

    def wanted(self, engine: Engine) -> Choice | None:
        choice = self._verbs(engine)[self.at].resolved(engine, self.context)
        return choice if choice is not None and self.context.chosen[choice.number] is None else None

    def belongs_to(self, seat: SeatNumber) -> bool:
        return seat == self.context.you

    def _verbs(self, engine: Engine) -> tuple[Effect, ...]:
        return engine.script(self.context.card).blocks[self.block]


class AbilityStep(IntEnum):
    """The steps in which an ability is played: it may be declined, choices are made, it is paid for, it resolves."""

    MAY = 0
    CHOICES = 1
    COST = 2
    EFFECT = 3
    OVER = 4


class Offered(Chooser, kw_only=True):
    """An ability, of which ``step`` comes next; one that its player may decline begins with that."""

    step: AbilityStep

    def options(self, engine: Engine) -> list[Option]:
        return [YES, NO] if self.step == AbilityStep.MAY else super().options(engine)

    def take(self, engine: Engine, option: Option) -> None:
        if self.step != AbilityStep.MAY:
            super().take(engine, option)
        elif option == YES:
            loops.count_deed(engine, self.context.you)
            self.step = AbilityStep.CHOICES
        else:
            engine.end(self)

    def belongs_to(self, seat: SeatNumber) -> bool:
        return seat == self.context.you


class Act(Offered, kw_only=True):
    """An ability is played: whether (if it may be declined), choices, cost, then its effect.

    ``number`` and ``once`` mark one that is allowed
    once a turn; ``voluntary`` is a move of its player, which can be taken back until its cost is paid;
    ``may`` is one that may be declined.
    """

    effect: int
    cost: int = -1
    step: AbilityStep = AbilityStep.CHOICES
    number: int = -1
    once: bool = False
    voluntary: bool = False
    may: bool = False

    def run(self, engine: Engine) -> None:
        if self.step == AbilityStep.MAY:
            if self.comes_to_nothing(engine):
                engine.end(self)
            else:
                engine.ask(self.context.you, "may")
        elif self.step == AbilityStep.CHOICES:
            if self.may and not choosable(engine, self.context, (self.cost, self.effect)):
                engine.end(self)
            elif self.settled(engine):
                self._begin(engine)
        elif self.step == AbilityStep.COST:
            self.step = AbilityStep.EFFECT
            engine.push(*payment_of(self.context, self.cost))
        else:
            engine.end(self)
            engine.push(Perform(context=self.context, block=self.effect))

    def _begin(self, engine: Engine) -> None:
        self.step = AbilityStep.COST
        if self.once:
            engine.state.used.append(engine.use_of(self.context.piece, self.context.card, self.number))
        engine.emit(
            "use" if self.voluntary else "trigger", self.context.you, self.context.card, self.context.piece or None
        )
        tell_targets(engine, self.context, (self.cost, self.effect))

    def wanted(self, engine: Engine) -> Choice | None:
        return next_announced(engine, self.context, (self.cost, self.effect))

    def playable(self, engine: Engine) -> bool:
        """Return whether its cost can be paid, its targets exist, and it would have something to act on (ruling 81)."""
        effects = engine.script(self.context.card).blocks[self.effect][:1]
        return all(effect.nameable(engine, self.context) for effect in effects) and announceable(
            engine, self.context, self.cost, self.effect
        )

    def comes_to_nothing(self, engine: Engine) -> bool:
        if self.step != AbilityStep.MAY:
            return False
        return loops.held(engine, self.context.you) or not self.playable(engine)

    def half_made(self) -> bool:
        return self.voluntary and self.step <= AbilityStep.CHOICES

    def announcing(self) -> Context | None:
        return self.context if self.half_made() else None


def announced(engine: Engine, context: Context, blocks: tuple[int, ...]) -> Iterator[Choice]:
    """Return the choices that are made as an ability is played, as far as earlier ones let them be known."""
    script = engine.script(context.card)
    for block in blocks:
        if block >= 0:
            for verb in script.blocks[block]:
                yield from verb.announced(engine, context)


def next_announced(engine: Engine, context: Context, blocks: tuple[int, ...]) -> Choice | None:
    """Return the next choice to be made as the ability is played."""
    for choice in announced(engine, context, blocks):
        if context.chosen[choice.number] is None:
            return choice
    return None


def announceable(engine: Engine, context: Context, cost: int, effect: int) -> bool:
    """Return whether the cost can be paid, and there is a legal target wherever one is needed (ABIL-2; ruling 16)."""
    return why_not_announce(engine, context, cost, effect) is None


def why_not_announce(
    engine: Engine, context: Context, cost: int, effect: int, payable: Callable[[Context], bool] | None = None
) -> Reason | None:
    """Return why an ability cannot be played: its cost cannot be paid, or a target is missing.

    ``payable`` tells whether the rest of the cost can be paid, once every choice has been made.
    """
    script = engine.script(context.card)
    if cost >= 0 and not all(verb.possible(engine, context) for verb in script.blocks[cost]):
        return "ability_cost"
    if not choosable(engine, context, (cost, effect)):
        return "no_target"
    if payable is not None and not _feasible(engine, context, (cost, effect), iter(range(MOST_TRIES)), payable):
        return "ability_cost"
    return None


def payment_of(context: Context, cost: int) -> list[Frame]:
    """Return the frame, if there is one, in which the block ``cost`` is paid for the frame that pushes it."""
    return [Perform(context=part_of(context), block=cost, cost=True)] if cost >= 0 else []


def claimed(engine: Engine, context: Context, cost: int) -> list[int]:
    """Return the pieces chosen so far to pay the block ``cost``; they cannot pay for anything else."""
    if cost < 0:
        return []
    return [piece for verb in engine.script(context.card).blocks[cost] for piece in verb.claims(engine, context)]


def choosable(engine: Engine, context: Context, blocks: tuple[int, ...]) -> bool:
    """Return whether the choices that are still to be made as an ability is played can be made.

    An optional ability is not played if the pieces chosen for it have left play (rulings 16 and 90).
    """
    return _feasible(engine, context, blocks, iter(range(MOST_TRIES)))


def lacking(engine: Engine, context: Context, blocks: tuple[int, ...]) -> Choice | None:
    """Return the first choice that has too few candidates, after taking the first candidates in those before it."""
    choice = next_announced(engine, context, blocks)
    if choice is None:
        return None
    candidates = choice.candidates(engine, context)
    if len(candidates) < choice.least and choice.kind != "may":
        return choice
    context.chosen[choice.number] = candidates[: choice.least]
    found = lacking(engine, context, blocks)
    context.chosen[choice.number] = None
    return found


def _feasible(
    engine: Engine,
    context: Context,
    blocks: tuple[int, ...],
    tries: Iterator[int],
    payable: Callable[[Context], bool] | None = None,
) -> bool:
    """Return whether the choices that are still to be made can be made, one after another, and are ``payable``.

    Return False when no ``tries`` are left, so that an ability with many targets cannot stall the game.
    """
    if next(tries, None) is None:
        return False
    choice = next_announced(engine, context, blocks)
    if choice is None:
        return payable is None or payable(context)
    candidates = choice.candidates(engine, context) if choice.kind != "may" else [0]  # "no" is always possible
    if payable is None and engine.script(context.card).choices == 1:
        return len(candidates) >= choice.least  # nothing else is chosen afterwards
    ways: list[list[int]]
    if choice.least == 0:
        ways = [[]]
    elif choice.least == 1:
        ways = [[candidate] for candidate in candidates]
    else:
        ways = [candidates[: choice.least]] if len(candidates) >= choice.least else []
    for way in ways:
        context.chosen[choice.number] = way
        if _feasible(engine, context, blocks, tries, payable):
            context.chosen[choice.number] = None
            return True
    context.chosen[choice.number] = None
    return False


def fresh_context(engine: Engine, context: Context) -> Context:
    """Return ``context`` with nothing chosen yet."""
    context.chosen = [None] * engine.script(context.card).choices
    return context


def part_of(context: Context, you: SeatNumber | None = None) -> Context:
    """Return a context of its own for a part of an ability, for another player if ``you`` says so."""
    return Context(
        context.you if you is None else you, context.card, context.piece, list(context.chosen), list(context.it),
        context.x, context.about, context.whom, context.value, context.owner, context.played,
    )  # fmt: skip


def set_off(waiting: Waiting, effect: int, cost: int, may: bool, once: bool) -> Act:
    """Return the frame in which a triggered ability is played."""
    step = AbilityStep.MAY if may else AbilityStep.CHOICES
    return Act(
        context=waiting.context, effect=effect, cost=cost, step=step, number=waiting.trigger, once=once, may=may
    )  # fmt: skip


def tell_targets(engine: Engine, context: Context, blocks: tuple[int, ...]) -> None:
    """Tell what was chosen as the ability was played."""
    for choice in announced(engine, context, blocks):
        for chosen in context.chosen[choice.number] or []:
            if choice.kind == "pieces":
                piece = engine.find(chosen)
                if piece is not None:
                    engine.emit("target", context.you, piece.top, piece.id)
            elif choice.kind == "players":
                engine.emit("target player", chosen)
