"""The Cylon phase: threat level, attack, jump, and challenges to the threats (Cylon Phase)."""

from __future__ import annotations

from enum import IntEnum
from typing import ClassVar

from msgspec import field

from ccg.rules.core import characteristics, loops
from ccg.rules.core.engine import Engine, Frame
from ccg.rules.core.options import PASS, Option
from ccg.rules.core.state import Phase, Role, SeatNumber
from ccg.rules.rulebook.declaring import declare
from ccg.rules.rulebook.influence import Influence
from ccg.rules.rulebook.instructions import Sacrifice, SacrificeSupply
from ccg.rules.rulebook.setup import UNNAMED, settle_first_player
from ccg.rules.rulebook.threats import RevealThreats, clear_threats


class CylonStep(IntEnum):
    """The steps of the Cylon phase: the threat level, then those of Resolving Cylon Threats."""

    THREAT_LEVEL = 0
    REVEAL = 1
    JUMP = 2
    CHALLENGES = 3
    OVER = 4


class CylonPhase(Frame):
    """The phase, of which ``step`` comes next.

    Among the challenges ``actor`` chooses next, ``passed`` have passed one directly after another, and ``begun`` is
    what has been begun and not yet counted.
    """

    rules_ask: ClassVar[bool] = True

    step: CylonStep = CylonStep.THREAT_LEVEL
    actor: SeatNumber = -1
    passed: list[SeatNumber] = field(default_factory=list)
    begun: str = ""
    named: SeatNumber = UNNAMED

    def run(self, engine: Engine) -> None:
        if self.step == CylonStep.THREAT_LEVEL:
            self._begin(engine)
        elif self.step == CylonStep.REVEAL:
            self.step = CylonStep.JUMP
            engine.push(RevealThreats(engine.seats()))
        elif self.step == CylonStep.JUMP:
            self._jump_or_stay(engine)
        elif self.step == CylonStep.CHALLENGES:
            self._go_round(engine)
        else:
            engine.end(self)
            clear_threats(engine, engine.state.threats)

    def _begin(self, engine: Engine) -> None:
        engine.state.phase = Phase.CYLON
        self._named_first(engine)
        settle_first_player(engine, self.named)
        engine.emit("phase", number=engine.state.turn, to=Phase.CYLON.value)
        level, defense = characteristics.threat_level(engine), characteristics.fleet_defense(engine)
        self.step = CylonStep.REVEAL if level > defense else CylonStep.OVER
        engine.emit("attack" if level > defense else "no attack", number=level, against=defense)

    def _named_first(self, engine: Engine) -> None:
        """Let an effect that named the first player of this phase be used up."""
        for seat in engine.state.granted.first:
            if not engine.player(seat).lost:
                self.named = seat
        engine.state.granted.first.clear()

    def _jump_or_stay(self, engine: Engine) -> None:
        threats = engine.state.threats
        if threats and all(characteristics.CYLON in characteristics.traits(engine, threat) for threat in threats):
            engine.emit("jump")
            self.step = CylonStep.OVER
            engine.push(Jump(engine.seats()))
            return
        clear_threats(engine, [threat for threat in threats if characteristics.threat(engine, threat) <= 0])
        self.step = CylonStep.CHALLENGES
        self.actor = engine.state.first

    def _go_round(self, engine: Engine) -> None:
        if self.begun:
            seat, challenged = self.actor, self.begun == "challenge"
            self.actor = engine.next_seat(seat)
            self.begun = ""
            if challenged:
                self.passed.clear()
                loops.note_deed(engine, seat)
        elif engine.player(self.actor).lost:
            self.actor = engine.next_seat(self.actor)
        if not engine.state.threats or all(seat in self.passed for seat in engine.seats()):
            self.step = CylonStep.OVER
        else:
            engine.ask(self.actor, "cylon")

    def options(self, engine: Engine) -> list[Option]:
        if loops.held(engine, self.actor):
            return [PASS]
        return [
            Option("challenge", piece=piece.id, target=threat.id)
            for threat in engine.state.threats
            for piece in engine.player(self.actor).alert
            if characteristics.may_challenge(engine, piece)
        ] + [PASS]

    def take(self, engine: Engine, option: Option) -> None:
        self.begun = option.verb
        if option.verb == "challenge":
            declare(engine, self.actor, engine.piece(option.piece), against=engine.piece(option.target))
        else:
            self.passed.append(self.actor)
            engine.emit("pass", self.actor)
            engine.push(Influence([(self.actor, -1)]))


class Jump(Frame):
    """The fleet jumps: each of ``waiting`` sacrifices an asset or a supply card of theirs (ruling 31)."""

    rules_ask: ClassVar[bool] = True

    waiting: list[SeatNumber]

    def run(self, engine: Engine) -> None:
        self.waiting = [seat for seat in self.waiting if _can_give_up(engine, seat)]
        if self.waiting:
            engine.ask(self.waiting[0], "jump")
        else:
            engine.end(self)

    def options(self, engine: Engine) -> list[Option]:
        resource = engine.player(self.waiting[0]).resource
        assets = [Option("choose", piece=piece.id) for piece in resource if piece.role == Role.ASSET]
        return assets + [
            Option("choose", target=piece.id, word="supply") for piece in resource if piece.is_stack and piece.supplies
        ]

    def take(self, engine: Engine, option: Option) -> None:
        seat = self.waiting.pop(0)
        engine.push(Sacrifice([option.piece]) if option.piece else SacrificeSupply(seat, option.target))


def _can_give_up(engine: Engine, seat: SeatNumber) -> bool:
    player = engine.player(seat)
    return not player.lost and any(piece.role == Role.ASSET or piece.supplies for piece in player.resource)
