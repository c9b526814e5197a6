"""What a card is worth to whom it targets, told from the words of its text.

A rule of thumb (:class:`~ccg.rules.effects.word.Worth`): a text that does anything but good to what it targets, or
anything but harm, or anything besides, is left alone, as it may be meant.
"""

from __future__ import annotations

from ccg.rules.cards import phrases
from ccg.rules.cards.definitions import CardDef
from ccg.rules.cards.schema import Ability
from ccg.rules.effects.word import Word

SPOKEN_OF = ("it", "them")
"""Pronouns for what a step before has targeted."""


def only_helps(card: CardDef) -> bool:
    """Return whether what is played or used of ``card`` does good to what it targets, and nothing else."""
    ability = _only_ability(card)
    return ability is not None and all(isinstance(step, Word) and _is_good_for_target(step) for step in ability.do)


def only_harms(card: CardDef) -> bool:
    """Return whether what is played or used of ``card`` harms what it targets, and does nothing else."""
    ability = _only_ability(card)
    return ability is not None and all(isinstance(step, Word) and _is_bad_for_target(step) for step in ability.do)


def _only_ability(card: CardDef) -> Ability | None:
    """Return the ability of ``card`` that is played or used, if it has no other."""
    played = [ability for ability in card.abilities if ability.do and ability.when is None]
    return played[0] if len(played) == len(card.abilities) == 1 else None


def _is_good_for_target(step: Word) -> bool:
    kind, value = step.worth
    if kind in ("influence", "cards"):
        return value > 0 and _is_for_target_player(step)
    return kind in ("help", "power") and _is_about_target(step) and (kind == "help" or not _is_less(step.argument))


def _is_bad_for_target(step: Word) -> bool:
    kind, value = step.worth
    if kind in ("influence", "cards"):
        return value < 0 and _is_for_target_player(step)
    harms = step.unwanted or (kind == "power" and _is_less(step.argument))
    return harms and _is_about_target(step)


def _is_for_target_player(step: Word) -> bool:
    return step.whom is not None and phrases.players(step.whom).kind == "target_player"


def _is_about_target(step: Word) -> bool:
    if step.about is None or step.inner():
        return False
    selector = phrases.selector(step.about)
    return selector.target or selector.pronoun in SPOKEN_OF


def _is_less(amount: object) -> bool:
    return amount < 0 if isinstance(amount, int) else str(amount).lstrip().startswith(("-", "−"))
