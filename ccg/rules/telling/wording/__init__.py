"""The words on a card, made from its abilities: plain, consistent sentences as marked text.

:func:`card_text` is all that others need. The sentences are in :mod:`.english`; phrases are put into words
by :mod:`.describing`, steps by :mod:`.telling`, whole abilities by :mod:`.abilities`.
"""

from __future__ import annotations

from types import ModuleType

from ccg.rules.cards.definitions import CardDef
from ccg.rules.cards.schema import Ability
from ccg.rules.telling.wording import english
from ccg.rules.telling.wording.abilities import Paragraph, Teller
from ccg.rules.telling.wording.describing import MissingWordsError
from ccg.rules.telling.wording.marks import plain

__all__ = ["MissingWordsError", "Paragraph", "ability_text", "card_text", "plain"]


def card_text(card: CardDef, words: ModuleType = english) -> list[Paragraph]:
    """Return the words on ``card``, paragraph by paragraph: what a mission asks for, keywords, abilities, red text.

    They are made from the parsed records alone, in the language of the module ``words``. Raises
    :class:`MissingWordsError` where it has no words, ``PhraseError`` for a phrase that is not understood.
    """
    teller = Teller(card, words)
    paragraphs = [*teller.requires(), *teller.keywords()]
    abilities = [ability_text(card, ability, words) for ability in card.abilities]
    return paragraphs + sorted(abilities, key=lambda paragraph: paragraph.kind == "red")


def ability_text(card: CardDef, ability: Ability, words: ModuleType = english) -> Paragraph:
    """Return the words for one ability of ``card``."""
    return Teller(card, words).ability(ability)
