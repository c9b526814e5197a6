"""Who uses cards: apps above this one say here how many of their things hold some cards."""

from __future__ import annotations

from collections.abc import Callable, Collection

Counter = Callable[[Collection[str]], int]

_counters: dict[str, Counter] = {}


def register(what: str, counter: Counter) -> None:
    """Let ``counter`` tell how many ``what`` ("decks") hold at least one of the cards with given ids.

    Called from ``AppConfig.ready``.
    """
    if _counters.setdefault(what, counter) is not counter:
        raise ValueError(f"{what!r} are counted already")


def count(card_ids: Collection[str]) -> dict[str, int]:
    """Return how many things of each kind hold at least one of the cards."""
    return {what: counter(card_ids) if card_ids else 0 for what, counter in _counters.items()}
