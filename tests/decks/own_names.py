"""The names of the project's own cards, made once in each process (:mod:`tests.reading` reads the cards)."""

from __future__ import annotations

from functools import cache

from decks.lists.names import Names
from tests.reading import own_cards, own_sets


@cache
def own_names() -> Names:
    """Return the names by which lists may call cards of the project's own sets; no test may change them."""
    return Names(own_cards(), [printing for one in own_sets() for printing in one.printings])
