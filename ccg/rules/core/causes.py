"""What makes a number or a word other than it is printed: one record for each change that has a part in it.

:mod:`ccg.rules.telling.explanations` collects them from the active modifiers.
"""

from __future__ import annotations

from typing import Literal, NamedTuple

from ccg.rules.core.state import CardNumber, Until

CauseKind = Literal[
    "power", "threat", "trait", "keyword", "cannot",  # of a card in play
    "yields",  # of a resource stack
    "revealed", "cheaper", "convert", "price", "reveal",  # of a player
    "fleet", "prevent",  # of the game
]  # fmt: skip
"""What is changed. The names are those of active modifiers (:meth:`ccg.rules.core.engine.Engine.active_modifiers`)."""

Rule = Literal["", "exhausted", "asset", "threat", "supplies"]
"""A rule that changes something by itself: lying face down, being an asset or a threat, supply cards."""


Lasts = Literal["", "in play", "linked"]


class Cause(NamedTuple):
    """One reason why something is not as it is printed: by ``amount``, or the ``word`` gained or lost ("-Pilot").

    It comes from the text of ``card``. An effect ends ``until`` a moment; the text of a card in play ``lasts``
    as long as it is ``in play`` or ``linked``: then ``piece`` is that card, or the unit it is linked to. What
    comes from a ``rule`` has no card and lasts as long as what the rule is about.
    """

    kind: CauseKind
    amount: int = 0
    word: str = ""
    card: CardNumber | None = None
    piece: int = 0
    until: Until | None = None
    lasts: Lasts = ""
    rule: Rule = ""
