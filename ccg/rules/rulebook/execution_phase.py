"""The execution phase: one action each in turn order until all pass one after another (Execution Phase)."""

from __future__ import annotations

from typing import ClassVar

from msgspec import field

from ccg.rules.core import characteristics, loops
from ccg.rules.core.engine import Engine, Frame
from ccg.rules.core.options import PASS, Option
from ccg.rules.core.state import Phase, SeatNumber
from ccg.rules.rulebook.abilities import ability_options, use
from ccg.rules.rulebook.declaring import begin, price_payable
from ccg.rules.rulebook.missions import has_resolved, resolvable, resolve
from ccg.rules.rulebook.payment import next_action, next_action_over
from ccg.rules.rulebook.playing import play, play_options
from ccg.rules.rulebook.setup import UNNAMED, settle_first_player


class ExecutionPhase(Frame):
    """The phase going round: ``actor`` acts next, ``passed`` have passed one directly after another.

    ``begun`` is the kind of action begun and not yet counted; ``extra`` are the players of the extra actions that
    come before ``actor`` goes on, in their order.
    """

    asks: ClassVar[str] = "action"
    rules_ask: ClassVar[bool] = True

    actor: SeatNumber = -1
    passed: list[SeatNumber] = field(default_factory=list)
    begun: str = ""
    extra: list[SeatNumber] = field(default_factory=list)
    named: SeatNumber = UNNAMED

    def run(self, engine: Engine) -> None:
        if self.actor < 0:
            engine.state.phase = Phase.EXECUTION
            engine.state.resolved.clear()
            settle_first_player(engine, self.named)
            engine.emit("phase", number=engine.state.turn, to=Phase.EXECUTION.value)
            self.actor = engine.state.first
        if self.begun:
            self._acted(engine)
        self.extra = [seat for seat in self.extra if not engine.player(seat).lost]
        if engine.player(self.actor).lost:
            self.actor = engine.next_seat(self.actor)
        if self._ended(engine):
            engine.end(self)
        else:
            next_action(engine, self.acting)
            engine.ask(self.acting, "action")

    @property
    def acting(self) -> SeatNumber:
        """Whose action it is: the next extra one, else that of the player whose turn it is in the round."""
        return self.extra[0] if self.extra else self.actor

    def options(self, engine: Engine) -> list[Option]:
        seat = self.acting
        if loops.held(engine, seat):
            return [PASS]
        options = play_options(engine, seat)
        options += ability_options(engine, seat)
        if not has_resolved(engine, seat):
            options += resolvable(engine, seat)
        able = [piece.id for piece in engine.player(seat).alert if characteristics.may_challenge(engine, piece)]
        opponents = engine.opponents(seat) if able else []
        options += [
            Option("challenge", piece=piece, player=other)
            for piece in able
            for other in opponents
            if price_payable(engine, seat, other, piece)
        ]
        options.append(PASS)
        return options

    def take(self, engine: Engine, option: Option) -> None:
        self.begun = option.verb
        if option.verb == "play":
            play(engine, self.acting, option.card)
        elif option.verb in ("boost", "use"):
            use(engine, self.acting, option)
        elif option.verb == "resolve":
            resolve(engine, self.acting, option.piece)
        elif option.verb == "challenge":
            begin(engine, self.acting, option)

    def taken_back(self) -> None:
        self.begun = ""

    def _acted(self, engine: Engine) -> None:
        """Count the action that is over and go on to the next player (EXEC-2), or to an extra action (ruling 21)."""
        seat = self.acting
        begun, self.begun = self.begun, ""
        next_action_over(engine, seat)
        if self.extra:
            del self.extra[0]
        else:
            self.actor = engine.next_seat(self.actor)
        if begun == "pass":
            self.passed.append(seat)
            self.extra = [other for other in self.extra if other != seat]
            engine.emit("pass", seat)
        else:
            self.passed.clear()
            if begun == "resolve":
                engine.state.resolved.append(seat)
            self.extra = self._granted(engine, seat) + self.extra
            loops.note_deed(engine, seat)

    def _granted(self, engine: Engine, seat: SeatNumber) -> list[SeatNumber]:
        """Return the players of the extra actions that were earned in the action of ``seat`` (rulings 21 and 79).

        Others than that player have earned theirs in a challenge.
        """
        granted = engine.state.granted
        earned, granted.extra_actions = granted.extra_actions, []
        return [other for other in engine.seats(seat) for _ in range(earned.count(other))]

    def _ended(self, engine: Engine) -> bool:
        """Return whether all have passed, or an effect has ended the phase."""
        return engine.state.granted.phase_over or all(seat in self.passed for seat in engine.seats())
