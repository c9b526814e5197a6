"""The Cylon phase: threat level, attack, jump, and challenges to the threats (Cylon Phase)."""

from __future__ import annotations

from msgspec import field

from ccg.rules import characteristics
from ccg.rules.agenda import Engine, Frame
from ccg.rules.challenge import ChallengeProcedure, declare
from ccg.rules.instructions import Influence, Sacrifice, SacrificeSupply
from ccg.rules.options import PASS, Option
from ccg.rules.setup import UNNAMED, settle_first_player
from ccg.rules.state import Phase, Role, Seat
from ccg.rules.threats import RevealThreats, clear_threats


class CylonPhase(Frame):
    """The phase at its ``step``: 0 threat level, 1 reveal, 2 jump or not, 3 challenge or pass, 4 over.

    In step 3 ``actor`` chooses next, ``passed`` have passed one directly after another, and ``doing`` is
    what has been begun and not yet counted.
    """

    step: int = 0
    actor: Seat = -1
    passed: list[Seat] = field(default_factory=list)
    doing: str = ""
    named: Seat = UNNAMED

    def run(self, engine: Engine) -> None:
        if self.step == 0:
            self._begin(engine)
        elif self.step == 1:
            self.step = 2
            engine.push(RevealThreats(engine.seats()))
        elif self.step == 2:
            self._jump_or_stay(engine)
        elif self.step == 3:
            self._go_round(engine)
        else:
            engine.end(self)
            clear_threats(engine, engine.state.threats)

    def _begin(self, engine: Engine) -> None:
        engine.state.phase = Phase.CYLON
        self._named_first(engine)
        settle_first_player(engine, self.named)
        engine.tell("phase", number=engine.state.turn, to=Phase.CYLON.value)
        level, defense = characteristics.threat_level(engine), characteristics.fleet_defense(engine)
        self.step = 1 if level > defense else 4
        engine.tell("attack" if level > defense else "no attack", number=level)

    def _named_first(self, engine: Engine) -> None:
        """Let an effect that named the first player of this phase be used up."""
        for modifier in [m for m in engine.state.modifiers if m.kind == "goes first"]:
            engine.state.modifiers.remove(modifier)
            if not engine.player(modifier.amount).lost:
                self.named = modifier.amount

    def _jump_or_stay(self, engine: Engine) -> None:
        threats = engine.state.threats
        if threats and all(characteristics.CYLON in characteristics.traits(engine, threat) for threat in threats):
            engine.tell("jump")
            self.step = 4
            engine.push(Jump(engine.seats()))
            return
        clear_threats(engine, [threat for threat in threats if characteristics.threat(engine, threat) <= 0])
        self.step = 3
        self.actor = engine.state.first

    def _go_round(self, engine: Engine) -> None:
        if self.doing:
            if self.doing == "challenge":
                self.passed.clear()
            self.actor = engine.next_seat(self.actor)
            self.doing = ""
        elif engine.player(self.actor).lost:
            self.actor = engine.next_seat(self.actor)
        if not engine.state.threats or all(seat in self.passed for seat in engine.seats()):
            self.step = 4
        else:
            engine.ask(self.actor, "cylon")

    def options(self, engine: Engine) -> list[Option]:
        return [
            Option("challenge", piece=piece.id, target=threat.id)
            for threat in engine.state.threats
            for piece in engine.player(self.actor).alert
            if characteristics.may_challenge(engine, piece)
        ] + [PASS]

    def take(self, engine: Engine, option: Option) -> None:
        self.doing = option.verb
        if option.verb == "challenge":
            declare(engine, self.actor, engine.piece(option.piece), against=engine.piece(option.target))
            engine.push(ChallengeProcedure())
        else:
            self.passed.append(self.actor)
            engine.tell("pass", self.actor)
            engine.push(Influence([(self.actor, -1)]))


class Jump(Frame):
    """The fleet jumps: each of ``waiting`` sacrifices an asset or a supply card of theirs (ruling 31)."""

    waiting: list[Seat]

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


def _can_give_up(engine: Engine, seat: Seat) -> bool:
    player = engine.player(seat)
    return not player.lost and any(piece.role == Role.ASSET or piece.supplies for piece in player.resource)
