"""Numbers and words of a card in play, asked and never stored: power, threat, traits, keywords.

One function each, computed from what is printed and from the modifiers in force. An exhausted card lies
face down and has its type and title only, except for a participant of the challenge that is going on
(Exhaust vs. Restore). An asset has nothing but the resource it makes (Resources).
"""

from __future__ import annotations

from ccg.rules.agenda import Engine
from ccg.rules.cards import KeywordName
from ccg.rules.state import Area, Piece, Role, Seat

CYLON = "Cylon"


def speaks(engine: Engine, piece: Piece) -> bool:
    """Whether what is printed on ``piece`` counts: it lies face up, or takes part in this challenge."""
    if piece.role == Role.ASSET:
        return False
    if not piece.exhausted:
        return True
    challenge = engine.state.challenge
    return challenge is not None and challenge.has(piece.id)


def power(engine: Engine, piece: Piece) -> int:
    """Give the power of ``piece`` as it now is; that of a Cylon threat is its Cylon threat number."""
    if not speaks(engine, piece):
        return 0
    card = engine.definition(piece)
    printed = card.threat if piece.role == Role.THREAT else card.power
    return (printed or 0) + sum(
        modifier.power for modifier in engine.state.modifiers if modifier.piece == piece.id
    )


def threat(engine: Engine, piece: Piece) -> int:
    """Give the Cylon threat of ``piece`` as it now is (Glossary: Cylon threat)."""
    return (engine.definition(piece).threat or 0) if speaks(engine, piece) else 0


def mystic(engine: Engine, piece: Piece) -> int:
    """Give the mystic value printed on ``piece`` while it can be read (Glossary: mystic value)."""
    return (engine.definition(piece).mystic or 0) if speaks(engine, piece) else 0


def traits(engine: Engine, piece: Piece) -> tuple[str, ...]:
    """Give the traits that ``piece`` has now."""
    return engine.definition(piece).traits if speaks(engine, piece) else ()


def keywords(engine: Engine, piece: Piece) -> tuple[KeywordName, ...]:
    """Give the keywords that ``piece`` has now (a threat has none: Resolving Cylon Threats, 1)."""
    if piece.role == Role.THREAT or not speaks(engine, piece):
        return ()
    return engine.definition(piece).keywords


def yields(engine: Engine, piece: Piece) -> int:
    """Give how many resources a base or asset makes when its stack is spent (Generating Resources)."""
    return 1 + len(piece.supplies)


def may_challenge(engine: Engine, piece: Piece) -> bool:
    """Whether ``piece`` may be picked as challenger: a face-up alert unit without Vision."""
    return (
        piece.is_unit
        and piece.area == Area.ALERT
        and not piece.exhausted
        and "vision" not in engine.definition(piece).keywords
    )


def may_defend(engine: Engine, piece: Piece, challenger: Piece, role: Role) -> bool:
    """Whether ``piece`` may defend against ``challenger``, which challenges as a ``role``.

    It must be alert, face up and of like type; Scramble on the defender or Vulnerable on the challenger
    lifts the condition of type. Rulebook: Challenge Procedure 1, Scramble, Vision.
    """
    if not piece.is_unit or piece.area != Area.ALERT or piece.exhausted:
        return False
    has = engine.definition(piece).keywords
    if "vision" in has:
        return False
    return piece.role == role or "scramble" in has or "vulnerable" in keywords(engine, challenger)


def fleet_defense(engine: Engine) -> int:
    """Give the fleet defense level: the powers of the bases of all players still in the game.

    A spent base counts as well (ruling 38).
    """
    return sum(
        engine.definition(player.resource[0]).power or 0 for player in engine.state.players if not player.lost
    )


def threat_level(engine: Engine) -> int:
    """Give the total Cylon threat of all face-up alert and reserve cards (Cylon Phase)."""
    return sum(
        engine.definition(piece).threat or 0
        for player in engine.state.players
        for lying in (player.alert, player.reserve)
        for piece in lying
        if not piece.exhausted
    )


def lowest_influence(engine: Engine) -> list[Seat]:
    """Give the players in the game with the least influence, in seat order (First Player)."""
    seats = [seat for seat, player in enumerate(engine.state.players) if not player.lost]
    least = min(engine.state.players[seat].influence for seat in seats)
    return [seat for seat in seats if engine.state.players[seat].influence == least]
