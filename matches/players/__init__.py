"""Computer players: who there is, by name.

A player is given what its seat may see and nothing else, so it cannot know more than a person would. A
new one is a module in this package and a row in :data:`PLAYERS`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Protocol

from ccg.rules import Catalog, View
from matches.players.heuristic_player import HeuristicPlayer
from matches.players.random_player import RandomPlayer


class Player(Protocol):
    """Somebody who can choose."""

    def choose(self, view: View, catalog: Catalog) -> str:
        """Return the key of one of the options of ``view.decision``, which is this player's to choose."""


PLAYERS: dict[str, Callable[..., Player]] = {
    "sensible": HeuristicPlayer,
    "chance": RandomPlayer,
}
"""Players by the name under which seats remember them; each choice is made by a fresh one.

They may be given a ``random.Random`` of their own, so that whole games can be played again.
"""

DEFAULT = "sensible"
"""The one that people play against if they do not say."""
