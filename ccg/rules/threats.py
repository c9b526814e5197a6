"""Cylon threats: revealing them, their red text, and putting them away (Resolving Cylon Threats; rulings 30, 34)."""

from __future__ import annotations

from ccg.rules.agenda import Engine, Frame
from ccg.rules.instructions import top_card
from ccg.rules.outcome import to_discard
from ccg.rules.performing import Perform, fresh_scope
from ccg.rules.state import Area, Piece, Role, Scope, Seat


class RevealThreats(Frame):
    """Each of ``seats`` turns up the top card of their deck as a Cylon threat, all together.

    Then the red texts resolve, in the same order (CYLON-3d).
    """

    seats: list[Seat]

    def run(self, engine: Engine) -> None:
        engine.end(self)
        revealed = []
        for seat in self.seats:
            card = top_card(engine, seat)
            if card is not None:
                engine.player(seat).deck.pop()
                threat = engine.enter(Role.THREAT, Area.CENTER, seat, card)
                engine.tell("threat", seat, card, threat.id, source="deck", to="center")
                revealed.append(threat.id)
        engine.tell("threats")
        engine.push(RedTexts(revealed))


class RedTexts(Frame):
    """The red texts of the ``threats`` just revealed resolve one after another, even of cards that will go away."""

    threats: list[int]

    def run(self, engine: Engine) -> None:
        if not self.threats:
            engine.end(self)
            return
        threat = engine.find(self.threats.pop(0))
        if threat is not None and engine.script(threat.top).red >= 0:
            scope = fresh_scope(engine, Scope(threat.owner, threat.top, threat.id))
            engine.tell("red", threat.owner, threat.top, threat.id)
            engine.push(Perform(scope=scope, block=engine.script(threat.top).red))


def clear_threats(engine: Engine, threats: list[Piece]) -> None:
    """Put Cylon threats into their owners' discard piles."""
    for threat in list(threats):
        engine.tell("threat over", threat.owner, threat.top, threat.id, source="center", to="discard")
        engine.remove(threat)
        to_discard(engine, threat.cards)
