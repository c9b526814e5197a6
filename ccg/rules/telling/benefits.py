"""Which options help an opponent and nobody else, and which harm only who takes them: what a screen marks.

What helps only an opponent needs no stopping for, either.

What a card does for its target is told from its words (:mod:`ccg.rules.effects.worth`); whom that may be, from the
position.
"""

from __future__ import annotations

from collections.abc import Callable

from ccg.rules.core.engine import Choice, Engine, Script
from ccg.rules.core.options import NO_CARD, NOBODY, Option
from ccg.rules.core.state import CardNumber, Context, Role, SeatNumber, card_of
from ccg.rules.rulebook.playing import texts
from ccg.rules.rulebook.resolving import fresh_context, next_announced


def helps_only_opponent(engine: Engine, seat: SeatNumber, option: Option) -> bool:
    """Return whether what ``option`` does is good for an opponent of ``seat`` and for nobody else.

    Of a card that is still to be played, that is so if nothing else can be targeted; with more than two players
    nobody knows whom a player wants to help.
    """
    if option.verb != "choose" and len(engine.seats()) > 2:
        return False
    return _is_done_to(engine, seat, option, lambda script: script.only_helps, _is_opponents)


def harms_only_self(engine: Engine, seat: SeatNumber, option: Option) -> bool:
    """Return whether what ``option`` does is bad for ``seat`` itself and does nothing else.

    Of a card that is still to be played, that is so if nothing else can be targeted.
    """
    return _is_done_to(engine, seat, option, lambda script: script.only_harms, _is_own)


Whose = Callable[[Engine, SeatNumber, Choice, int], bool]


def _is_done_to(engine: Engine, seat: SeatNumber, option: Option, does: Callable[[Script], bool], whose: Whose) -> bool:
    """Return whether a card that ``does`` the one or the other is used, and can be used, only on what is ``whose``."""
    if option.verb == "choose":
        source = engine.asked_by()
        choice = engine.state.agenda[-1].choosing(engine) if engine.state.agenda else None
        if source is None or choice is None or not does(engine.script(source.card)):
            return False
        return whose(engine, seat, choice, option.piece if choice.kind == "pieces" else option.player)
    if not _is_all_that_is_done(engine, option, does):
        return False
    card, piece = _card_of(engine, seat, option), option.piece if option.verb == "use" else 0
    context = fresh_context(engine, Context(seat, card, piece))
    script = engine.script(card)
    action = script.actions[option.number - 1] if option.verb == "use" else None
    blocks = texts(engine, card) if action is None else (action.cost, action.effect)
    choice = next_announced(engine, context, blocks)
    if choice is None or choice.least == 0 or choice.kind not in ("pieces", "players"):
        return False
    return all(whose(engine, seat, choice, candidate) for candidate in choice.candidates(engine, context))


def _is_all_that_is_done(engine: Engine, option: Option, does: Callable[[Script], bool]) -> bool:
    """Return whether the card that ``option`` plays or uses ``does`` that to what it targets, and nothing else."""
    if option.verb == "play":
        return engine.cards[option.card].type == "event" and does(engine.scripts[option.card])
    if option.verb == "use" and option.card == NO_CARD:
        return does(engine.script(engine.piece(option.piece).top))
    return False


def _card_of(engine: Engine, seat: SeatNumber, option: Option) -> CardNumber:
    return card_of(option.card, seat) if option.verb == "play" else engine.piece(option.piece).top


def _is_opponents(engine: Engine, seat: SeatNumber, choice: Choice, candidate: int) -> bool:
    """Return whether ``candidate`` is an opponent, or a piece of one that is no Cylon threat."""
    if choice.kind == "players":
        return candidate not in (seat, NOBODY)
    piece = engine.find(candidate) if choice.kind == "pieces" else None
    return piece is not None and piece.controller != seat and piece.role != Role.THREAT


def _is_own(engine: Engine, seat: SeatNumber, choice: Choice, candidate: int) -> bool:
    """Return whether ``candidate`` is ``seat``, or a piece of theirs that is no Cylon threat."""
    if choice.kind == "players":
        return candidate == seat
    piece = engine.find(candidate) if choice.kind == "pieces" else None
    return piece is not None and piece.controller == seat and piece.role != Role.THREAT
