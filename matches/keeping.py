"""Games that this process has read or written lately, so that they need not be read again.

Only a hint about what is in the database: an entry holds for one version of one match, is put here after
the commit, and the condition on the version in the transaction is what makes using it safe. Games in here
are never changed; whoever wants to choose makes a copy first.
"""

from __future__ import annotations

import threading
from collections import OrderedDict
from functools import lru_cache

from cards_data import catalog as card_data
from ccg.rules import Catalog, Game

KEPT = 256
"""Games kept in a process; one is some tens of kilobytes."""

_games: OrderedDict[str, tuple[int, Game]] = OrderedDict()
_lock = threading.Lock()


def keep(match_id: str, version: int, game: Game) -> None:
    """Remember the game as it stands at this version, unless a newer one is known."""
    with _lock:
        held = _games.get(match_id)
        if held is None or held[0] <= version:
            _games[match_id] = (version, game)
        _games.move_to_end(match_id)
        while len(_games) > KEPT:
            _games.popitem(last=False)


def kept(match_id: str, version: int) -> Game | None:
    """Give the game at exactly this version if this process has it."""
    with _lock:
        held = _games.get(match_id)
        if held is None or held[0] != version:
            return None
        _games.move_to_end(match_id)
        return held[1]


def forget_all() -> None:
    """Forget every game (for tests: as if the process had been killed)."""
    with _lock:
        _games.clear()


@lru_cache(maxsize=8)
def catalog_of(fingerprint: str) -> Catalog:
    """Give the card data that a match is played with; raises ``cards_data.catalog.UnknownVersion``.

    The fingerprint is a hash of the cards, so what was found for it once is right for ever.
    """
    return card_data.with_fingerprint(fingerprint).catalog
