"""Which options help an opponent and nobody else, and which harm only who takes them: what a screen marks.

What helps only an opponent needs no stopping for, either.

What a card does for its target is told from its words (:mod:`ccg.rules.effects.worth`); whom that may be, from the
position.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal

from ccg.rules.core.engine import Choice, Engine, Script
from ccg.rules.core.options import NO_CARD, NOBODY, Option
from ccg.rules.core.state import CardNumber, Context, Role, SeatNumber, card_of
from ccg.rules.rulebook.playing import texts
from ccg.rules.rulebook.resolving import fresh_context, next_announced

Mark = Literal["", "helps_opponent", "harms_you"]


def mark(engine: Engine, seat: SeatNumber, option: Option) -> Mark:
    """Return whether what ``option`` does is good for an opponent of ``seat`` and for nobody else, or bad for ``seat``.

    Of a card that is still to be played, that is so if nothing else can be targeted. With more than two players it may
    be meant to help one of them: such a card is not marked, only the targets are.
    """
    script = _only_script(engine, option)
    if script is None:
        return ""
    whom_is_clear = option.verb == "choose" or len(engine.seats()) == 2
    if script.only_helps and whom_is_clear and _is_done_to(engine, seat, option, script, _is_opponents):
        return "helps_opponent"
    if script.only_harms and _is_done_to(engine, seat, option, script, _is_own):
        return "harms_you"
    return ""


def _only_script(engine: Engine, option: Option) -> Script | None:
    """Return the script of the card that ``option`` plays, uses or chooses for, if it does that and nothing else."""
    if option.verb == "choose":
        source = engine.asked_by()
        return engine.script(source.card) if source is not None else None
    if option.verb == "play":
        return engine.scripts[option.card] if engine.cards[option.card].type == "event" else None
    if option.verb == "use" and option.card == NO_CARD:
        return engine.script(engine.piece(option.piece).top)
    return None


Whose = Callable[[Engine, SeatNumber, Choice, int], bool]


def _is_done_to(engine: Engine, seat: SeatNumber, option: Option, script: Script, whose: Whose) -> bool:
    """Return whether what ``script`` does is, or can be, done only to what is ``whose``."""
    if option.verb == "choose":
        choice = engine.state.agenda[-1].choosing(engine)
        if choice is None:
            return False
        return whose(engine, seat, choice, option.piece if choice.kind == "pieces" else option.player)
    card, piece = _card_of(engine, seat, option), option.piece if option.verb == "use" else 0
    context = fresh_context(engine, Context(seat, card, piece))
    action = script.actions[option.number - 1] if option.verb == "use" else None
    blocks = texts(engine, card) if action is None else (action.cost, action.effect)
    choice = next_announced(engine, context, blocks)
    if choice is None or choice.least == 0 or choice.kind not in ("pieces", "players"):
        return False
    return all(whose(engine, seat, choice, candidate) for candidate in choice.candidates(engine, context))


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
