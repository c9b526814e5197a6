"""The execution phase: one action each in turn order until all pass one after another (Execution Phase)."""

from __future__ import annotations

from typing import ClassVar

from msgspec import field

from ccg.rules import characteristics
from ccg.rules.abilities import ability_options, use
from ccg.rules.agenda import Engine, Frame
from ccg.rules.challenge import begin, price_payable
from ccg.rules.missions import resolvable, resolve
from ccg.rules.options import PASS, Option
from ccg.rules.payment import next_action, next_action_over
from ccg.rules.playing import play, play_options
from ccg.rules.setup import UNNAMED, settle_first_player
from ccg.rules.state import Phase, Seat


class ExecutionPhase(Frame):
    """The phase going round: ``actor`` acts next, ``passed`` have passed one directly after another.

    ``doing`` is the kind of action begun and not yet counted; ``resolved`` are the players who have
    resolved their one mission of this phase (MISSION-2); ``extra`` are actions the actor takes before the next.
    """

    asks: ClassVar[str] = "action"

    actor: Seat = -1
    passed: list[Seat] = field(default_factory=list)
    doing: str = ""
    resolved: list[Seat] = field(default_factory=list)
    extra: int = 0
    named: Seat = UNNAMED

    def run(self, engine: Engine) -> None:
        if self.actor < 0:
            engine.state.phase = Phase.EXECUTION
            settle_first_player(engine, self.named)
            engine.tell("phase", number=engine.state.turn, to=Phase.EXECUTION.value)
            self.actor = engine.state.first
        if self.doing:
            self._acted(engine)
        if engine.player(self.actor).lost:
            self.extra = 0
            self.actor = engine.next_seat(self.actor)
        if self._ended(engine):
            engine.end(self)
        else:
            next_action(engine, self.actor)
            engine.ask(self.actor, "action")

    def options(self, engine: Engine) -> list[Option]:
        seat = self.actor
        options = play_options(engine, seat)
        options += ability_options(engine, seat)
        if not self.has_resolved(seat):
            options += resolvable(engine, seat)
        opponents = engine.opponents(seat)
        options += [
            Option("challenge", piece=piece.id, player=opponent)
            for piece in engine.player(seat).alert
            if characteristics.may_challenge(engine, piece)
            for opponent in opponents
            if price_payable(engine, seat, opponent)
        ]
        options.append(PASS)
        return options

    def has_resolved(self, seat: Seat) -> bool:
        """Whether the player has resolved their one mission of this phase (MISSION-2)."""
        return seat in self.resolved

    def take(self, engine: Engine, option: Option) -> None:
        self.doing = option.verb
        if option.verb == "play":
            play(engine, self.actor, option.card)
        elif option.verb in ("boost", "use"):
            use(engine, self.actor, option)
        elif option.verb == "resolve":
            resolve(engine, self.actor, option.piece)
        elif option.verb == "challenge":
            begin(engine, self.actor, option)

    def taken_back(self) -> None:
        self.doing = ""

    def _acted(self, engine: Engine) -> None:
        """Count the action that is over and go on to the next player (EXEC-2), or to an extra action (ruling 21)."""
        next_action_over(engine, self.actor)
        if self.doing == "pass":
            if not self.extra:
                self.passed.append(self.actor)
            self.extra = 0
            engine.tell("pass", self.actor)
        else:
            self.passed.clear()
            if self.doing == "resolve":
                self.resolved.append(self.actor)
            self.extra = max(0, self.extra - 1) + self._granted(engine)
        self.doing = ""
        if not self.extra:
            self.actor = engine.next_seat(self.actor)

    def _granted(self, engine: Engine) -> int:
        """Give the extra actions that the action just taken has earned its player."""
        granted = [m for m in engine.state.modifiers if m.kind == "extra" and m.scope.you == self.actor]
        for modifier in granted:
            engine.state.modifiers.remove(modifier)
        return sum(modifier.amount for modifier in granted)

    def _ended(self, engine: Engine) -> bool:
        """Whether all have passed, or an effect has ended the phase."""
        return any(m.kind == "over" for m in engine.state.modifiers) or all(
            seat in self.passed for seat in engine.seats()
        )
