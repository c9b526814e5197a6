"""What the sensible player cares about, and how much. One point is one influence in a quiet position."""

from __future__ import annotations

from msgspec import Struct

from ccg.rules.cards.definitions import CardType, KeywordName


class Weights(Struct, frozen=True, kw_only=True):
    """The considerations. Each is used in one place of :mod:`matches.players.heuristic_player`."""

    # units
    body: float = 0.8
    """A unit that is there at all: it challenges, defends, and counts for missions."""
    power: float = 1.1
    """Each point of its power."""
    threat: float = -0.15
    """Each point of its Cylon threat."""
    beneath: float = 0.5
    """A card under the top one of a unit stack, there to be sacrificed for power."""
    in_hand: float = 0.3
    """A card kept in hand, as a share of what it would be worth in play."""

    hand_of: int = 4
    """A hand larger than this is more than can be played soon: each card of it is worth that much less."""

    # influence
    low: float = 0.25
    """How much dearer influence becomes, squared, with each point below ``low_from``."""
    low_from: int = 6
    high: float = 0.15
    """How much dearer influence becomes, squared, with each point above ``high_from``."""
    high_from: int = 14
    all: float = 40.0
    """Winning, or losing."""

    # challenges
    guard: float = 0.5
    """Influence that opponents could take once a defender is no longer alert."""
    worst_answer: float = 0.7
    """How surely an opponent finds the best answer to a challenge; the rest is spread over all answers."""
    push: float = 3.0
    """A challenge that is part of beating somebody this turn."""

    # resources
    growth: float = 1.5
    """A resource stack grown to a useful size."""
    enough: int = 12
    """Resources a turn beyond which more of them are worth nothing."""
    plan: float = 0.8
    """A card that can be played this turn, as a share of its worth."""
    soon: float = 0.9
    """A card that could be played next turn with one resource more, as a share of its worth."""
    later: float = 0.6
    """What can still be played after a card, as a share of its worth."""

    # Cylons
    attack: float = 0.8
    """Bringing on a Cylon attack, by how much better we stand it than others."""
    fighter: tuple[float, ...] = (1.7, 0.8, 0.3)
    """The first, second and third unit kept alert for an attack that is coming."""

    # text
    mission: float = 0.3
    """Resolving a mission, besides what its text does."""
    effort: float = 0.25
    """Playing an event or an ability: it has to be worth more than that."""
    no_text: float = -0.3
    """Playing a card whose text does nothing yet."""


WEIGHTS = Weights()

KEYWORDS: dict[KeywordName, float] = {
    "manipulate": 0.5,
    "scramble": 0.4,
    "sniper": 0.6,
    "strafe": 0.4,
    "vision": -1.0,
    "vulnerable": -0.4,
}
"""What a keyword adds to a unit."""

TEXT: dict[CardType, float] = {"event": 1.0, "mission": 1.2, "personnel": 0.6, "ship": 0.6, "base": 0.0}
"""What a text is worth before anybody has looked at the board (:mod:`matches.players.ability_evaluation` does)."""

STACK_SIZES = (0.0, 0.5, 1.2, 2.1, 2.6, 2.8)
"""What a resource stack is worth by what it makes: most cards cost 3 or 4, and what is left over is lost."""
