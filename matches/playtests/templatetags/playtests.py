"""Template tags of the playtests: shares as people read them, and small charts as SVG."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from django import template

from decks.lists.winning import percent
from matches.playtests.figures import Interval

register = template.Library()

CHART_HEIGHT = 80
BAR = 120
"""Width of the bar of a share, from 0 to all."""


@register.filter
def share(value: float) -> str:
    """Return a share as percent."""
    return f"{percent(value)}\N{NO-BREAK SPACE}%"


@register.filter
def signed(value: float) -> str:
    """Return a difference of shares in points of a hundred, with its sign."""
    points = round(100 * value)
    return f"{points:+d}".replace("-", "−") if points else "0"


@register.filter
def points(value: float) -> str:
    """Return a difference of shares in words."""
    number = 100 * abs(value)
    if number < 0.05:
        return "No more games won"
    return f"{number:.1f} of 100 games {'more' if value > 0 else 'fewer'} won"


@register.filter
def interval(rate: Interval) -> str:
    """Return a share and how far it may be off."""
    return f"{percent(rate.value)}\N{NO-BREAK SPACE}% ± {50 * (rate.high - rate.low):.0f}"


@register.filter
def at(rows: Sequence[Any], place: int) -> Any:
    """Return what stands at a place."""
    return rows[place]


@register.inclusion_tag("playtests/_bar.html")
def share_bar(rate: Interval) -> dict[str, object]:
    """Draw a share and its interval, with a mark at the half."""
    low, high = round(BAR * rate.low, 1), round(BAR * rate.high, 1)
    return {"low": low, "wide": round(high - low, 1), "middle": round(4 + (BAR - 8) * rate.value, 1)}


@register.inclusion_tag("playtests/_lengths.html")
def length_chart(lengths: Sequence[tuple[int, int, int]]) -> dict[str, object]:
    """Draw how many games ended in which turn; ``lengths`` are turn, games and percent of the tallest bar."""
    bars = []
    for place, (turn, games, tall) in enumerate(lengths):
        height = CHART_HEIGHT * tall / 100
        left = 6 + 30 * place
        bars.append(
            {
                "turn": turn,
                "games": games,
                "x": left,
                "middle": left + 11,
                "y": round(100 - height, 1),
                "above": round(95 - height, 1),
                "height": round(height, 1),
            }
        )
    words = ", ".join(f"{games} in turn {turn}" for turn, games, _ in lengths if games)
    return {"bars": bars, "width": 12 + 30 * len(bars), "words": words}
