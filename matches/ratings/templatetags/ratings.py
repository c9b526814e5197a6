"""Template tags of the ratings: the course of a rating as SVG, and points as people read them."""

from __future__ import annotations

from collections.abc import Sequence

from django import template

from matches.ratings.models import RatingChange

register = template.Library()

WIDTH, HEIGHT, LEFT = 360, 130, 44
LEAST_RANGE = 100
"""Points between the top and the bottom of the graph, at least: small changes look small."""


@register.filter
def signed(points: int) -> str:
    """Return points won or lost with their sign."""
    return f"{points:+d}".replace("-", "−") if points else "0"


@register.inclusion_tag("ratings/_course.html")
def rating_course(changes: Sequence[RatingChange]) -> dict[str, object]:
    """Draw a rating from match to match, with the same in a table."""
    values = [changes[0].before.points, *(change.after.points for change in changes)]
    middle, half = (min(values) + max(values)) / 2, max(LEAST_RANGE, max(values) - min(values)) / 2
    low, high = middle - half, middle + half
    step = (WIDTH - LEFT - 8) / max(1, len(values) - 1)

    def height(value: float) -> float:
        return round(10 + (HEIGHT - 20) * (high - value) / (high - low), 1)

    line = [(round(LEFT + place * step, 1), height(value)) for place, value in enumerate(values)]
    ticks = [(round(value), height(value)) for value in (high, middle, low)]
    return {
        "changes": list(reversed(changes)),
        "line": " ".join(f"{x},{y}" for x, y in line),
        "end": line[-1],
        "ticks": ticks,
        "left": LEFT,
        "label_x": LEFT - 8,
        "width": WIDTH,
        "height": HEIGHT,
        "words": f"from {values[0]} to {values[-1]} in {len(changes)} match{'es' if len(changes) > 1 else ''}, "
        f"highest {max(values)}, lowest {min(values)}",
    }
