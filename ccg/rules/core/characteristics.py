"""Numbers and words of a card in play, asked and never stored: power, threat, traits, keywords.

One function each, computed from what is printed and from the active modifiers. An exhausted card lies
face down and has its type and title only, except for a participant of the challenge that is going on
(Exhaust vs. Restore). An asset has nothing but the resource it makes (Resources).
"""

from __future__ import annotations

from collections.abc import Iterator
from typing import Final

from ccg.rules.cards.definitions import UNIT_KEYWORDS, CardDef, KeywordName, Numbers
from ccg.rules.core.engine import ActiveModifier, Engine
from ccg.rules.core.legality import Reason
from ccg.rules.core.state import Area, ModifierKind, Piece, Role, SeatNumber

CYLON = "Cylon"

BASE: Final = Role.BASE
ASSET: Final = Role.ASSET
THREAT: Final = Role.THREAT
"""Taken out of their enumeration once: Python 3.11 needs longer to find them there than for the comparison."""

READ: Final[tuple[ModifierKind, ...]] = ("power", "threat", "trait", "keyword", "cannot")
"""The kinds of change that change what :func:`read` gives, or what a piece can do."""

NOT_READ: Final[Numbers] = (0, 0, 0, (), ())


def speaks(engine: Engine, piece: Piece) -> bool:
    """Return whether what is printed on ``piece`` counts: it lies face up, or takes part in this challenge."""
    if piece.role == ASSET:
        return False
    if not piece.exhausted:
        return True
    challenge = engine.state.challenge
    return challenge is not None and challenge.has(piece.id)


def power(engine: Engine, piece: Piece) -> int:
    """Return the power of ``piece`` as it now is; that of a Cylon threat is its Cylon threat as it now is."""
    if not speaks(engine, piece):
        return 0
    return printed_power(piece, engine.definition(piece)) + power_change(engine, piece)


def printed_power(piece: Piece, card: CardDef) -> int:
    """Return the power printed on ``card``, the one on top of ``piece``, for what it is in play."""
    return (card.threat if piece.role == THREAT else card.power) or 0


def power_change(engine: Engine, piece: Piece) -> int:
    """Return by how much the power of ``piece`` is changed; with its Cylon threat the power of a threat changes."""
    change = changed(engine, "power", piece)
    return change + changed(engine, "threat", piece) if piece.role == THREAT else change


def threat(engine: Engine, piece: Piece) -> int:
    """Return the Cylon threat of ``piece`` as it now is (Glossary: Cylon threat)."""
    if not speaks(engine, piece):
        return 0
    return (engine.definition(piece).threat or 0) + changed(engine, "threat", piece)


def mystic(engine: Engine, piece: Piece) -> int:
    """Return the mystic value printed on ``piece`` while it can be read (Glossary: mystic value)."""
    return (engine.definition(piece).mystic or 0) if speaks(engine, piece) else 0


def changed(engine: Engine, kind: ModifierKind, piece: Piece) -> int:
    """Return by how much the active modifiers of ``kind`` change ``piece``."""
    active_modifiers = engine.active_modifiers(kind)
    if not active_modifiers:
        return 0
    one = kind, _one(piece)
    kept = engine.changes.get(one) if engine.still else None
    if kept is not None:
        return kept
    change = 0
    for active in active_modifiers:
        if active.touches(engine, piece):
            change += active.amount(engine, piece)
    if engine.keeps():
        engine.changes[one] = change
    return change


def _one(piece: Piece) -> int:
    """Return a number for ``piece`` in its role: in a challenge one may be spoken of in another role (ruling 85)."""
    return piece.id << 3 | piece.role


def modifiers_on(engine: Engine, kind: ModifierKind, piece: Piece) -> list[ActiveModifier]:
    """Return the active modifiers of ``kind`` that change ``piece``."""
    return [active for active in engine.active_modifiers(kind) if active.touches(engine, piece)]


def traits(engine: Engine, piece: Piece) -> tuple[str, ...]:
    """Return the traits that ``piece`` has now; of gained and lost ones the latest counts (ruling 47).

    While they are being worked out, a change that asks for traits sees those found so far.
    """
    if piece.id in engine.settling:
        return engine.settling[piece.id]
    if not speaks(engine, piece):
        return ()
    have = engine.definition(piece).traits
    if engine.active_modifiers("trait"):
        kept = engine.traits.get(_one(piece)) if engine.still else None
        if kept is not None:
            return kept
        for _, now in changing_traits(engine, piece):
            have = now
        if engine.keeps():
            engine.traits[_one(piece)] = have
    return have


def changing_traits(engine: Engine, piece: Piece) -> Iterator[tuple[ActiveModifier, tuple[str, ...]]]:
    """Return the changes of traits that change ``piece``, in their order, each with the traits it then has."""
    have = engine.definition(piece).traits
    for active in engine.active_modifiers("trait"):
        engine.settling[piece.id] = have
        touches = active.touches(engine, piece)
        del engine.settling[piece.id]
        if touches:
            word = active.word.removeprefix("-")
            have = tuple(trait for trait in have if trait != word)
            if not active.word.startswith("-"):
                have = (*have, word)
            yield active, have


def keywords(engine: Engine, piece: Piece) -> tuple[KeywordName, ...]:
    """Return the keywords that ``piece`` has now (a threat has none: Resolving Cylon Threats, 1)."""
    if piece.role == Role.THREAT or not speaks(engine, piece):
        return ()
    have = engine.definition(piece).keywords
    if engine.active_modifiers("keyword"):
        for active in modifiers_on(engine, "keyword", piece):
            gained = next(keyword for keyword in UNIT_KEYWORDS if keyword == active.word)
            if gained not in have:
                have = (*have, gained)
    return have


def active_kinds(engine: Engine) -> list[ModifierKind]:
    """Return the kinds of active modifiers that can change numbers, traits or keywords of pieces."""
    could_be = engine.kinds_of_change()
    return [kind for kind in READ if kind in could_be and engine.active_modifiers(kind)] if could_be else []


def read(engine: Engine, piece: Piece, kinds: list[ModifierKind]) -> Numbers:
    """Return the numbers and words of ``piece`` together, as a view shows them: what is printed, if nothing differs.

    ``kinds`` are the kinds of active modifier (:func:`active_kinds`), asked for once for many pieces.
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


def count_active(engine: Engine) -> int:
    """Return how many active modifiers there are that can change numbers, traits or keywords of pieces."""
    could_be = engine.kinds_of_change()
    return sum([len(engine.active_modifiers(kind)) for kind in READ if kind in could_be]) if could_be else 0


def read_all(engine: Engine) -> None:
    """Read the numbers and words of every piece in play, which are kept while nothing changes."""
    kinds = active_kinds(engine)
    for piece in engine.pieces():
        read(engine, piece, kinds)


def printed(engine: Engine, piece: Piece) -> Numbers:
    """Return the numbers and words printed on ``piece``, for what it is in play: a threat has its number as power."""
    numbers = engine.catalog.printed[piece.cards[0] >> 3]
    return (numbers[1], *numbers[1:4], ()) if piece.role == THREAT else numbers


def yields(engine: Engine, piece: Piece) -> int:
    """Return how many resources a base or asset makes when its stack is spent (Generating Resources)."""
    return 1 + len(piece.supplies)


def forbidden(engine: Engine, verb: str, piece: Piece) -> bool:
    """Return whether something in force says that ``piece`` cannot do ``verb``; "can't" beats "can" (GEN-4)."""
    return any(active.word == verb and active.touches(engine, piece) for active in engine.active_modifiers("cannot"))


def may_challenge(engine: Engine, piece: Piece) -> bool:
    """Return whether ``piece`` may be picked as challenger: a face-up alert unit without Vision, not forbidden to."""
    return piece.is_unit and why_not_challenge(engine, piece) is None


def why_not_challenge(engine: Engine, unit: Piece) -> Reason | None:
    """Return what keeps ``unit`` from being picked as challenger."""
    if unit.area != Area.ALERT:
        return "not_alert"
    if unit.exhausted:
        return "exhausted"
    if "vision" in keywords(engine, unit):
        return "vision"
    return "forbidden" if forbidden(engine, "challenge", unit) else None


def may_defend(engine: Engine, piece: Piece, challenger: Piece, role: Role) -> bool:
    """Return whether ``piece`` may defend against ``challenger``, which challenges as a ``role``.

    It must be alert, face up and of like type; Scramble on the defender or Vulnerable on the challenger
    lifts the condition of type. Rulebook: Challenge Procedure 1, Scramble, Vision.
    """
    return piece.is_unit and why_not_defend(engine, piece, challenger, role) is None


def why_not_defend(engine: Engine, piece: Piece, challenger: Piece, role: Role) -> Reason | None:
    """Return what keeps ``piece`` from defending against ``challenger``, which challenges as a ``role``."""
    challenge = engine.state.challenge
    if piece.area != Area.ALERT and (challenge is None or piece.id not in challenge.reacting):
        return "not_alert"
    if piece.exhausted:
        return "exhausted"
    has = keywords(engine, piece)
    if "vision" in has:
        return "vision_defends"
    of_any_type = "vulnerable" in keywords(engine, challenger)
    if piece.role != role and "scramble" not in has and not of_any_type:
        return "other_type"
    barred = forbidden(engine, "defend", piece if of_any_type else spoken_of_as(piece, role))
    return "forbidden_to_defend" if barred else None


def spoken_of(engine: Engine, piece: Piece) -> Piece:
    """Return ``piece`` in the role in which it challenges or defends against a player (ruling 85).

    That is by Strafe and Scramble. Targets go by what the card is.
    """
    challenge = engine.state.challenge
    if challenge is None or challenge.challenged is None or not challenge.has(piece.id):
        return piece
    return spoken_of_as(piece, challenge.role if piece.id == challenge.challenger else challenge.defending_as)


def spoken_of_as(piece: Piece, role: Role) -> Piece:
    """Return ``piece``, or a copy of it with another ``role``."""
    if piece.role == role:
        return piece
    return Piece(
        piece.id, role, piece.area, piece.controller, piece.cards, piece.exhausted, piece.supplies, piece.links
    )  # fmt: skip


def bases_in_game(engine: Engine) -> list[Piece]:
    """Return the bases of all players still in the game; none once all have lost at once (ruling 4)."""
    return [player.resource[0] for player in engine.state.players if not player.lost]


def fleet_defense(engine: Engine) -> int:
    """Return the fleet defense level: the powers of the bases of all players still in the game, and changes.

    A spent base counts as well (ruling 38). Without bases there is no fleet to make stronger: the level is 0.
    """
    bases = bases_in_game(engine)
    if not bases:
        return 0
    level, printed = 0, engine.catalog.printed
    for base in bases:
        level += printed[base.cards[0] >> 3][0]
    for active in engine.active_modifiers("fleet"):
        level += active.amount(engine, bases[0])
    return level


def threat_level(engine: Engine) -> int:
    """Return the total Cylon threat of all face-up alert and reserve cards (Cylon Phase)."""
    level, printed = 0, engine.catalog.printed
    face_up = threatening(engine)
    for piece in face_up:
        level += printed[piece.cards[0] >> 3][1]
    if engine.active_modifiers("threat"):
        level += sum([changed(engine, "threat", piece) for piece in face_up])
    return level


def threatening(engine: Engine) -> list[Piece]:
    """Return the cards whose threat counts for the threat level: face up, alert or in reserve."""
    return [
        piece for player in engine.state.players for piece in (*player.alert, *player.reserve) if not piece.exhausted
    ]


def lowest_influence(engine: Engine) -> list[SeatNumber]:
    """Return the players in the game with the least influence, in seat order (First Player)."""
    seats = [seat for seat, player in enumerate(engine.state.players) if not player.lost]
    least = min(engine.state.players[seat].influence for seat in seats)
    return [seat for seat in seats if engine.state.players[seat].influence == least]
