"""Cylon threats: revealing them, their red text, and putting them away (Resolving Cylon Threats; rulings 30, 34)."""

from __future__ import annotations

from ccg.rules.core.engine import Engine, Frame
from ccg.rules.core.state import Area, Context, Piece, Role, SeatNumber
from ccg.rules.core.zones import leave_play
from ccg.rules.rulebook.hands_and_decks import top_card
from ccg.rules.rulebook.resolving import Perform, fresh_context


class RevealThreats(Frame):
    """Each of ``seats`` turns up the top card of their deck as a Cylon threat, all together.

    Then the red texts resolve, in the same order (CYLON-3d).
    """

    seats: list[SeatNumber]

    def run(self, engine: Engine) -> None:
        engine.end(self)
        revealed = []
        for seat in self.seats:
            card = top_card(engine, seat)
            if card is not None:
                engine.player(seat).deck.pop()
                threat = engine.enter(Role.THREAT, Area.CENTER, seat, card)
                engine.emit("threat", seat, card, threat.id, source="deck", to="center")
                revealed.append(threat.id)
        engine.emit("threats")
        engine.push(RedTexts(revealed))


class RedTexts(Frame):
    """The red texts of the ``threats`` just revealed resolve in order, also of threats that are put away later."""

    threats: list[int]

    def run(self, engine: Engine) -> None:
        if not self.threats:
            engine.end(self)
            return
        threat = engine.find(self.threats.pop(0))
        if threat is not None and engine.script(threat.top).red >= 0:
            context = fresh_context(engine, Context(threat.owner, threat.top, threat.id))
            engine.emit_about("red", threat)
            engine.push(Perform(context=context, block=engine.script(threat.top).red))


def clear_threats(engine: Engine, threats: list[Piece]) -> None:
    """Put Cylon threats into their owners' discard piles."""
    for threat in list(threats):
        engine.emit_about("threat over", threat, source="center", to="discard")
        leave_play(engine, threat)
