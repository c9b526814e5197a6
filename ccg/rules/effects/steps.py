"""Effects that many words share: something done to pieces or by players, changes, and steps within steps."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator, Sequence

from ccg.rules.cards import phrases
from ccg.rules.cards.phrases import Amount
from ccg.rules.cards.schema import Step
from ccg.rules.core import selectors
from ccg.rules.core.data import extended
from ccg.rules.core.engine import Branch, Choice, ContinuousEffect, Effect, Engine, Frame
from ccg.rules.core.state import Context, Delayed, Modifier, ModifierKind, SeatNumber, Until
from ccg.rules.effects.targets import (
    Able,
    Can,
    PieceSelector,
    PlayerSelector,
    alert,
    anything,
    face_up,
    leaves,
    may_choose_defender,
    mine,
    threatens,
)
from ccg.rules.effects.word import Compiling
from ccg.rules.rulebook.resolving import Perform, announceable, part_of
from ccg.rules.rulebook.sequence import in_sequence

EVERYTHING = 99
"""More than any number of cards: "discard: hand"."""


@extended
class AboutPieces(Effect):
    """An effect on pieces; its choice, if it makes one, is the choice of these."""

    which: PieceSelector

    def announced(self, engine: Engine, context: Context) -> Iterator[Choice]:
        return self.which.announced()

    def resolved(self, engine: Engine, context: Context) -> Choice | None:
        return self.which.resolved()

    def possible(self, engine: Engine, context: Context) -> bool:
        return self.which.exists(engine, context)

    def nameable(self, engine: Engine, context: Context) -> bool:
        return self.which.exists(engine, context)


@extended
class AboutPlayers(Effect):
    """An effect on players; its choice, if it makes one, is the choice of these."""

    whose: PlayerSelector

    def announced(self, engine: Engine, context: Context) -> Iterator[Choice]:
        return self.whose.announced()

    def resolved(self, engine: Engine, context: Context) -> Choice | None:
        """Return the choice; None if nothing would happen whoever were chosen (ruling 52)."""
        choice = self.whose.resolved()
        if choice is None:
            return None
        reached = self.whose.reached(engine, context, choice.candidates(engine, context))
        return choice if any(self.concerns(engine, context, seat) for seat in reached) else None

    def concerns(self, engine: Engine, context: Context, seat: SeatNumber) -> bool:
        """Return whether anything would happen if ``seat`` were chosen."""
        return True

    def possible(self, engine: Engine, context: Context) -> bool:
        return self.whose.exist(engine, context)

    def nameable(self, engine: Engine, context: Context) -> bool:
        return self.possible(engine, context)


class OnPieces(AboutPieces):
    """Something that one instruction does to pieces. How many it was done to is X from then on."""

    def __init__(
        self, phrase: str, compiling: Compiling, late: bool, make: Callable[[list[int]], Frame], able: Able
    ) -> None:
        self.make = make
        self.able = able
        self.which = PieceSelector(phrase, compiling, late, able)

    @property
    def gives_away(self) -> bool:
        """Whether it makes pieces leave play."""
        return self.able in (leaves, mine)

    def named(self, context: Context) -> list[int]:
        """Return the pieces that are known to be meant as the ability is played: chosen ones, and the card itself."""
        if self.which.chosen:
            return context.chosen[self.which.number] or []
        return [context.piece] if self.which.selector.pronoun == "this" else []

    def perform(self, engine: Engine, context: Context) -> list[Frame]:
        found = self.which.found(engine, context)
        context.x = sum(self.able(engine, context, engine.piece(piece)) for piece in found)
        return [self.make(found)]

    def claims(self, engine: Engine, context: Context) -> list[int]:
        """Return what this commits or exhausts: a unit is committed once, and a spent stack lies face down."""
        if self.able not in (alert, face_up):
            return []
        pronoun = self.which.selector.pronoun
        found = selectors.pronoun(engine, context, pronoun) if pronoun else self.named(context)
        pieces = filter(None, map(engine.find, found))
        return [piece.id for piece in pieces if piece.is_stack == (self.able is face_up)]


def collect_parts(effects: Iterable[Effect]) -> None:
    """Collect, for each choice of a piece, all steps of the block that act on that piece as "it" (ruling 73).

    "Commit a Pilot, exhaust it" can be carried out in full only on a Pilot that is alert and face up.
    """
    named: PieceSelector | None = None
    for effect in effects:
        if not isinstance(effect, (OnPieces, ChangePieces)):
            continue
        if effect.which.chosen:
            named = effect.which
        elif named is not None and effect.which.selector.pronoun in ("it", "them"):
            able = effect.able if isinstance(effect, OnPieces) else effect.which.able
            if able is not None or named.parts:
                named.parts = [*(named.parts or [anything]), able or anything]


class ByPlayers(AboutPlayers):
    """Something that players do, or that happens to them, a number of times.

    ``make`` returns the frames for the players and the number; ``able`` says whether a player could do it.
    """

    def __init__(
        self,
        amount: int | str,
        who: str | None,
        compiling: Compiling,
        late: bool,
        make: Callable[[list[SeatNumber], int], list[Frame]],
        able: Can,
    ) -> None:
        parsed = Amount(EVERYTHING) if amount == "hand" else phrases.amount(amount)
        self.amount = selectors.quantity(parsed)
        self.known = parsed.known
        self.make, self.able = make, able
        self.whose = PlayerSelector(who, compiling, late, self._can)

    def perform(self, engine: Engine, context: Context) -> list[Frame]:
        amount = max(0, self.amount(engine, context, None))
        return self.make(self.whose.found(engine, context), amount)

    def concerns(self, engine: Engine, context: Context, seat: SeatNumber) -> bool:
        return self._can(engine, context, seat)

    def _can(self, engine: Engine, context: Context, seat: SeatNumber) -> bool:
        """Return whether ``seat`` could do it at least once; an amount known only later counts as one (ruling 70)."""
        return self.able(engine, context, seat) and (not self.known or self.amount(engine, context, None) > 0)


class ChangePieces(AboutPieces):
    """A change for a while to pieces.

    Pieces that are chosen are named as it resolves; a change to all of a kind is on whatever fits as it stands.
    """

    def __init__(
        self,
        change: ContinuousEffect,
        amount: Amount,
        of: str,
        until: Until,
        only_if: str | None,
        conditional: bool,
        compiling: Compiling,
        late: bool,
    ) -> None:
        self.kind, self.word = change.kind, change.word
        self.amount = selectors.quantity(amount)
        self.until = until
        self.which = PieceSelector(of, compiling, late, self._able())
        self.which.for_power = self.kind == "power"
        self.condition = selectors.holds(only_if)
        self.conditional = conditional
        self.change = compiling.change(change)

    def _able(self) -> Able | None:
        """Return what a piece must be able to for the change to come to anything."""
        if (self.kind, self.word, self.until) == ("keyword", "sniper", Until.CHALLENGE):
            return may_choose_defender
        return threatens if self.kind == "threat" else None

    def perform(self, engine: Engine, context: Context) -> list[Frame]:
        pieces = None if self.which.selector.every else self.which.found(engine, context)
        if self.condition is not None and not self.condition(engine, context):
            return []
        amount = 0 if pieces is None else self.amount(engine, context, None)
        change = self.change if pieces is None or self.conditional else -1
        engine.modify(Modifier(self.kind, part_of(context), pieces, change, amount, self.word, self.until))
        if not amount and self.kind in ("power", "threat"):
            return []  # "+0 power" is nothing to tell anybody
        for piece in pieces or []:
            top = engine.piece(piece).top
            engine.emit("changed", context.you, top, piece, number=amount, to=f"{self.kind} {self.word}".strip())
        return []


class ChangeGame(Effect):
    """A change for a while to the game itself: the fleet defense level, or what influence may do."""

    def __init__(self, kind: ModifierKind, word: str, amount: Amount, until: Until) -> None:
        self.kind, self.word = kind, word
        self.amount = selectors.quantity(amount)
        self.until = until

    def perform(self, engine: Engine, context: Context) -> list[Frame]:
        amount = self.amount(engine, context, None)
        engine.modify(Modifier(self.kind, part_of(context), [], -1, amount, self.word, self.until))
        return []


class ForEach(AboutPlayers):
    """Each of some players is "you" in the steps, one after another in turn order."""

    def __init__(self, who: str, steps: Sequence[Step], compiling: Compiling, late: bool) -> None:
        self.whose = PlayerSelector(who, compiling, late, self._can)
        self.block = compiling.block(steps, late=True)

    def perform(self, engine: Engine, context: Context) -> list[Frame]:
        seats = self.whose.found(engine, context)
        return in_sequence([Perform(context=part_of(context, seat), block=self.block) for seat in seats])

    def branches(self) -> Iterator[Branch]:
        yield Branch("for each", self.block)

    def concerns(self, engine: Engine, context: Context, seat: SeatNumber) -> bool:
        inner = part_of(context, seat)
        return any(effect.possible(engine, inner) for effect in engine.script(context.card).blocks[self.block])

    def _can(self, engine: Engine, context: Context, seat: SeatNumber) -> bool:
        return begins(engine, part_of(context, seat), self.block)


class ChooseWay(Effect):
    """One of several ways, of those that are possible (EFF-5); if none is, nothing is asked (ruling 52)."""

    def __init__(self, modes: Sequence[Sequence[Step]], compiling: Compiling, late: bool) -> None:
        self.early = not late
        self.number = compiling.choice()
        self.blocks = [compiling.block(mode, late) for mode in modes]

    def choice(self, least: int = 1) -> Choice:
        """Return the choice of a mode; modes are numbered from 1 as they are printed."""
        return Choice(self.number, "mode", self._modes, least)

    def _modes(self, engine: Engine, context: Context) -> list[int]:
        return [mode for mode, block in enumerate(self.blocks, start=1) if begins(engine, context, block)]

    def _in_vain(self, engine: Engine, context: Context) -> bool:
        """Return whether no mode would have an effect, but one has its targets: it may still be played (ruling 70)."""
        return not self._modes(engine, context) and any(
            all(
                len(choice.candidates(engine, context)) >= choice.least
                for effect in engine.script(context.card).blocks[block]
                for choice in effect.announced(engine, context)
            )
            for block in self.blocks
        )

    def announced(self, engine: Engine, context: Context) -> Iterator[Choice]:
        if self.early:
            yield self.choice(0 if self._in_vain(engine, context) else 1)
            for mode in context.chosen[self.number] or []:
                for effect in engine.script(context.card).blocks[self.blocks[mode - 1]]:
                    yield from effect.announced(engine, context)

    def resolved(self, engine: Engine, context: Context) -> Choice | None:
        return None if self.early else self.choice()

    def perform(self, engine: Engine, context: Context) -> list[Frame]:
        modes = context.chosen[self.number] or []
        return [Perform(context=part_of(context), block=self.blocks[mode - 1]) for mode in modes]

    def possible(self, engine: Engine, context: Context) -> bool:
        return bool(self._modes(engine, context))

    def branches(self) -> Iterator[Branch]:
        for mode, block in enumerate(self.blocks, start=1):
            yield Branch(f"alternative {mode}", block, self.number, mode, f"alternative {mode}, ")


class Offer(Effect):
    """An optional cost as part of an effect; if it is paid, the steps follow (ruling 40)."""

    def __init__(
        self, cost: Sequence[Step], steps: Sequence[Step], once: bool, compiling: Compiling, late: bool
    ) -> None:
        self.early = not late
        self.number = compiling.choice()
        paid = compiling.paid
        self.cost = compiling.block(cost, late, cost=True)
        self.block = compiling.block(steps, late)
        compiling.paid = paid
        self.once_number = 1000 + self.number if once else None  # actions and triggers have smaller numbers
        self.both = compiling.join(self.cost, self.block)

    def choice(self) -> Choice:
        """Return the choice whether to pay; None if the steps that follow would have no piece to act on (ruling 81)."""
        return Choice(self.number, "may", lambda engine, context: [1, 0] if self._followed(engine, context) else [])

    def _followed(self, engine: Engine, context: Context) -> bool:
        if self.early:
            return announceable(engine, context, self.cost, self.block)
        return all(effect.nameable(engine, context) for effect in engine.script(context.card).blocks[self.block][:1])

    def _payable(self, engine: Engine, context: Context) -> bool:
        return all(effect.possible(engine, context) for effect in engine.script(context.card).blocks[self.cost])

    def announced(self, engine: Engine, context: Context) -> Iterator[Choice]:
        if self.early and (context.chosen[self.number] is not None or self._payable(engine, context)):
            yield self.choice()
            if context.chosen[self.number] == [1]:
                for block in (self.cost, self.block):
                    for effect in engine.script(context.card).blocks[block]:
                        yield from effect.announced(engine, context)

    def resolved(self, engine: Engine, context: Context) -> Choice | None:
        if self.early or (context.chosen[self.number] is None and not self._payable(engine, context)):
            return None
        if self.once_number is not None and engine.is_used(context.piece, context.card, self.once_number):
            return None
        return self.choice()

    def perform(self, engine: Engine, context: Context) -> list[Frame]:
        if context.chosen[self.number] != [1]:
            return []
        if self.once_number is not None:
            engine.state.used.append(engine.use_of(context.piece, context.card, self.once_number))
        return [Perform(context=part_of(context), block=self.both)]

    def branches(self) -> Iterator[Branch]:
        yield Branch("may: yes", self.block, self.number, 1)
        yield Branch("may: no", -1, self.number, 0)
        yield Branch("", self.cost, prefix="cost, ")


class Later(Effect):
    """Steps that are done at a later moment."""

    def __init__(self, moment: str, steps: Sequence[Step], compiling: Compiling) -> None:
        self.moment = moment
        self.block = compiling.block(steps, late=True)

    def perform(self, engine: Engine, context: Context) -> list[Frame]:
        engine.state.delayed.append(Delayed(self.moment, self.block, part_of(context)))
        return []

    def branches(self) -> Iterator[Branch]:
        yield Branch(f"at {self.moment}", self.block)


def begins(engine: Engine, context: Context, block: int) -> bool:
    """Return whether the first step of ``block`` could do anything now (EFF-5)."""
    return all(effect.possible(engine, context) for effect in engine.script(context.card).blocks[block][:1])
