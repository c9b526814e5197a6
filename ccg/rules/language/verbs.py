"""The verbs of the ability language, compiled: what each step of an ability does.

:data:`VERBS` is the one table from a step's verb to the class that carries it out.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable, Iterator
from typing import Protocol

from ccg.rules import characteristics, selecting
from ccg.rules.agenda import Change, Choice, Engine, Frame, Verb
from ccg.rules.in_turn import in_turn
from ccg.rules.instructions import (
    Commit,
    Defeat,
    Discard,
    Draw,
    Exhaust,
    Influence,
    Mill,
    Put,
    Ready,
    Restore,
    Sacrifice,
    prevented,
)
from ccg.rules.language import phrases
from ccg.rules.language.phrases import Amount, Players, Selector
from ccg.rules.language.schema import Step
from ccg.rules.performing import Perform, part_of
from ccg.rules.state import Area, Delayed, Modifier, Piece, Role, Scope, Seat, Until

EVERYTHING = 99
"""More than any number of cards: "discard: hand"."""

Able = Callable[[Engine, Scope, Piece], bool]
Can = Callable[[Engine, Scope, Seat], bool]

FROM_BEFORE = ("they", "its_controller", "its_owner")
"""Players whom only an earlier step makes known."""


class Compiling(Protocol):
    """What a verb needs of the compiler: numbers for its choices, and blocks for the steps inside it."""

    in_cost: bool
    """Whether a cost is being compiled: everything in it is chosen as the ability is played."""

    def choice(self) -> int:
        """Give the number of a new choice."""

    def block(self, steps: list[Step], late: bool, cost: bool = False) -> int:
        """Compile ``steps`` and give their number; ``late``: nothing in them is chosen before they resolve."""

    def join(self, first: int, second: int) -> int:
        """Give the number of a block with the steps of two others, one after the other."""

    def change(self, change: Change) -> int:
        """Keep a continuous change and give its number."""


class Which:
    """The pieces that a step is about: a phrase, and the number of the choice if one is to be made."""

    def __init__(self, phrase: str, compiling: Compiling, late: bool, able: Able | None = None) -> None:
        self.selector: Selector = phrases.selector(phrase)
        self.fits = selecting.test(self.selector)
        self.able = able
        self.must: list[Able] = [] if able is None else [able]
        self.for_power = False
        self.chosen = not self.selector.every and not self.selector.pronoun
        self.early = (self.selector.target or compiling.in_cost) and not late
        self.number = compiling.choice() if self.chosen else -1

    def candidates(self, engine: Engine, scope: Scope) -> list[int]:
        """Give the pieces that may be chosen: they fit, something can be done to them, targets may be targeted."""
        found = selecting.every(engine, scope, self.fits)
        for able in self.must:
            found = [piece for piece in found if able(engine, scope, engine.piece(piece))]
        if self.selector.target and engine.in_force("cannot"):
            found = [p for p in found if not self._untouchable(engine, engine.piece(p))]
        return found

    def _untouchable(self, engine: Engine, piece: Piece) -> bool:
        return characteristics.forbidden(engine, "be targeted", piece) or (
            self.for_power and characteristics.forbidden(engine, "be targeted by power", piece)
        )

    def choice(self) -> Choice:
        """Give the choice to be made."""
        return Choice(self.number, "pieces", self.candidates, self.selector.least, self.selector.most, self.selector)

    def announced(self) -> Iterator[Choice]:
        """Give the choice if it is made as the ability is played."""
        if self.chosen and self.early:
            yield self.choice()

    def resolved(self) -> Choice | None:
        """Give the choice if it is made as the step resolves."""
        return self.choice() if self.chosen and not self.early else None

    def found(self, engine: Engine, scope: Scope) -> list[int]:
        """Give the pieces meant now, and remember them as "it"."""
        if self.chosen:
            found = self._still_legal(engine, scope)
        elif self.selector.pronoun:
            found = selecting.pronoun(engine, scope, self.selector.pronoun)
        else:
            found = selecting.every(engine, scope, self.fits)
        if self.selector.pronoun != "this":
            scope.it = found
            if found:
                scope.whom = engine.piece(found[0]).controller
                scope.owner = engine.piece(found[0]).owner
        return found

    def _still_legal(self, engine: Engine, scope: Scope) -> list[int]:
        """Give those of the chosen pieces that could still be chosen (ruling 16)."""
        chosen = scope.chosen[self.number] or []
        scope.chosen[self.number] = None  # "other" is other than what was chosen elsewhere
        pieces = [piece for piece in map(engine.find, chosen) if piece is not None]
        found = [piece.id for piece in pieces if self.fits(engine, scope, piece)]
        scope.chosen[self.number] = chosen
        return found

    def exists(self, engine: Engine, scope: Scope) -> bool:
        """Whether there is something that this can be done to now."""
        if self.chosen:
            return len(self.candidates(engine, scope)) >= max(1, self.selector.least)
        if self.selector.pronoun in ("it", "them"):
            return True  # what an earlier step is about; that step says whether there is one
        able = self.able
        found = (
            selecting.pronoun(engine, scope, self.selector.pronoun)
            if self.selector.pronoun
            else selecting.every(engine, scope, self.fits)
        )
        return any(able is None or able(engine, scope, engine.piece(piece)) for piece in found)


class Whose:
    """The players that a step is about, and the number of the choice if one is chosen.

    ``can`` is the question whether a player could do the step, or whether it could be done to them.
    """

    def __init__(self, phrase: str | None, compiling: Compiling, late: bool, can: Can | None = None) -> None:
        self.players: Players = phrases.players(phrase or "you")
        self.can = can
        self.early = not late
        self.number = compiling.choice() if self.players.target else -1

    def candidates(self, engine: Engine, scope: Scope) -> list[int]:
        """Give the players who may be chosen: those who can do it, or all if nobody can (EFF-5; ruling 70)."""
        found = selecting.seats(engine, scope, self.players)
        if self.can is None or len(found) < 2:
            return found
        return self._able(engine, scope, found) or found

    def _able(self, engine: Engine, scope: Scope, found: list[Seat]) -> list[Seat]:
        reached = self._reached(engine, scope, found)
        return [seat for seat in reached if self.can is None or self.can(engine, scope, seat)]

    def exist(self, engine: Engine, scope: Scope) -> bool:
        """Whether there is a player who can do this now."""
        if self.players.kind in FROM_BEFORE:
            return True  # the earlier step says whether there is one
        return bool(self._able(engine, scope, selecting.seats(engine, scope, self.players)))

    def choice(self) -> Choice:
        """Give the choice to be made."""
        return Choice(self.number, "players", self.candidates)

    def announced(self) -> Iterator[Choice]:
        """Give the choice if it is made as the ability is played."""
        if self.players.target and self.early:
            yield self.choice()

    def resolved(self) -> Choice | None:
        """Give the choice if it is made as the step resolves."""
        return self.choice() if self.players.target and not self.early else None

    def found(self, engine: Engine, scope: Scope) -> list[Seat]:
        """Give the players meant now."""
        if self.players.target:
            found = [seat for seat in scope.chosen[self.number] or [] if not engine.player(seat).lost]
        else:
            found = selecting.seats(engine, scope, self.players)
        return self._reached(engine, scope, found)

    def _reached(self, engine: Engine, scope: Scope, found: list[Seat]) -> list[Seat]:
        """Leave out those whom a red text does not affect (ruling 64)."""
        immune = [force for force in engine.in_force("immune") if scope.piece in (force.pieces or ())]
        return [seat for seat in found if not any(force.fixed == seat for force in immune)]


# ---------------------------------------------------------------- what can be done to what


def _in_reserve(engine: Engine, scope: Scope, piece: Piece) -> bool:
    return piece.area == Area.RESERVE


def _alert(engine: Engine, scope: Scope, piece: Piece) -> bool:
    return piece.area == Area.ALERT


def _face_up(engine: Engine, scope: Scope, piece: Piece) -> bool:
    return not piece.exhausted


def _face_down(engine: Engine, scope: Scope, piece: Piece) -> bool:
    return piece.exhausted


def _leaves(engine: Engine, scope: Scope, piece: Piece) -> bool:
    """Every player has one base, all through the game."""
    return piece.role != Role.BASE


def _mine(engine: Engine, scope: Scope, piece: Piece) -> bool:
    return piece.controller == scope.you and _leaves(engine, scope, piece)


def holds_cards(engine: Engine, scope: Scope, seat: Seat) -> bool:
    """Whether a player has cards to discard or to show; with fewer than asked for, those (EFF-6)."""
    return selecting.in_hand(engine, scope, seat) > 0


def has_deck(engine: Engine, scope: Scope, seat: Seat) -> bool:
    """Whether a player has a deck, or would get one from the discard pile (DEPL-1; ruling 19)."""
    player = engine.player(seat)
    return bool(player.deck or player.discard)


def _may_gain(engine: Engine, scope: Scope, seat: Seat) -> bool:
    return not prevented(engine, 1)


def _may_lose(engine: Engine, scope: Scope, seat: Seat) -> bool:
    return not prevented(engine, -1)


# ---------------------------------------------------------------- the verbs


class OnPieces(Verb):
    """A verb that is done to pieces by one instruction: ready, commit, exhaust, restore, defeat, sacrifice.

    How many it was done to is X from then on.
    """

    def __init__(self, step: Step, compiling: Compiling, late: bool) -> None:
        name, self.make, self.able = next(row for row in DONE_TO_PIECES if getattr(step, row[0]) is not None)
        self.which = Which(getattr(step, name), compiling, late, self.able)

    def announced(self, engine: Engine, scope: Scope) -> Iterator[Choice]:
        return self.which.announced()

    def resolved(self, engine: Engine, scope: Scope) -> Choice | None:
        return self.which.resolved()

    def perform(self, engine: Engine, scope: Scope) -> list[Frame]:
        found = self.which.found(engine, scope)
        scope.x = sum(self.able(engine, scope, engine.piece(piece)) for piece in found)
        return [self.make(found)]

    def possible(self, engine: Engine, scope: Scope) -> bool:
        return self.which.exists(engine, scope)


DONE_TO_PIECES: tuple[tuple[str, Callable[[list[int]], Frame], Able], ...] = (
    ("ready", Ready, _in_reserve),
    ("commit", Commit, _alert),
    ("exhaust", Exhaust, _face_up),
    ("restore", Restore, _face_down),
    ("defeat", Defeat, _leaves),
    ("sacrifice", Sacrifice, _mine),
)


MADE_ABLE: dict[Able, Able] = {
    _alert: _in_reserve,
    _in_reserve: _alert,
    _face_up: _face_down,
    _face_down: _face_up,
}
"""What a piece is able to once what it had to be able to was done: committed, it lies in reserve."""


def narrow(cost: Iterable[Verb]) -> None:
    """Let each thing chosen for ``cost`` be one that all of its steps can be done to, "it" being that thing.

    "Commit a Pilot, exhaust it" is paid only by a Pilot that is alert and face up: a cost is paid whole.
    """
    named: Which | None = None
    done: list[Able] = []
    for verb in cost:
        if not isinstance(verb, OnPieces):
            continue
        if verb.which.chosen:
            named, done = verb.which, []
        elif named is None or verb.which.selector.pronoun not in ("it", "them"):
            continue
        elif verb.able not in done:
            named.must.append(verb.able)
        if verb.able in MADE_ABLE:
            done.append(MADE_ABLE[verb.able])


class PutAway(OnPieces):
    """``put: ..., into: ...``: from play into the owner's hand or deck."""

    def __init__(self, step: Step, compiling: Compiling, late: bool) -> None:
        assert step.put is not None
        place = step.into or "discard pile"
        self.make = lambda pieces: Put(pieces, place)
        self.able = _leaves
        self.which = Which(step.put, compiling, late, _leaves)


class ForPlayers(Verb):
    """A verb that is done by or to players, with an amount: gain, lose, draw, discard, mill."""

    def __init__(self, step: Step, compiling: Compiling, late: bool) -> None:
        self.verb = next(name for name in FOR_PLAYERS if getattr(step, name) is not None)
        said = getattr(step, self.verb)
        amount = Amount(EVERYTHING) if said == "hand" else phrases.amount(said)
        self.amount = selecting.quantity(amount)
        self.known = amount.value in ("", "hand size")
        self.make, self.able = FOR_PLAYERS[self.verb]
        self.whose = Whose(step.who, compiling, late, self._can)

    def announced(self, engine: Engine, scope: Scope) -> Iterator[Choice]:
        return self.whose.announced()

    def resolved(self, engine: Engine, scope: Scope) -> Choice | None:
        return self.whose.resolved()

    def perform(self, engine: Engine, scope: Scope) -> list[Frame]:
        amount = max(0, self.amount(engine, scope, None))
        return self.make(self.whose.found(engine, scope), amount)

    def possible(self, engine: Engine, scope: Scope) -> bool:
        return self.whose.exist(engine, scope)

    def _can(self, engine: Engine, scope: Scope, seat: Seat) -> bool:
        """Whether ``seat`` could do any of it; an amount read only as it resolves may be one (ruling 70)."""
        return self.able(engine, scope, seat) and (not self.known or self.amount(engine, scope, None) > 0)


FOR_PLAYERS: dict[str, tuple[Callable[[list[Seat], int], list[Frame]], Can]] = {
    "gain": (lambda seats, amount: [Influence([(seat, amount) for seat in seats])], _may_gain),
    "lose": (lambda seats, amount: [Influence([(seat, -amount) for seat in seats])], _may_lose),
    "draw": (lambda seats, amount: [Draw(seats, amount)], has_deck),
    "discard": (lambda seats, amount: in_turn([Discard(seat, amount) for seat in seats]), holds_cards),
    "mill": (lambda seats, amount: [Mill(seats, amount)], has_deck),
}


class ChangePieces(Verb):
    """A change for a while to pieces: power, threat, gains, loses, cannot.

    Pieces that are chosen are named as it resolves; a change to all of a kind is on whatever fits as it stands.
    """

    def __init__(self, step: Step, compiling: Compiling, late: bool) -> None:
        self.kind, self.word, amount = change_of(step)
        self.amount = selecting.quantity(amount)
        self.until = Until(step.until or "end of phase")
        self.which = Which(step.of or "this", compiling, late)
        self.which.for_power = self.kind == "power"
        self.condition = selecting.holds(step.if_)
        self.conditional = step.while_ is not None
        self.change = compiling.change(continuous(step))

    def announced(self, engine: Engine, scope: Scope) -> Iterator[Choice]:
        return self.which.announced()

    def resolved(self, engine: Engine, scope: Scope) -> Choice | None:
        return self.which.resolved()

    def perform(self, engine: Engine, scope: Scope) -> list[Frame]:
        pieces = None if self.which.selector.every else self.which.found(engine, scope)
        if self.condition is not None and not self.condition(engine, scope):
            return []
        amount = 0 if pieces is None else self.amount(engine, scope, None)
        change = self.change if pieces is None or self.conditional else -1
        engine.modify(Modifier(self.kind, part_of(scope), pieces, change, amount, self.word, self.until))
        for piece in pieces or []:
            top = engine.piece(piece).top
            engine.tell("changed", scope.you, top, piece, number=amount, to=f"{self.kind} {self.word}".strip())
        return []

    def possible(self, engine: Engine, scope: Scope) -> bool:
        return self.which.exists(engine, scope)


class ChangeGame(Verb):
    """A change for a while to the game itself: the fleet defense level, or what influence may do."""

    def __init__(self, step: Step, compiling: Compiling, late: bool) -> None:
        self.kind, self.word, amount = change_of(step)
        self.amount = selecting.quantity(amount)
        self.until = Until(step.until or "end of phase")

    def perform(self, engine: Engine, scope: Scope) -> list[Frame]:
        amount = self.amount(engine, scope, None)
        engine.modify(Modifier(self.kind, part_of(scope), [], -1, amount, self.word, self.until))
        return []


class For(Verb):
    """``for: each player, do: [...]``: each of them is "you" in the steps, one after another in turn order."""

    def __init__(self, step: Step, compiling: Compiling, late: bool) -> None:
        self.whose = Whose(step.for_, compiling, late, self._can)
        self.block = compiling.block(step.do, late=True)

    def announced(self, engine: Engine, scope: Scope) -> Iterator[Choice]:
        return self.whose.announced()

    def resolved(self, engine: Engine, scope: Scope) -> Choice | None:
        return self.whose.resolved()

    def perform(self, engine: Engine, scope: Scope) -> list[Frame]:
        seats = self.whose.found(engine, scope)
        return in_turn([Perform(scope=part_of(scope, seat), block=self.block) for seat in seats])

    def possible(self, engine: Engine, scope: Scope) -> bool:
        return self.whose.exist(engine, scope)

    def _can(self, engine: Engine, scope: Scope, seat: Seat) -> bool:
        return begins(engine, part_of(scope, seat), self.block)


class ChooseOne(Verb):
    """``choose one: [...]``: one of those that are possible (EFF-5); if none is, nothing is asked (ruling 52)."""

    def __init__(self, step: Step, compiling: Compiling, late: bool) -> None:
        assert step.choose_one is not None
        self.early = not late
        self.number = compiling.choice()
        modes = [mode if isinstance(mode, list) else [mode] for mode in step.choose_one]
        self.blocks = [compiling.block(mode, late) for mode in modes]

    def choice(self, least: int = 1) -> Choice:
        """Give the choice of a mode; modes are numbered from 1 as they are printed."""
        return Choice(self.number, "mode", self._modes, least)

    def _modes(self, engine: Engine, scope: Scope) -> list[int]:
        return [mode for mode, block in enumerate(self.blocks, start=1) if begins(engine, scope, block)]

    def _in_vain(self, engine: Engine, scope: Scope) -> bool:
        """Whether no mode can be done, but one lacks no target: it may be played all the same (ruling 70)."""
        return not self._modes(engine, scope) and any(
            all(
                len(choice.candidates(engine, scope)) >= choice.least
                for verb in engine.script(scope.card).blocks[block]
                for choice in verb.announced(engine, scope)
            )
            for block in self.blocks
        )

    def announced(self, engine: Engine, scope: Scope) -> Iterator[Choice]:
        if self.early:
            yield self.choice(0 if self._in_vain(engine, scope) else 1)
            for mode in scope.chosen[self.number] or []:
                for verb in engine.script(scope.card).blocks[self.blocks[mode - 1]]:
                    yield from verb.announced(engine, scope)

    def resolved(self, engine: Engine, scope: Scope) -> Choice | None:
        return None if self.early else self.choice()

    def perform(self, engine: Engine, scope: Scope) -> list[Frame]:
        modes = scope.chosen[self.number] or []
        return [Perform(scope=part_of(scope), block=self.blocks[mode - 1]) for mode in modes]

    def possible(self, engine: Engine, scope: Scope) -> bool:
        return bool(self._modes(engine, scope))


class May(Verb):
    """``may: ..., do: [...]``: an optional cost as part of an effect; if it is paid, the steps follow (ruling 40)."""

    def __init__(self, step: Step, compiling: Compiling, late: bool) -> None:
        self.early = not late
        self.number = compiling.choice()
        self.cost = compiling.block(costs(step.may), late, cost=True)
        self.block = compiling.block(step.do, late)
        self.once = step.once is not None
        self.both = compiling.join(self.cost, self.block)

    def choice(self) -> Choice:
        """Give the choice whether to pay."""
        return Choice(self.number, "may", lambda engine, scope: [1, 0])

    def _payable(self, engine: Engine, scope: Scope) -> bool:
        return all(verb.possible(engine, scope) for verb in engine.script(scope.card).blocks[self.cost])

    def announced(self, engine: Engine, scope: Scope) -> Iterator[Choice]:
        if self.early and (scope.chosen[self.number] is not None or self._payable(engine, scope)):
            yield self.choice()
            if scope.chosen[self.number] == [1]:
                for block in (self.cost, self.block):
                    for verb in engine.script(scope.card).blocks[block]:
                        yield from verb.announced(engine, scope)

    def resolved(self, engine: Engine, scope: Scope) -> Choice | None:
        if self.early or (scope.chosen[self.number] is None and not self._payable(engine, scope)):
            return None
        if self.once and self._key(scope) in engine.state.used:
            return None
        return self.choice()

    def _key(self, scope: Scope) -> tuple[int, int, int]:
        """Under this an offer that was taken is remembered for the turn; actions and triggers have smaller numbers."""
        return scope.piece, scope.card, 1000 + self.number

    def perform(self, engine: Engine, scope: Scope) -> list[Frame]:
        if scope.chosen[self.number] != [1]:
            return []
        if self.once:
            engine.state.used.append(self._key(scope))
        return [Perform(scope=part_of(scope), block=self.both)]


class Later(Verb):
    """``at: end of challenge, do: [...]``: something to be done at a later moment."""

    def __init__(self, step: Step, compiling: Compiling, late: bool) -> None:
        assert step.at is not None
        self.moment = step.at
        self.block = compiling.block(step.do, late=True)

    def perform(self, engine: Engine, scope: Scope) -> list[Frame]:
        engine.state.delayed.append(Delayed(self.moment, self.block, part_of(scope)))
        return []


class Reduce(Verb):
    """``reduce: 2``, instead of losing influence: the loss about to happen becomes smaller."""

    def __init__(self, step: Step, compiling: Compiling, late: bool) -> None:
        assert step.reduce is not None
        self.amount = selecting.quantity(phrases.amount(step.reduce))

    def perform(self, engine: Engine, scope: Scope) -> list[Frame]:
        for frame in reversed(engine.state.agenda):
            if isinstance(frame, Influence):
                less = self.amount(engine, scope, None)
                frame.changes = [
                    (seat, min(0, change + less) if seat == scope.you and change < 0 else change)
                    for seat, change in frame.changes
                ]
                break
        return []


VERBS: dict[str, Callable[[Step, Compiling, bool], Verb]] = {
    **{name: OnPieces for name, _, _ in DONE_TO_PIECES},
    "put": PutAway,
    **dict.fromkeys(FOR_PLAYERS, ForPlayers),
    **dict.fromkeys(("power", "threat", "gains", "loses", "cannot"), ChangePieces),
    "fleet": ChangeGame,
    "prevent": ChangeGame,
    "reduce": Reduce,
    "for_": For,
    "choose_one": ChooseOne,
    "may": May,
    "at": Later,
}


# ---------------------------------------------------------------- what several share


def begins(engine: Engine, scope: Scope, block: int) -> bool:
    """Whether the first step of ``block`` could do anything now (EFF-5)."""
    return all(verb.possible(engine, scope) for verb in engine.script(scope.card).blocks[block][:1])


def costs(said: bool | str | list[Step] | None) -> list[Step]:
    """Give a cost as steps: "commit and exhaust" means doing both to this card, true costs nothing."""
    if isinstance(said, list):
        return said
    if isinstance(said, bool):
        return []
    return [Step(**{word: "this"}) for word in (said or "").split(" and ") if word]  # type: ignore[arg-type]


def change_of(step: Step) -> tuple[str, str, Amount]:
    """Give kind, word and amount of a change."""
    numbers = (("power", step.power), ("threat", step.threat), ("fleet", step.fleet), ("price", step.price))
    for kind, said in numbers:
        if said is not None:
            return kind, "", phrases.amount(said)
    if step.revealed is not None:
        return "revealed", step.of or "card", phrases.amount(step.revealed)
    if step.not_singular is not None:
        return "not singular", step.not_singular, Amount()
    if step.cannot is not None:
        return "cannot", step.cannot, Amount()
    if step.prevent is not None:
        return "prevent", step.prevent, Amount()
    word = step.gains if step.gains is not None else step.loses
    assert word is not None
    if word.lower() in characteristics.KEYWORDS:
        return "keyword", word.lower(), Amount()
    return "trait", word if step.gains is not None else f"-{word}", Amount()


def continuous(step: Step, while_: str | None = None) -> Change:
    """Give the continuous change that ``step`` describes, seen from its card, ``while`` something holds."""
    kind, word, amount = change_of(step)
    of = phrases.selector("this" if step.revealed is not None else step.of or "this")
    ask = selecting.quantity(amount)
    return Change(kind, selecting.test(of), ask, word, selecting.holds(step.while_ or while_))
