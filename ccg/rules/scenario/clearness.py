"""How much a scenario asks of who watches it: of those that show a rule, the least comes first.

The measure counts what there is to take in: moves, cards on the table, players, things to check, rules at once; and
whether anything comes of it.
Nobody sorts scenarios by hand, so a clearer one that is added later comes to the front by itself.
"""

from __future__ import annotations

import re

from ccg.rules.scenario.files import Check, PieceGiven, PlayerGiven, Scenario, StoryStep

STILL = 12
"""What a position without a move adds: it proves something, but there is nothing to watch."""

PLAYER = 4
"""What each player beyond two adds, besides their cards."""

NEGATIVE = 8
"""What it adds that nothing comes of it: an offer refused, or expectations that only say what is not so.

Such a scenario proves a limit; who wants to see a rule or a card wants to see it work first.
"""

REFUSALS = frozenset({"no", "choose nothing"})
NOT_SO = re.compile(r" may not | lacks | does not | nothing|^no |^nobody ")

MOVE = 2
"""What a move adds: it is more to take in than a card that only lies there."""


def effort(scenario: Scenario) -> int:
    """Return how much there is to take in, in about the number of cards; less is clearer."""
    steps = [item.words for item in scenario.story if isinstance(item, StoryStep)]
    checks = [item.words for item in scenario.story if isinstance(item, Check)]
    cards = sum(_cards(player) for player in scenario.given.players)
    players = max(0, len(scenario.given.players) - 2)
    others = max(0, len(scenario.rules) + len(scenario.cards) - 1)
    size = (MOVE * len(steps) if steps else STILL) + cards + PLAYER * players + max(0, len(checks) - 1) + others
    return (
        size + (NEGATIVE if REFUSALS.intersection(steps) else 0) + (NEGATIVE if all(map(NOT_SO.search, checks)) else 0)
    )


def _cards(player: PlayerGiven) -> int:
    """Count what the position names; copies of one card are taken in as one, what only fills a deck not at all."""
    lying = [*player.alert, *player.reserve, *player.assets, *player.persistent]
    return len(player.hand) + len(player.deck) + len(player.discard) + sum(map(_of_piece, lying))


def _of_piece(piece: str | PieceGiven) -> int:
    return 1 if isinstance(piece, str) else max(1, len(piece.stack)) + len(piece.linked)
