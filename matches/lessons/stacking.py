"""Decks in a wanted order: what to sit down with, so that the shuffle of the setup leaves the cards as a lesson needs.

The engine shuffles every deck, and a lesson is no exception to that. With a known seed the shuffle is known too, so
the deck is put into the order that it turns into the wanted one.
"""

from __future__ import annotations

from collections.abc import Sequence

from ccg.rules.core.chance import Chance

SEED_BYTES = 8


def seed_bytes(seed: int) -> bytes:
    """Return the seed of a lesson as the engine takes it."""
    return seed.to_bytes(SEED_BYTES, "big")


def stacked(decks: Sequence[Sequence[str]], seed: bytes) -> list[list[str]]:
    """Return ``decks``, top card first in seat order, as they have to be handed in to lie so after the shuffle.

    Rulebook: Setup, step 1. The decks are shuffled in seat order, from the beginning of the stream of chance.
    """
    chance = Chance(seed)
    handed_in = []
    for deck in decks:
        places = list(range(len(deck)))
        chance.shuffle(places)
        cards = [""] * len(deck)
        # The engine keeps a deck with its top card last; place i is taken by what was handed in at places[i].
        for card, place in zip(reversed(deck), places, strict=True):
            cards[place] = card
        handed_in.append(cards[::-1])
    return handed_in
