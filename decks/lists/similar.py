"""Decks that are like another one, with the reason. Pure; no Django."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from typing import Generic, TypeVar

from msgspec import Struct

Ref = TypeVar("Ref")

ALIKE = 20
"""Copies that two decks have in common before one is called like the other; with the same base, half of it."""


class Likeness(Struct, Generic[Ref], frozen=True):
    """A deck that is like another: its name in the caller's terms, and why."""

    deck: Ref
    shared: int
    same_base: bool


def most_alike(
    base: str, counts: Mapping[str, int], others: Iterable[tuple[Ref, str, Mapping[str, int]]], limit: int
) -> list[Likeness[Ref]]:
    """Return those of ``others`` (name, base, counts) most like the deck of ``base`` and ``counts``, at most ``limit``.

    What two decks share is counted in copies; of two that share as many, one with the same base is more alike.
    """
    found = []
    for deck, other_base, other_counts in others:
        shared = sum(min(copies, other_counts.get(card, 0)) for card, copies in counts.items())
        same_base = base == other_base != ""
        if shared >= (ALIKE // 2 if same_base else ALIKE):
            found.append(Likeness(deck, shared, same_base))
    found.sort(key=lambda one: (-one.shared, not one.same_base))
    return found[:limit]
