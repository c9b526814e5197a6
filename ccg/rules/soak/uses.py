"""Counting what the cards of a game do: how often each ability was used and each branch of it taken.

A :class:`Watch` has a catalogue of its own, whose scripts say so when one of their steps is carried out or
one of their changes touches something. What is declined, added or counted as something is seen from
outside, before and after each move. The engine knows nothing of it: a game with the plain catalogue costs
nothing more.
"""

from __future__ import annotations

import copy
from collections.abc import Callable, Iterable, Iterator
from typing import NamedTuple

from ccg.rules.cards.definitions import CardDef, Catalog, Requirement
from ccg.rules.core.data import changed
from ccg.rules.core.engine import NO_SCRIPT, Branch, Choice, ContinuousEffect, Effect, Engine, Frame, Script
from ccg.rules.core.events import Event
from ccg.rules.core.state import Context, Piece, definition_of
from ccg.rules.effects.compiling import compile_scripts
from ccg.rules.effects.steps import ChangePieces
from ccg.rules.game import BACK, CONCEDE, Game
from ccg.rules.rulebook import missions
from ccg.rules.rulebook.challenge import Reaction
from ccg.rules.rulebook.hidden_cards import TopCards
from ccg.rules.rulebook.instructions import Replace
from ccg.rules.rulebook.missions import Help, ResolveMission
from ccg.rules.rulebook.payment import Payment
from ccg.rules.rulebook.resolving import AbilityStep, Act, Perform

ON_PIECES = ("power", "threat", "trait", "keyword", "cannot")
"""Kinds of change that touch pieces."""
BY_AMOUNT = ("fleet", "price", "revealed")
"""Kinds of change whose amount is asked for wherever they count; of the rest only whether they are in force."""

YES, NO = "yes", "no"


class Row(NamedTuple):
    """Something that can happen with a card: ``what``, to which ``ability``.

    ``branch`` says that it is only one way of several that the ability can go.
    """

    card: str
    ability: str
    what: str
    branch: bool = False

    @property
    def name(self) -> str:
        """Card, ability and what, for people."""
        return f"{self.card} {self.ability}: {self.what}"


class Watch:
    """What is counted in games with the cards of one catalogue: ``counts`` go with ``rows``, one for one.

    Play with :attr:`catalog` (equal to the one given), say :meth:`begin` as a game begins, and
    :meth:`before` and :meth:`after` round each of its moves. What happens in copies of it is not counted.
    """

    def __init__(self, catalog: Catalog) -> None:
        """List everything that the cards of ``catalog`` can do; raises AbilityError as ``compile_scripts`` does."""
        self.rows: list[Row] = []
        self.counts: list[int] = []
        self.engine: Engine | None = None
        self._seen: set[tuple[int, ...]] = set()
        self._before = _Before()
        self.catalog = copy.copy(compile_scripts(catalog))
        self._parts = [_Parts(self, card, script) for card, script in zip(catalog.cards, catalog.scripts, strict=True)]
        self.catalog.scripts = tuple(parts.watched for parts in self._parts)

    # -- counting

    def row(self, row: Row) -> int:
        """Return the number of a new row."""
        self.rows.append(row)
        self.counts.append(0)
        return len(self.rows) - 1

    def count(self, row: int | None) -> None:
        """Count ``row``, if there is one."""
        if row is not None:
            self.counts[row] += 1

    def once(self, row: int, *what: int) -> None:
        """Count ``row`` if it has not yet been counted in this game for ``what``."""
        if (row, *what) not in self._seen:
            self._seen.add((row, *what))
            self.counts[row] += 1

    def take(self) -> dict[int, int]:
        """Return what has been counted, by the numbers of rows, and begin again from nothing."""
        taken = {row: count for row, count in enumerate(self.counts) if count}
        self.counts = [0] * len(self.rows)
        return taken

    def add(self, taken: dict[int, int]) -> None:
        """Add what another watch over an equal catalogue has taken."""
        for row, count in taken.items():
            self.counts[row] += count

    def table(self) -> Iterator[tuple[Row, int]]:
        """Return every row with its count, card by card."""
        return zip(self.rows, self.counts, strict=True)

    # -- a game

    def begin(self, game: Game) -> None:
        """From now on count what happens in ``game``, and in no other."""
        self.engine = game.engine
        self._seen.clear()
        for player in game.engine.state.players:
            self.count(self._of(player.resource[0].top).played)

    def before(self, game: Game, move: str) -> None:
        """Look at the game in which ``move`` is about to be made."""
        engine = game.engine
        top = engine.state.agenda[-1]
        self._before = _Before(move, top, any(isinstance(frame, Reaction) for frame in engine.state.agenda))
        if move in (YES, NO):
            self._answer(engine, top, move)
        if isinstance(top, ResolveMission):
            self._before.look_at(engine, engine.piece(top.context.piece))
        elif move.startswith("resolve "):
            self._before.look_at(engine, engine.piece(int(move.split(" ")[1])))

    def after(self, game: Game, events: Iterable[Event]) -> None:
        """Count what the move announced by :meth:`before` has done, as its ``events`` tell."""
        before = self._before
        if before.paid(game):
            for helper in map(game.engine.find, before.payment.helping if before.payment is not None else ()):
                self.count(self._of(helper.top).adds if helper is not None else None)
        for event in events:
            if event.kind == "play" and event.card is not None:
                parts = self._of(event.card)
                self.count(parts.played)
                self.count(parts.react if before.reacting else None)
            elif event.kind == "resolve" and event.card is not None:
                self.count(self._of(event.card).resolved)
                for help_ in before.helped() if event.piece == before.mission else ():
                    self.count(self._of(help_.card).counts_as.get(help_.number))

    def _of(self, card: int) -> _Parts:
        return self._parts[definition_of(card)]

    def _answer(self, engine: Engine, top: Frame, move: str) -> None:
        """Count what is answered to a question that asks for no more than yes or no."""
        if isinstance(top, (Act, Replace)) and top.step == AbilityStep.MAY and move == NO:
            kind = "trigger" if isinstance(top, Act) else "replacement"
            self.count(self._of(top.context.card).declined.get((kind, top.number)))
        elif isinstance(top, Payment) and top.offered and move == NO:
            self.count(self._of(engine.piece(top.offered[0]).top).adds_not)
        elif isinstance(top, TopCards) and isinstance(beneath := engine.state.agenda[-2], Perform):
            step = engine.script(beneath.context.card).blocks[beneath.block][beneath.at - 1]
            self.count(step.answers.get(move) if isinstance(step, _Step) else None)


class _Helping(NamedTuple):
    """A help for a mission, the how many-eth of what this ``card`` counts as (-1: what it is itself, ruling 71)."""

    aid: Help
    card: int
    number: int


class _Before:
    """What is remembered of the game before a move."""

    def __init__(self, move: str = "", top: Frame | None = None, reacting: bool = False) -> None:
        self.move = move
        self.reacting = reacting
        self.payment = top if isinstance(top, Payment) else None
        self.resolving = top if isinstance(top, ResolveMission) else None
        self.mission = 0
        self.requires: tuple[Requirement, ...] = ()
        self.helps: list[_Helping] = []
        self.only_way: list[int] = []

    def paid(self, game: Game) -> bool:
        """Return whether the move was the last of a payment."""
        left = self.move == BACK or self.move.startswith(CONCEDE)
        return self.payment is not None and not left and all(f is not self.payment for f in game.engine.state.agenda)

    def look_at(self, engine: Engine, mission: Piece) -> None:
        """See what can help to resolve ``mission``, and what will if there is only one way."""
        self.mission = mission.id
        self.requires = engine.definition(mission).requires
        seat, numbers = mission.controller, dict[int, int]()
        for aid in missions.helpers(engine, seat, mission):
            numbers[aid.piece] = number = numbers.get(aid.piece, -2 if aid.alone else -1) + 1
            self.helps.append(_Helping(aid, engine.piece(aid.piece).top, number))
        if not missions.several_ways(engine, seat, mission):
            for _ in self.requires:
                self.only_way.append(missions.next_helps(engine, seat, mission, self.only_way)[0].piece)

    def helped(self) -> Iterator[_Helping]:
        """Return the helps with which the mission has been resolved."""
        used = self.resolving.used if self.resolving is not None and self.resolving.used else self.only_way
        left = list(self.helps)
        for piece, asked in zip(used, self.requires, strict=False):
            found = next((help_ for help_ in left if help_.aid.piece == piece and help_.aid.meets(asked)), None)
            if found is not None:
                left.remove(found)
                yield found


# ---------------------------------------------------------------- scripts that say what they do


class _Step(Effect):
    """A step of a script that says when it is carried out, and which of its ways it goes."""

    def __init__(self, watch: Watch, effect: Effect, rows: list[int]) -> None:
        self.watch = watch
        self.effect = effect
        self.rows = rows
        self.ways: dict[int, int] = {}
        self.number = -1
        self.answers: dict[str, int] = {}
        self.asked: Callable[[Engine, Context], bool] | None = None

    def announced(self, engine: Engine, context: Context) -> Iterator[Choice]:
        return self.effect.announced(engine, context)

    def resolved(self, engine: Engine, context: Context) -> Choice | None:
        return self.effect.resolved(engine, context)

    def perform(self, engine: Engine, context: Context) -> list[Frame]:
        if engine is self.watch.engine:
            for row in self.rows:
                self.watch.count(row)
            for way in (context.chosen[self.number] or ()) if self.ways else ():
                self.watch.count(self.ways.get(way))
            if self.asked is not None:
                self.asked(engine, context)
        return self.effect.perform(engine, context)

    def possible(self, engine: Engine, context: Context) -> bool:
        return self.effect.possible(engine, context)

    def nameable(self, engine: Engine, context: Context) -> bool:
        return self.effect.nameable(engine, context)

    def claims(self, engine: Engine, context: Context) -> list[int]:
        return self.effect.claims(engine, context)


class _Parts:
    """What one card can do, each with its row, and the script of the card that counts them."""

    def __init__(self, watch: Watch, card: CardDef, script: Script) -> None:
        self.watch = watch
        self.card = card
        self.script = script
        self.steps: dict[int, _Step] = {}
        self.changes: dict[int, ContinuousEffect] = {}
        self.played = self._row("card", "begins in play" if card.type == "base" else "played")
        self.resolved = self._row("card", "resolved") if card.type == "mission" else None
        self.declined: dict[tuple[str, int], int] = {}
        self.counts_as: dict[int, int] = {}
        self.adds: int | None = None
        self.adds_not: int | None = None
        self.react: int | None = None
        self.watched = script if script is NO_SCRIPT else self._watched()

    def _row(self, ability: str, what: str, branch: bool = False) -> int:
        return self.watch.row(Row(self.card.id, ability, what, branch))

    def _watched(self) -> Script:
        script = self.script
        self._block(script.effect, "effect", "resolved")
        self._branches(script.cost, "effect", "cost, ")
        for number, action in enumerate(script.actions):
            self._costly(f"action {number + 1}", "played", action.effect, action.cost)
        for number, trigger in enumerate(script.triggers):
            self._optional("trigger", number, trigger.effect, trigger.cost, trigger.may)
        for number, replacement in enumerate(script.replacements):
            self._optional("replacement", number, replacement.effect, replacement.cost, replacement.may)
        for place, number in enumerate(script.printed_changes):
            self.changes[number] = self._printed(script.changes[number], f"continuous {place + 1}")
        self._block(script.red, "red text", "resolved")
        if script.adds is not None:
            self.adds = self._row("adds", "added")
            self.adds_not = self._row("adds", "declined", branch=True)
        for number, asked in enumerate(script.counts_as):
            self.counts_as[number] = self._row("counts as", f"{number + 1}, {asked}")
        if script.react is not None:
            self.react = self._row("react", "played")
        return changed(
            script,
            blocks=tuple(tuple(self._step(effect) for effect in block) for block in script.blocks),
            changes=tuple(self.changes.get(number, change) for number, change in enumerate(script.changes)),
            excluded=self._excluding(script.excluded) if script.excluded is not None else None,
        )

    def _optional(self, kind: str, number: int, effect: int, cost: int, may: bool) -> None:
        ability = f"{kind} {number + 1}"
        self._costly(ability, "accepted" if may else "set off", effect, cost)
        if may:
            self.declined[kind, number] = self._row(ability, "declined", branch=True)

    def _costly(self, ability: str, what: str, effect: int, cost: int) -> None:
        """Count ``what`` as the effect begins, or if there is none besides paying, the cost."""
        if self.script.blocks[effect]:
            self._block(effect, ability, what)
            self._branches(cost, ability, "cost, ")
        else:
            self._block(cost, ability, what, "cost, ")

    # -- blocks and steps

    def _step(self, effect: Effect) -> _Step:
        """Return the step that stands for ``effect``: the same one wherever blocks share it."""
        if id(effect) not in self.steps:
            self.steps[id(effect)] = _Step(self.watch, effect, [])
        return self.steps[id(effect)]

    def _block(self, block: int, ability: str, what: str, where: str = "", branch: bool = False) -> None:
        """Count ``what`` as the first step of ``block`` is carried out, and the branches in it."""
        if block < 0 or not self.script.blocks[block]:
            return
        first = self._step(self.script.blocks[block][0])
        first.rows.append(self._row(ability, what if not branch else where + what, branch))
        self._branches(block, ability, where)

    def _branches(self, block: int, ability: str, where: str) -> None:
        for place, effect in enumerate(self.script.blocks[block] if block >= 0 else (), start=1):
            self._branch(effect, ability, f"{where}step {place}, ")

    def _branch(self, effect: Effect, ability: str, where: str) -> None:
        """Find the ways that one step can go."""
        step = self._step(effect)
        for branch in effect.branches():
            self._way(step, branch, ability, where)
        if isinstance(effect, ChangePieces):
            self._change(step, effect, ability, where)

    def _way(self, step: _Step, branch: Branch, ability: str, where: str) -> None:
        if branch.word:
            step.answers[branch.word] = self._row(ability, where + branch.what, branch=True)
        elif branch.number < 0 and branch.what:
            self._block(branch.block, ability, branch.what, where, branch=True)
            return
        elif branch.what:
            step.number = branch.number
            step.ways[branch.answer] = self._row(ability, where + branch.what, branch=True)
        self._branches(branch.block, ability, where + branch.prefix)

    def _change(self, step: _Step, effect: ChangePieces, ability: str, where: str) -> None:
        if effect.condition is not None:
            so = self._row(ability, f"{where}if so", branch=True)
            step.asked = self._asked(effect.condition, so, self._row(ability, f"{where}if not", branch=True))
        change = self.script.changes[effect.change]
        if effect.conditional and change.holds is not None:
            so = self._row(ability, f"{where}while so", branch=True)
            self.changes[effect.change] = changed(
                change, holds=self._asked(change.holds, so, self._row(ability, f"{where}while not so", True))
            )

    # -- what is asked again and again, and counted once for each piece

    def _asked(
        self, holds: Callable[[Engine, Context], bool], so: int | None, not_so: int | None
    ) -> Callable[[Engine, Context], bool]:
        watch = self.watch

        def ask(engine: Engine, context: Context) -> bool:
            held = holds(engine, context)
            row = so if held else not_so
            if row is not None and engine is watch.engine:
                watch.once(row, context.piece, context.card)
            return held

        return ask

    def _printed(self, change: ContinuousEffect, ability: str) -> ContinuousEffect:
        """Return ``change`` so that it is counted once for each time that its card lies in play and it counts."""
        watch, row = self.watch, self._row(ability, "in force")
        not_so = self._row(ability, "while not so", branch=True) if change.holds is not None else None
        touches, amount = change.touches, change.amount

        def touched(engine: Engine, context: Context, piece: Piece) -> bool:
            found = touches(engine, context, piece)
            if found and engine is watch.engine:
                watch.once(row, context.piece)
            return found

        def asked(engine: Engine, context: Context, piece: Piece) -> int:
            if engine is watch.engine:
                watch.once(row, context.piece)
            return amount(engine, context, piece)

        if change.holds is not None and not_so is not None:
            change = changed(change, holds=self._asked(change.holds, None, not_so))
        if change.kind in ON_PIECES:
            return changed(change, touches=touched)
        if change.kind in BY_AMOUNT:
            return changed(change, amount=asked)
        holds = change.holds
        return changed(change, holds=self._asked(holds if holds is not None else _always, row, None))

    def _excluding(
        self, excluded: Callable[[Engine, Context, Piece], bool]
    ) -> Callable[[Engine, Context, Piece], bool]:
        watch, row = self.watch, self._row("not by", "kept a unit out")

        def exclude(engine: Engine, context: Context, piece: Piece) -> bool:
            found = excluded(engine, context, piece)
            if found and engine is watch.engine:
                watch.once(row, context.piece, piece.id)
            return found

        return exclude


def _always(engine: Engine, context: Context) -> bool:
    return True


# ---------------------------------------------------------------- what is told of it


def csv_lines(watch: Watch) -> Iterator[list[str]]:
    """Return the table with its heading: card, ability, what, whether it is a branch, count."""
    yield ["card", "ability", "what", "branch", "count"]
    for row, count in watch.table():
        yield [row.card, row.ability, row.what, "branch" if row.branch else "", str(count)]


def missing(watch: Watch, least: int) -> list[tuple[Row, int]]:
    """Return the abilities used fewer than ``least`` times and the branches never taken, the least used first."""
    short = [(row, count) for row, count in watch.table() if count < (1 if row.branch else least)]
    return sorted(short, key=lambda row: row[1])
