"""Numbers and words of a card in play, asked and never stored: power, threat, traits, keywords.

One function each, computed from what is printed and from the changes in force. An exhausted card lies
face down and has its type and title only, except for a participant of the challenge that is going on
(Exhaust vs. Restore). An asset has nothing but the resource it makes (Resources).
"""

from __future__ import annotations

from ccg.rules.agenda import Engine
from ccg.rules.cards import KeywordName
from ccg.rules.state import Area, Piece, Role, Seat

CYLON = "Cylon"
KEYWORDS: tuple[KeywordName, ...] = ("manipulate", "scramble", "sniper", "strafe", "vision", "vulnerable")
"""Keywords that a unit can gain or lose."""


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
    return (printed or 0) + changed(engine, "power", piece)


def threat(engine: Engine, piece: Piece) -> int:
    """Give the Cylon threat of ``piece`` as it now is (Glossary: Cylon threat)."""
    if not speaks(engine, piece):
        return 0
    return (engine.definition(piece).threat or 0) + changed(engine, "threat", piece)


def mystic(engine: Engine, piece: Piece) -> int:
    """Give the mystic value printed on ``piece`` while it can be read (Glossary: mystic value)."""
    return (engine.definition(piece).mystic or 0) if speaks(engine, piece) else 0


def changed(engine: Engine, kind: str, piece: Piece) -> int:
    """Give by how much the changes of ``kind`` in force change ``piece``."""
    forces = engine.in_force(kind)
    if not forces:
        return 0
    return sum(force.amount(engine, piece) for force in forces if force.touches(engine, piece))


def traits(engine: Engine, piece: Piece) -> tuple[str, ...]:
    """Give the traits that ``piece`` has now; of gained and lost ones the latest counts (ruling 47).

    While they are being worked out, a change that asks for traits sees those found so far.
    """
    if piece.id in engine.settling:
        return engine.settling[piece.id]
    if not speaks(engine, piece):
        return ()
    have = engine.definition(piece).traits
    if not engine.in_force("trait"):
        return have
    for force in engine.in_force("trait"):
        engine.settling[piece.id] = have
        if force.touches(engine, piece):
            word = force.word.removeprefix("-")
            have = tuple(trait for trait in have if trait != word)
            if not force.word.startswith("-"):
                have = (*have, word)
        del engine.settling[piece.id]
    return have


def keywords(engine: Engine, piece: Piece) -> tuple[KeywordName, ...]:
    """Give the keywords that ``piece`` has now (a threat has none: Resolving Cylon Threats, 1)."""
    if piece.role == Role.THREAT or not speaks(engine, piece):
        return ()
    have = engine.definition(piece).keywords
    for force in engine.in_force("keyword"):
        if force.touches(engine, piece):
            gained = next(keyword for keyword in KEYWORDS if keyword == force.word)
            if gained not in have:
                have = (*have, gained)
    return have


def read(engine: Engine, piece: Piece) -> tuple[int, int, int, tuple[str, ...], tuple[KeywordName, ...]]:
    """Give power, threat, mystic value, traits and keywords of ``piece`` together, as a view shows them."""
    if not speaks(engine, piece):
        return 0, 0, 0, (), ()
    return (
        power(engine, piece), threat(engine, piece), engine.definition(piece).mystic or 0, traits(engine, piece),
        keywords(engine, piece),
    )  # fmt: skip


def yields(engine: Engine, piece: Piece) -> int:
    """Give how many resources a base or asset makes when its stack is spent (Generating Resources)."""
    return 1 + len(piece.supplies)


def forbidden(engine: Engine, verb: str, piece: Piece) -> bool:
    """Whether something in force says that ``piece`` cannot do ``verb``; "can't" beats "can" (GEN-4)."""
    return any(force.word == verb and force.touches(engine, piece) for force in engine.in_force("cannot"))


def may_challenge(engine: Engine, piece: Piece) -> bool:
    """Whether ``piece`` may be picked as challenger: a face-up alert unit without Vision, not forbidden to."""
    return (
        piece.is_unit
        and piece.area == Area.ALERT
        and not piece.exhausted
        and "vision" not in keywords(engine, piece)
        and not forbidden(engine, "challenge", piece)
    )


def may_defend(engine: Engine, piece: Piece, challenger: Piece, role: Role) -> bool:
    """Whether ``piece`` may defend against ``challenger``, which challenges as a ``role``.

    It must be alert, face up and of like type; Scramble on the defender or Vulnerable on the challenger
    lifts the condition of type. Rulebook: Challenge Procedure 1, Scramble, Vision.
    """
    challenge = engine.state.challenge
    ready = piece.area == Area.ALERT or (challenge is not None and piece.id in challenge.reacting)
    if not piece.is_unit or not ready or piece.exhausted:
        return False
    has = keywords(engine, piece)
    if "vision" in has or forbidden(engine, "defend", piece):
        return False
    return piece.role == role or "scramble" in has or "vulnerable" in keywords(engine, challenger)


def fleet_defense(engine: Engine) -> int:
    """Give the fleet defense level: the powers of the bases of all players still in the game, and changes.

    A spent base counts as well (ruling 38).
    """
    bases = [player.resource[0] for player in engine.state.players if not player.lost]
    level = sum(engine.definition(base).power or 0 for base in bases)
    return level + sum(force.amount(engine, bases[0]) for force in engine.in_force("fleet"))


def threat_level(engine: Engine) -> int:
    """Give the total Cylon threat of all face-up alert and reserve cards (Cylon Phase)."""
    return sum(
        threat(engine, piece)
        for player in engine.state.players
        for lying in (player.alert, player.reserve)
        for piece in lying
        if not piece.exhausted
    )


def prevented(engine: Engine, what: str) -> bool:
    """Whether influence loss or gain is prevented now."""
    return any(force.word == what for force in engine.in_force("prevent"))


def lowest_influence(engine: Engine) -> list[Seat]:
    """Give the players in the game with the least influence, in seat order (First Player)."""
    seats = [seat for seat, player in enumerate(engine.state.players) if not player.lost]
    least = min(engine.state.players[seat].influence for seat in seats)
    return [seat for seat in seats if engine.state.players[seat].influence == least]
