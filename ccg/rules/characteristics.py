"""Numbers and words of a card in play, asked and never stored: power, threat, traits, keywords.

One function each, computed from what is printed and from the changes in force. An exhausted card lies
face down and has its type and title only, except for a participant of the challenge that is going on
(Exhaust vs. Restore). An asset has nothing but the resource it makes (Resources).
"""

from __future__ import annotations

from collections.abc import Iterator

from ccg.rules.agenda import Engine, Force
from ccg.rules.cards import CardDef, KeywordName, Numbers
from ccg.rules.reasons import Reason
from ccg.rules.state import Area, Piece, Role, Seat

CYLON = "Cylon"
KEYWORDS: tuple[KeywordName, ...] = ("manipulate", "scramble", "sniper", "strafe", "vision", "vulnerable")
"""Keywords that a unit can gain or lose."""

BASE, ASSET, THREAT = Role.BASE, Role.ASSET, Role.THREAT
"""Taken out of their enumeration once: Python 3.11 needs longer to find them there than for the comparison."""

READ = ("power", "threat", "trait", "keyword", "cannot")
"""The kinds of change that change what :func:`read` gives, or what a piece can do."""

NOT_READ: Numbers = (0, 0, 0, (), ())


def speaks(engine: Engine, piece: Piece) -> bool:
    """Whether what is printed on ``piece`` counts: it lies face up, or takes part in this challenge."""
    if piece.role == ASSET:
        return False
    if not piece.exhausted:
        return True
    challenge = engine.state.challenge
    return challenge is not None and challenge.has(piece.id)


def power(engine: Engine, piece: Piece) -> int:
    """Give the power of ``piece`` as it now is; that of a Cylon threat is its Cylon threat as it now is."""
    if not speaks(engine, piece):
        return 0
    return printed_power(piece, engine.definition(piece)) + power_change(engine, piece)


def printed_power(piece: Piece, card: CardDef) -> int:
    """Give the power printed on ``card``, the one on top of ``piece``, for what it is in play."""
    return (card.threat if piece.role == THREAT else card.power) or 0


def power_change(engine: Engine, piece: Piece) -> int:
    """Give by how much the power of ``piece`` is changed; with its Cylon threat the power of a threat changes."""
    change = changed(engine, "power", piece)
    return change + changed(engine, "threat", piece) if piece.role == THREAT else change


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
    change = 0
    for force in engine.in_force(kind):
        if force.touches(engine, piece):
            change += force.amount(engine, piece)
    return change


def forces_on(engine: Engine, kind: str, piece: Piece) -> list[Force]:
    """Give the changes of ``kind`` in force that change ``piece``."""
    return [force for force in engine.in_force(kind) if force.touches(engine, piece)]


def traits(engine: Engine, piece: Piece) -> tuple[str, ...]:
    """Give the traits that ``piece`` has now; of gained and lost ones the latest counts (ruling 47).

    While they are being worked out, a change that asks for traits sees those found so far.
    """
    if piece.id in engine.settling:
        return engine.settling[piece.id]
    if not speaks(engine, piece):
        return ()
    have = engine.definition(piece).traits
    if engine.in_force("trait"):
        for _, now in changing_traits(engine, piece):
            have = now
    return have


def changing_traits(engine: Engine, piece: Piece) -> Iterator[tuple[Force, tuple[str, ...]]]:
    """Give the changes of traits that change ``piece``, in their order, each with the traits it then has."""
    have = engine.definition(piece).traits
    for force in engine.in_force("trait"):
        engine.settling[piece.id] = have
        touches = force.touches(engine, piece)
        del engine.settling[piece.id]
        if touches:
            word = force.word.removeprefix("-")
            have = tuple(trait for trait in have if trait != word)
            if not force.word.startswith("-"):
                have = (*have, word)
            yield force, have


def keywords(engine: Engine, piece: Piece) -> tuple[KeywordName, ...]:
    """Give the keywords that ``piece`` has now (a threat has none: Resolving Cylon Threats, 1)."""
    if piece.role == Role.THREAT or not speaks(engine, piece):
        return ()
    have = engine.definition(piece).keywords
    if engine.in_force("keyword"):
        for force in forces_on(engine, "keyword", piece):
            gained = next(keyword for keyword in KEYWORDS if keyword == force.word)
            if gained not in have:
                have = (*have, gained)
    return have


def kinds_in_force(engine: Engine) -> list[str]:
    """Give the kinds of change in force now that could change numbers and words of pieces."""
    could_be = engine.kinds_of_change()
    return [kind for kind in READ if kind in could_be and engine.in_force(kind)]


def read(engine: Engine, piece: Piece, kinds: list[str]) -> Numbers:
    """Give the numbers and words of ``piece`` together, as a view shows them: what is printed, if nothing differs.

    ``kinds`` are the kinds of change in force (:func:`kinds_in_force`), asked for once for many pieces.
    """
    if (piece.exhausted or piece.role == ASSET) and not speaks(engine, piece):
        return NOT_READ
    numbers = engine.catalog.printed[piece.cards[0] >> 3] if piece.role != THREAT else printed(engine, piece)
    if not kinds:
        return numbers
    power = changed(engine, "power", piece) if "power" in kinds else 0
    threat = changed(engine, "threat", piece) if "threat" in kinds else 0
    have = traits(engine, piece) if "trait" in kinds else numbers[3]
    can = keywords(engine, piece) if "keyword" in kinds else numbers[4]
    if not power and not threat and have == numbers[3] and can == numbers[4]:
        return numbers
    if piece.role == THREAT:
        power += threat
    return numbers[0] + power, numbers[1] + threat, numbers[2], have, can


def printed(engine: Engine, piece: Piece) -> Numbers:
    """Give the numbers and words printed on ``piece``, for what it is in play: a threat has its number as power."""
    numbers = engine.catalog.printed[piece.cards[0] >> 3]
    return (numbers[1], *numbers[1:4], ()) if piece.role == THREAT else numbers


def yields(engine: Engine, piece: Piece) -> int:
    """Give how many resources a base or asset makes when its stack is spent (Generating Resources)."""
    return 1 + len(piece.supplies)


def forbidden(engine: Engine, verb: str, piece: Piece) -> bool:
    """Whether something in force says that ``piece`` cannot do ``verb``; "can't" beats "can" (GEN-4)."""
    return any(force.word == verb and force.touches(engine, piece) for force in engine.in_force("cannot"))


def may_challenge(engine: Engine, piece: Piece) -> bool:
    """Whether ``piece`` may be picked as challenger: a face-up alert unit without Vision, not forbidden to."""
    return piece.is_unit and why_not_challenge(engine, piece) is None


def why_not_challenge(engine: Engine, unit: Piece) -> Reason | None:
    """Give what keeps ``unit`` from being picked as challenger."""
    if unit.area != Area.ALERT:
        return "not_alert"
    if unit.exhausted:
        return "exhausted"
    if "vision" in keywords(engine, unit):
        return "vision"
    return "forbidden" if forbidden(engine, "challenge", unit) else None


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
    level = sum([engine.catalog.printed[base.cards[0] >> 3][0] for base in bases])
    for force in engine.in_force("fleet"):
        level += force.amount(engine, bases[0])
    return level


def threat_level(engine: Engine) -> int:
    """Give the total Cylon threat of all face-up alert and reserve cards (Cylon Phase)."""
    face_up = threatening(engine)
    printed = engine.catalog.printed
    level = sum([printed[piece.cards[0] >> 3][1] for piece in face_up])
    if engine.in_force("threat"):
        level += sum([changed(engine, "threat", piece) for piece in face_up])
    return level


def threatening(engine: Engine) -> list[Piece]:
    """Give the cards whose threat counts for the threat level: face up, alert or in reserve."""
    return [
        piece
        for player in engine.state.players
        for lying in (player.alert, player.reserve)
        for piece in lying
        if not piece.exhausted
    ]


def prevented(engine: Engine, what: str) -> bool:
    """Whether influence loss or gain is prevented now."""
    return any(force.word == what for force in engine.in_force("prevent"))


def lowest_influence(engine: Engine) -> list[Seat]:
    """Give the players in the game with the least influence, in seat order (First Player)."""
    seats = [seat for seat, player in enumerate(engine.state.players) if not player.lost]
    least = min(engine.state.players[seat].influence for seat in seats)
    return [seat for seat in seats if engine.state.players[seat].influence == least]
