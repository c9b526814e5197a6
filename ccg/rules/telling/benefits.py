"""Which options help an opponent and nobody else: what a screen marks, and what needs no stopping for.

What a card does for its target is told from its words (:mod:`ccg.rules.effects.worth`); whom that may be, from the
position.
"""

from __future__ import annotations

from ccg.rules.core.engine import Choice, Engine
from ccg.rules.core.options import NO_CARD, NOBODY, Option
from ccg.rules.core.state import CardNumber, Context, Role, SeatNumber, card_of
from ccg.rules.rulebook.playing import texts
from ccg.rules.rulebook.resolving import fresh_context, next_announced


def helps_only_opponent(engine: Engine, seat: SeatNumber, option: Option) -> bool:
    """Return whether what ``option`` does is good for an opponent of ``seat`` and for nobody else.

    Of a card that is still to be played, that is so if nothing else can be targeted; with more than two players
    nobody knows whom a player wants to help.
    """
    if option.verb == "choose":
        source = engine.asked_by()
        choice = engine.state.agenda[-1].choosing(engine) if engine.state.agenda else None
        if source is None or choice is None or not engine.script(source.card).only_helps:
            return False
        candidate = option.piece if choice.kind == "pieces" else option.player
        return _is_opponents(engine, seat, choice, candidate)
    if not _is_help(engine, option) or len(engine.seats()) > 2:
        return False
    card, piece = _card_of(engine, seat, option), option.piece if option.verb == "use" else 0
    context = fresh_context(engine, Context(seat, card, piece))
    script = engine.script(card)
    action = script.actions[option.number - 1] if option.verb == "use" else None
    blocks = texts(engine, card) if action is None else (action.cost, action.effect)
    choice = next_announced(engine, context, blocks)
    if choice is None or choice.least == 0 or choice.kind not in ("pieces", "players"):
        return False
    return all(_is_opponents(engine, seat, choice, candidate) for candidate in choice.candidates(engine, context))


def _is_help(engine: Engine, option: Option) -> bool:
    """Return whether the card that ``option`` plays or uses does nothing but good to what it targets."""
    if option.verb == "play":
        return engine.cards[option.card].type == "event" and engine.scripts[option.card].only_helps
    if option.verb == "use" and option.card == NO_CARD:
        return engine.script(engine.piece(option.piece).top).only_helps
    return False


def _card_of(engine: Engine, seat: SeatNumber, option: Option) -> CardNumber:
    return card_of(option.card, seat) if option.verb == "play" else engine.piece(option.piece).top


def _is_opponents(engine: Engine, seat: SeatNumber, choice: Choice, candidate: int) -> bool:
    """Return whether ``candidate`` is an opponent, or a piece of one that is no Cylon threat."""
    if choice.kind == "players":
        return candidate not in (seat, NOBODY)
    piece = engine.find(candidate) if choice.kind == "pieces" else None
    return piece is not None and piece.controller != seat and piece.role != Role.THREAT
