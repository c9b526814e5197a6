"""Why a number is what it is: what is printed, and the changes and rules that make it other.

Everything comes from the same active modifiers from which :mod:`ccg.rules.core.characteristics` works the
numbers out; the soak checks that what is printed and the amounts here add up to what is shown. All of it
is known to everybody: cards in play, and cards that were played.
"""

from __future__ import annotations

from collections.abc import Callable, Sequence
from typing import Literal, NamedTuple

from ccg.rules.core import characteristics
from ccg.rules.core.causes import Cause, Rule
from ccg.rules.core.engine import Engine
from ccg.rules.core.state import ModifierKind, Piece, Role, SeatNumber
from ccg.rules.rulebook.declaring import prices
from ccg.rules.rulebook.payment import conversions, discounts


class Explained(NamedTuple):
    """A number: what is printed (or, of the game's levels, what all that is printed adds up to), and the rest."""

    printed: int
    causes: list[Cause]

    @property
    def shown(self) -> int:
        """The number as it now is."""
        return self.printed + sum(cause.amount for cause in self.causes)


# ---------------------------------------------------------------- numbers


def power(engine: Engine, piece: Piece) -> Explained:
    """Explain the power of ``piece``; that of a Cylon threat is its Cylon threat, and what changes that changes it."""
    own = _number(engine, "power", piece, characteristics.printed_power(piece, engine.definition(piece)))
    if piece.role != Role.THREAT or not characteristics.speaks(engine, piece):
        return own
    return Explained(own.printed, [cause._replace(kind="power") for cause in threat(engine, piece).causes] + own.causes)


def threat(engine: Engine, piece: Piece) -> Explained:
    """Explain the Cylon threat of ``piece``."""
    return _number(engine, "threat", piece, engine.definition(piece).threat or 0)


def _number(engine: Engine, kind: Literal["threat", "power"], piece: Piece, printed: int) -> Explained:
    if not characteristics.speaks(engine, piece):
        return Explained(printed, [Cause(kind, -printed, rule=_silence(piece))] if printed else [])
    active_modifiers = characteristics.modifiers_on(engine, kind, piece)
    causes = [active.cause(kind, active.amount(engine, piece)) for active in active_modifiers]
    return Explained(printed, _of_some_amount(causes))


def _of_some_amount(causes: list[Cause]) -> list[Cause]:
    """Leave out what changes a number by nothing, such as 1 for each of no cards."""
    return [cause for cause in causes if cause.amount]


def yields(engine: Engine, stack: Piece) -> Explained:
    """Explain how many resources a base or asset makes: one, and one for each supply card."""
    more = characteristics.yields(engine, stack) - 1
    return Explained(1, [Cause("yields", more, rule="supplies")] if more else [])


def fleet_defense(engine: Engine) -> Explained:
    """Explain the fleet defense level; the powers of the bases are what is printed."""
    bases = characteristics.bases_in_game(engine)
    printed = sum(engine.definition(base).power or 0 for base in bases)
    active_modifiers = engine.active_modifiers("fleet") if bases else []
    causes = [active.cause("fleet", active.amount(engine, bases[0])) for active in active_modifiers]
    return Explained(printed, _of_some_amount(causes))


def threat_level(engine: Engine) -> Explained:
    """Explain the threat level, from the threats of all the cards that count."""
    parts = [threat(engine, piece) for piece in characteristics.threatening(engine)]
    return Explained(sum(part.printed for part in parts), [cause for part in parts for cause in part.causes])


# ---------------------------------------------------------------- words


def traits(engine: Engine, piece: Piece) -> list[Cause]:
    """Tell where gained and lost traits of ``piece`` come from; of several changes the one that counts."""
    printed = engine.definition(piece).traits
    if not characteristics.speaks(engine, piece):
        return [Cause("trait", word=f"-{trait}", rule=_silence(piece)) for trait in printed]
    have, latest = printed, {}
    for active, now in characteristics.changing_traits(engine, piece):
        have = now
        latest[active.word] = active.cause("trait", word=active.word)
    gained = [latest[trait] for trait in have if trait not in printed]
    return gained + [latest[f"-{trait}"] for trait in printed if trait not in have]


def keywords(engine: Engine, piece: Piece) -> list[Cause]:
    """Tell where gained keywords of ``piece`` come from, and why it has none of those printed, if so."""
    printed = engine.definition(piece).keywords
    if not characteristics.speaks(engine, piece) or piece.role == Role.THREAT:
        return [Cause("keyword", word=f"-{keyword}", rule=_silence(piece)) for keyword in printed]
    found: dict[str, Cause] = {}
    for active in characteristics.modifiers_on(engine, "keyword", piece):
        if active.word not in printed:
            found.setdefault(active.word, active.cause("keyword", word=active.word))
    return list(found.values())


def _silence(piece: Piece) -> Rule:
    """Return the rule by which what is printed on ``piece`` does not count."""
    if piece.role == Role.ASSET:
        return "asset"
    return "exhausted" if piece.exhausted else "threat"


# ---------------------------------------------------------------- as a view shows them

OF_PLAYERS = ("cheaper", "convert", "price", "revealed")
OF_THE_GAME = ("fleet", "prevent")
"""Kinds of change that are told of players, and of the game."""


def of_piece(engine: Engine, piece: Piece, kinds: Sequence[ModifierKind]) -> list[Cause]:
    """Return every change by a card that makes ``piece`` other than printed, and what it cannot do.

    ``kinds`` are those of active modifiers (:func:`characteristics.active_kinds`). Not what a rule does: that a card
    lies face down, or how many supply cards a stack has, is seen anyway.
    """
    if not characteristics.speaks(engine, piece):
        return []
    found: list[Cause] = []
    for kind, causes in OF_PIECES.items():
        if kind in kinds or (kind == "power" and piece.role == Role.THREAT):
            found += causes(engine, piece)
    return found


def barred(engine: Engine, piece: Piece) -> list[Cause]:
    """Tell what ``piece`` cannot do, and which card says so."""
    active_modifiers = characteristics.modifiers_on(engine, "cannot", piece)
    return [active.cause("cannot", word=active.word) for active in active_modifiers]


OF_PIECES: dict[str, Callable[[Engine, Piece], list[Cause]]] = {
    "power": lambda engine, piece: power(engine, piece).causes,
    "threat": lambda engine, piece: threat(engine, piece).causes,
    "trait": traits,
    "keyword": lambda engine, piece: [cause for cause in keywords(engine, piece) if not cause.rule],
    "cannot": barred,
}
"""What is told of pieces, by the kinds of change that :data:`characteristics.READ` lists."""


def of_player(engine: Engine, seat: SeatNumber) -> list[Cause]:
    """Return the changes to what ``seat`` pays, makes and reveals, and what it costs to challenge them."""
    nothing = engine.kinds_of_change().isdisjoint(OF_PLAYERS) and not engine.state.granted.reveals
    if nothing or engine.player(seat).lost:
        return []
    base = engine.player(seat).resource[0]
    found = [active.cause("cheaper", -active.fixed) for active in discounts(engine, seat)]
    found += [active.cause("convert") for active in conversions(engine, seat)]
    found += _of_some_amount([active.cause("price", active.amount(engine, base)) for active in prices(engine, seat)])
    revealed = [active for active in engine.active_modifiers("revealed") if active.context.you == seat]
    added = [active.cause("revealed", active.amount(engine, base), active.word) for active in revealed]
    return (
        found
        + _of_some_amount(added)
        + [
            Cause("reveal", word=change.how, card=change.context.card, until=change.until)
            for change in engine.state.granted.reveals
            if change.seat == seat
        ]
    )


def of_game(engine: Engine) -> list[Cause]:
    """Return the changes to the fleet defense level, and what influence may not do."""
    if engine.kinds_of_change().isdisjoint(OF_THE_GAME):
        return []
    active_modifiers = engine.active_modifiers("prevent")
    return fleet_defense(engine).causes + [active.cause("prevent", word=active.word) for active in active_modifiers]
