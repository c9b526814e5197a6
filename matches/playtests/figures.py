"""What the games of a playtest say: shares with 95 % confidence intervals. No Django, no engine.

Shares have Wilson's interval, differences of two shares Newcombe's (1998, method 10, made of two of Wilson's), and
differences game by game that of their mean. A drawn game counts as half a game won; a stopped one not at all.
"""

from __future__ import annotations

import math
import statistics
from collections.abc import Callable, Iterable, Sequence

from msgspec import Struct

from matches.playtests.games import GameResult

Z = 1.959964
"""Standard deviations within which 95 of 100 normal values lie."""
SCORE = {"won": 1.0, "drawn": 0.5, "lost": 0.0}


class Interval(Struct, frozen=True):
    """A value with the interval in which the true one lies, 95 times of 100; all are shares, -1 to 1."""

    value: float
    low: float
    high: float

    @property
    def clear(self) -> bool:
        """Whether 0 lies outside: for a difference, whether it is more than chance may have made."""
        return self.low > 0 or self.high < 0


class Share(Struct, frozen=True):
    """How many of so many games were won, and what that says; without games it says nothing (None)."""

    games: int
    won: float

    @property
    def rate(self) -> Interval | None:
        """The share of games won."""
        return wilson(self.won, self.games) if self.games else None


class CardFigures(Struct, frozen=True, kw_only=True):
    """What the games say about one card.

    ``drawn`` and ``paid`` count games in which it came to the hand, and in which it was paid for and played. ``impact``
    is the share won when it was drawn less that when it was not, where there were games of both.
    """

    card: str
    drawn: int
    paid: int
    won_drawn: Share
    won_without: Share
    impact: Interval | None


class Figures(Struct, frozen=True, kw_only=True):
    """All that is shown of a playtest. ``lengths`` are counts of games by their last turn."""

    overall: Share
    by_opponent: list[Share]
    began: Share
    followed: Share
    drawn_games: int
    stopped: int
    lengths: dict[int, int]
    middle_length: float
    cards: list[CardFigures]

    @property
    def never_paid(self) -> list[CardFigures]:
        """Cards that were drawn and never once paid for."""
        return [card for card in self.cards if card.drawn and not card.paid]


def wilson(won: float, games: int) -> Interval:
    """Return the share ``won / games`` with Wilson's score interval; ``games`` is at least 1."""
    share = won / games
    spread = Z * math.sqrt(share * (1 - share) / games + Z * Z / (4 * games * games))
    middle, scale = share + Z * Z / (2 * games), 1 + Z * Z / games
    return Interval(share, max(0.0, (middle - spread) / scale), min(1.0, (middle + spread) / scale))


def difference(one: Share, other: Share) -> Interval | None:
    """Return the share of ``one`` less that of ``other``; None where one of them has no games."""
    first, second = one.rate, other.rate
    if first is None or second is None:
        return None
    gap = first.value - second.value
    low = gap - math.hypot(first.value - first.low, second.high - second.value)
    high = gap + math.hypot(first.high - first.value, second.value - second.low)
    return Interval(gap, low, high)


def paired(mine: Iterable[GameResult], theirs: Iterable[GameResult]) -> tuple[int, Interval | None]:
    """Return how many games two decks played with the same luck, and how much more of them the first has won."""
    other = {(game.opponent, game.number): SCORE[game.outcome] for game in _counting(theirs)}
    gaps = [
        SCORE[game.outcome] - other[game.opponent, game.number]
        for game in _counting(mine)
        if (game.opponent, game.number) in other
    ]
    if len(gaps) < 2:
        return len(gaps), None
    mean = statistics.fmean(gaps)
    spread = Z * statistics.stdev(gaps) / math.sqrt(len(gaps))
    return len(gaps), Interval(mean, max(-1.0, mean - spread), min(1.0, mean + spread))


def figures(results: Sequence[GameResult], kinds: Sequence[str], opponents: int) -> Figures:
    """Return what ``results`` say of a deck of the cards ``kinds`` (in the order of masks) against so many decks."""
    games = _counting(results)
    lengths: dict[int, int] = {}
    for game in games:
        lengths[game.turns] = lengths.get(game.turns, 0) + 1
    return Figures(
        overall=_share(games),
        by_opponent=[_share(games, lambda game, at=place: game.opponent == at) for place in range(opponents)],  # type: ignore[misc]
        began=_share(games, lambda game: game.began),
        followed=_share(games, lambda game: not game.began),
        drawn_games=sum(game.outcome == "drawn" for game in games),
        stopped=len(results) - len(games),
        lengths=dict(sorted(lengths.items())),
        middle_length=statistics.median([game.turns for game in games]) if games else 0,
        cards=_cards(games, kinds),
    )


def _cards(games: Sequence[GameResult], kinds: Sequence[str]) -> list[CardFigures]:
    masks = [(int(game.drawn, 16), int(game.paid, 16), SCORE[game.outcome]) for game in games]
    found = []
    for place, card in enumerate(kinds):
        bit = 1 << place
        drawn = [score for have, _, score in masks if have & bit]
        others = [score for have, _, score in masks if not have & bit]
        with_it, without = Share(len(drawn), sum(drawn)), Share(len(others), sum(others))
        found.append(
            CardFigures(
                card=card,
                drawn=len(drawn),
                paid=sum(1 for _, paid, _ in masks if paid & bit),
                won_drawn=with_it,
                won_without=without,
                impact=difference(with_it, without),
            )
        )
    return found


def _share(games: Iterable[GameResult], which: Callable[[GameResult], bool] = lambda _: True) -> Share:
    scores = [SCORE[game.outcome] for game in games if which(game)]
    return Share(len(scores), sum(scores))


def _counting(results: Iterable[GameResult]) -> list[GameResult]:
    return [game for game in results if game.outcome in SCORE]


def impact_order(cards: Iterable[CardFigures]) -> list[CardFigures]:
    """Return cards with the greatest impact first; those of which nothing can be said come last."""
    return sorted(cards, key=lambda one: (one.impact is None, -(one.impact.value if one.impact else 0.0), one.card))
