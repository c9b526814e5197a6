"""The execution phase: one action each in turn order until all pass one after another (Execution Phase)."""

from __future__ import annotations

from msgspec import field

from ccg.rules import characteristics
from ccg.rules.abilities import ability_options, use
from ccg.rules.agenda import Engine, Frame
from ccg.rules.challenge import ChallengeProcedure, declare
from ccg.rules.missions import resolvable, resolve
from ccg.rules.options import PASS, Option
from ccg.rules.playing import play, play_options
from ccg.rules.setup import UNNAMED, settle_first_player
from ccg.rules.state import Phase, Seat


class ExecutionPhase(Frame):
    """The phase going round: ``actor`` acts next, ``passed`` have passed one directly after another.

    ``doing`` is the kind of action begun and not yet counted; ``resolved`` are the players who have
    resolved their one mission of this phase (MISSION-2).
    """

    actor: Seat = -1
    passed: list[Seat] = field(default_factory=list)
    doing: str = ""
    resolved: list[Seat] = field(default_factory=list)
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
            self.actor = engine.next_seat(self.actor)
        if all(seat in self.passed for seat in engine.seats()):
            engine.end(self)
        else:
            engine.ask(self.actor, "action")

    def options(self, engine: Engine) -> list[Option]:
        seat = self.actor
        options = play_options(engine, seat)
        options += ability_options(engine, seat)
        if seat not in self.resolved:
            options += resolvable(engine, seat)
        opponents = engine.opponents(seat)
        options += [
            Option("challenge", piece=piece.id, player=opponent)
            for piece in engine.player(seat).alert
            if characteristics.may_challenge(engine, piece)
            for opponent in opponents
        ]
        options.append(PASS)
        return options

    def take(self, engine: Engine, option: Option) -> None:
        self.doing = option.verb
        if option.verb == "play":
            play(engine, self.actor, option.card)
        elif option.verb in ("boost", "use"):
            use(engine, self.actor, option)
        elif option.verb == "resolve":
            resolve(engine, self.actor, option.piece)
        elif option.verb == "challenge":
            declare(engine, self.actor, engine.piece(option.piece), challenged=option.player)
            engine.push(ChallengeProcedure())

    def taken_back(self) -> None:
        self.doing = ""

    def _acted(self, engine: Engine) -> None:
        """Count the action that is over and go on to the next player (EXEC-2)."""
        if self.doing == "pass":
            self.passed.append(self.actor)
            engine.tell("pass", self.actor)
        else:
            self.passed.clear()
            if self.doing == "resolve":
                self.resolved.append(self.actor)
        self.doing = ""
        self.actor = engine.next_seat(self.actor)
