"""Which options help an opponent and nobody else: what a screen marks, and what needs no stopping for.

Told from the words of the card's text, as a rule of thumb (:class:`~ccg.rules.effects.word.Worth`): a text that does
anything but good to what it targets, or anything besides, is left alone, as it may be meant.
"""

from __future__ import annotations

from ccg.rules.cards import phrases
from ccg.rules.cards.definitions import CardDef
from ccg.rules.cards.schema import Ability
from ccg.rules.core.engine import Choice, Engine
from ccg.rules.core.options import NO_CARD, NOBODY, Option
from ccg.rules.core.state import CardNumber, Context, Role, SeatNumber, card_of
from ccg.rules.effects.word import Word
from ccg.rules.rulebook.playing import texts
from ccg.rules.rulebook.resolving import fresh_context, next_announced

SPOKEN_OF = ("it", "them")
"""Pronouns for what a step before has targeted."""


def helps_only_opponent(engine: Engine, seat: SeatNumber, option: Option) -> bool:
    """Return whether what ``option`` does is good for an opponent of ``seat`` and for nobody else.

    Of a card that is still to be played, that is so if nothing else can be targeted; with more than two players
    nobody knows whom a player wants to help.
    """
    if option.verb == "choose":
        source = engine.asked_by()
        choice = engine.state.agenda[-1].choosing(engine) if engine.state.agenda else None
        if source is None or choice is None or not _helps(_only_ability(engine.card(source.card))):
            return False
        candidate = option.piece if choice.kind == "pieces" else option.player
        return _is_opponents(engine, seat, choice, candidate)
    if len(engine.seats()) > 2 or not _is_help(engine, option):
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
        card = engine.catalog.cards[option.card]
        return card.type == "event" and _helps(_only_ability(card))
    if option.verb == "use" and option.card == NO_CARD:
        return _helps(_only_ability(engine.definition(engine.piece(option.piece))))
    return False


def _card_of(engine: Engine, seat: SeatNumber, option: Option) -> CardNumber:
    return card_of(option.card, seat) if option.verb == "play" else engine.piece(option.piece).top


def _is_opponents(engine: Engine, seat: SeatNumber, choice: Choice, candidate: int) -> bool:
    """Return whether ``candidate`` is an opponent, or a piece of one that is no Cylon threat."""
    if choice.kind == "players":
        return candidate not in (seat, NOBODY)
    piece = engine.find(candidate) if choice.kind == "pieces" else None
    return piece is not None and piece.controller != seat and piece.role != Role.THREAT


def _only_ability(card: CardDef) -> Ability | None:
    """Return the ability of ``card`` that is played or used, if it has no other."""
    played = [ability for ability in card.abilities if ability.do and ability.when is None]
    return played[0] if len(played) == len(card.abilities) == 1 else None


def _helps(ability: Ability | None) -> bool:
    return ability is not None and all(isinstance(step, Word) and _is_good_for_target(step) for step in ability.do)


def _is_good_for_target(step: Word) -> bool:
    kind, value = step.worth
    if kind in ("influence", "cards"):
        return value > 0 and step.whom is not None and phrases.players(step.whom).kind == "target_player"
    if step.about is None or step.inner() or kind not in ("help", "power"):
        return False
    selector = phrases.selector(step.about)
    named = selector.target or selector.pronoun in SPOKEN_OF
    return named and (kind == "help" or not _is_less(step.argument))


def _is_less(amount: object) -> bool:
    return amount < 0 if isinstance(amount, int) else str(amount).lstrip().startswith(("-", "−"))
