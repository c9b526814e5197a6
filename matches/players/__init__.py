"""Computer players: who there is, by name.

A player is given what its seat may see and nothing else, so it cannot know more than a person would. A
new one is a module in this package and a row in :data:`PLAYERS`.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import Literal, Protocol

from msgspec import Struct

from ccg.rules import Catalog, View
from matches.players.easy_player import EasyPlayer
from matches.players.heuristic_player import HeuristicPlayer
from matches.players.random_player import RandomPlayer


class Player(Protocol):
    """Somebody who can choose."""

    def choose(self, view: View, catalog: Catalog) -> str:
        """Return the key of one of the options of ``view.decision``, which is this player's to choose."""


PLAYERS: dict[str, Callable[..., Player]] = {
    "sensible": HeuristicPlayer,
    "easy": EasyPlayer,
    "chance": RandomPlayer,
}
"""Players by the name under which seats remember them; each choice is made by a fresh one.

They may be given a ``random.Random`` of their own, so that whole games can be played again.
"""

DEFAULT = "sensible"
"""The one that people play against if they do not say."""

LevelName = Literal["easy", "normal"]
"""Levels as forms and messages name them."""


class Level(Struct, frozen=True):
    """A strength of computer that people can choose: the player who has it, and how it plays in a few words."""

    name: LevelName
    player: str
    about: str


LEVELS = (
    Level("easy", "easy", "leaves much to chance, but does nothing that only harms itself"),
    Level("normal", DEFAULT, "weighs every choice"),
)
"""From the weakest on."""

NORMAL: LevelName = "normal"
"""The level of who says nothing, and of all matches from before there were levels."""


def level_of(player: str) -> LevelName:
    """Return the level at which the computer player of this name plays."""
    return next((level.name for level in LEVELS if level.player == player), NORMAL)


def player_at(level: str) -> str:
    """Return the name of the computer player of a level; raises KeyError for what is none."""
    players: dict[str, str] = {one.name: one.player for one in LEVELS}
    return players[level]
