"""Playing and resolving abilities: choices, costs, and the steps of an effect one after another.

Choices called for by a text are made as it is played, before paying; what it does not make a target is
chosen as it resolves (Meeting Requirements; rulings 16 and 18).
"""

from __future__ import annotations

from collections.abc import Iterator

from msgspec import field

from ccg.rules.agenda import Choice, Engine, Frame, Verb
from ccg.rules.options import NO, YES, Option
from ccg.rules.reasons import Reason
from ccg.rules.state import Scope, Seat, Waiting

DONE = Option("choose", word="done")

MOST_TRIES = 1_000
"""Ways to choose that are tried to find out whether an ability can be played; the cards there are need a few dozen."""


class Chooser(Frame, kw_only=True):
    """A frame in which choices are made for an ability. ``picked`` is what the current one has so far."""

    scope: Scope
    picked: list[int] = field(default_factory=list)

    def wanted(self, engine: Engine) -> Choice | None:
        """Give the next choice to be made, or None."""
        raise NotImplementedError

    def chooser(self) -> Seat:
        """Give who makes the choice."""
        return self.scope.you

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
        options = [choice.option(candidate) for candidate in self._left(engine, choice)]
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
        return [candidate for candidate in choice.candidates(engine, self.scope) if candidate not in self.picked]

    def _settle(self, choice: Choice) -> None:
        self.scope.chosen[choice.number] = self.picked
        self.picked = []


class Perform(Chooser, kw_only=True):
    """The steps of ``block`` are carried out, one after another, for ``scope``; ``at`` is the next one.

    ``cost`` says that it is the cost of the frame beneath, which goes on with what was named in paying it.
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
            frames = verb.perform(engine, self.scope)
            if frames:
                engine.push(*frames)
                return
        engine.end(self)
        beneath = engine.state.agenda[-1] if self.cost else None
        if isinstance(beneath, Offered):
            beneath.scope = self.scope  # in a game that was read back they are two

    def wanted(self, engine: Engine) -> Choice | None:
        choice = self._verbs(engine)[self.at].resolved(engine, self.scope)
        return choice if choice is not None and self.scope.chosen[choice.number] is None else None

    def belongs_to(self, seat: Seat) -> bool:
        return seat == self.scope.you

    def _verbs(self, engine: Engine) -> tuple[Verb, ...]:
        return engine.script(self.scope.card).blocks[self.block]


class Offered(Chooser, kw_only=True):
    """What its player may decline while ``step`` is 0, and from then on makes choices for."""

    step: int

    def options(self, engine: Engine) -> list[Option]:
        return [YES, NO] if self.step == 0 else super().options(engine)

    def take(self, engine: Engine, option: Option) -> None:
        if self.step:
            super().take(engine, option)
        elif option == YES:
            self.step = 1
        else:
            engine.end(self)

    def belongs_to(self, seat: Seat) -> bool:
        return seat == self.scope.you


class Act(Offered, kw_only=True):
    """An ability is played: whether (if it may be declined), choices, cost, then its effect.

    ``step``: 0 may, 1 choices, 2 cost, 3 effect, 4 over. ``number`` and ``once`` mark one that is allowed
    once a turn; ``voluntary`` is a move of its player, which can be taken back until its cost is paid.
    """

    effect: int
    cost: int = -1
    step: int = 1
    number: int = -1
    once: bool = False
    voluntary: bool = False

    def run(self, engine: Engine) -> None:
        if self.step == 0:
            if not self.playable(engine):
                engine.end(self)
            else:
                engine.ask(self.scope.you, "may")
        elif self.step == 1:
            if self.settled(engine):
                self._begin(engine)
        elif self.step == 2:
            self.step = 3
            if self.cost >= 0:
                engine.push(Perform(scope=self.scope, block=self.cost, cost=True))
        else:
            engine.end(self)
            engine.push(Perform(scope=self.scope, block=self.effect))

    def _begin(self, engine: Engine) -> None:
        self.step = 2
        if self.once:
            engine.state.used.append((self.scope.piece, self.scope.card, self.number))
        kind = "use" if self.voluntary else "trigger"
        engine.tell(kind, self.scope.you, self.scope.card, self.scope.piece or None)
        tell_targets(engine, self.scope, (self.cost, self.effect))

    def wanted(self, engine: Engine) -> Choice | None:
        return next_announced(engine, self.scope, (self.cost, self.effect))

    def playable(self, engine: Engine) -> bool:
        """Whether its cost can be paid and its targets exist."""
        return announceable(engine, self.scope, self.cost, self.effect)

    def half_made(self) -> bool:
        return self.voluntary and self.step <= 1


def announced(engine: Engine, scope: Scope, blocks: tuple[int, ...]) -> Iterator[Choice]:
    """Give the choices that are made as an ability is played, as far as earlier ones let them be known."""
    script = engine.script(scope.card)
    for block in blocks:
        if block >= 0:
            for verb in script.blocks[block]:
                yield from verb.announced(engine, scope)


def next_announced(engine: Engine, scope: Scope, blocks: tuple[int, ...]) -> Choice | None:
    """Give the next choice to be made as the ability is played."""
    for choice in announced(engine, scope, blocks):
        if scope.chosen[choice.number] is None:
            return choice
    return None


def announceable(engine: Engine, scope: Scope, cost: int, effect: int) -> bool:
    """Whether the cost can be paid, and there is a legal target wherever one is needed (ABIL-2; ruling 16)."""
    return why_not_announce(engine, scope, cost, effect) is None


def why_not_announce(engine: Engine, scope: Scope, cost: int, effect: int) -> Reason | None:
    """Give what stands in the way of an ability: a cost that cannot be paid, or a target that there is not."""
    script = engine.script(scope.card)
    if cost >= 0 and not all(verb.possible(engine, scope) for verb in script.blocks[cost]):
        return "ability_cost"
    feasible = _feasible(engine, scope, (cost, effect), iter(range(MOST_TRIES)))
    return None if feasible else "no_target"


def lacking(engine: Engine, scope: Scope, blocks: tuple[int, ...]) -> Choice | None:
    """Give the first choice that cannot be made, trying the first way to make those before it."""
    choice = next_announced(engine, scope, blocks)
    if choice is None:
        return None
    candidates = choice.candidates(engine, scope)
    if len(candidates) < choice.least:
        return choice
    scope.chosen[choice.number] = candidates[: choice.least]
    found = lacking(engine, scope, blocks)
    scope.chosen[choice.number] = None
    return found


def _feasible(engine: Engine, scope: Scope, blocks: tuple[int, ...], tries: Iterator[int]) -> bool:
    """Whether the choices that are still to be made can be made, one after another.

    When no ``tries`` are left the answer is no: a text with many targets must not keep everybody waiting.
    """
    if next(tries, None) is None:
        return False
    choice = next_announced(engine, scope, blocks)
    if choice is None:
        return True
    candidates = choice.candidates(engine, scope)
    ways: list[list[int]]
    if choice.least == 0:
        ways = [[]]
    elif choice.least == 1:
        ways = [[candidate] for candidate in reversed(candidates)]  # "no" is the simpler answer
    else:
        ways = [candidates[: choice.least]] if len(candidates) >= choice.least else []
    for way in ways:
        scope.chosen[choice.number] = way
        if _feasible(engine, scope, blocks, tries):
            scope.chosen[choice.number] = None
            return True
    scope.chosen[choice.number] = None
    return False


def fresh_scope(engine: Engine, scope: Scope) -> Scope:
    """Give ``scope`` with nothing chosen yet."""
    scope.chosen = [None] * engine.script(scope.card).choices
    return scope


def part_of(scope: Scope, you: Seat | None = None) -> Scope:
    """Give a scope of its own for a part of an ability, for another player if ``you`` says so."""
    return Scope(
        scope.you if you is None else you, scope.card, scope.piece, list(scope.chosen), list(scope.it), scope.x,
        scope.about, scope.whom, scope.value, scope.owner,
    )  # fmt: skip


def set_off(waiting: Waiting, effect: int, cost: int, may: bool, once: bool) -> Act:
    """Give the frame in which a triggered ability is played."""
    return Act(scope=waiting.scope, effect=effect, cost=cost, step=0 if may else 1, number=waiting.trigger, once=once)


def tell_targets(engine: Engine, scope: Scope, blocks: tuple[int, ...]) -> None:
    """Tell what was chosen as the ability was played."""
    for choice in announced(engine, scope, blocks):
        for chosen in scope.chosen[choice.number] or []:
            if choice.kind == "pieces":
                piece = engine.find(chosen)
                if piece is not None:
                    engine.tell("target", scope.you, piece.top, piece.id)
            elif choice.kind == "players":
                engine.tell("target player", chosen)
