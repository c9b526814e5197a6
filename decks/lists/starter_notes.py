"""What the starter decks are like: a line on the style of each, and how hard it is to play.

The notes lie beside the lists, in ``decks/starters/about.yaml``, by the names of their files.
"""

from __future__ import annotations

from functools import cache
from pathlib import Path
from typing import Literal

import yaml
from msgspec import Struct

from ccg.rules.decoding import Decoder

ABOUT = Path(__file__).resolve().parents[1] / "starters" / "about.yaml"


HOW_HARD = {"easy": "easy to play", "medium": "takes some practice", "hard": "for those who know the game"}


class StarterNote(Struct, frozen=True, forbid_unknown_fields=True):
    """What somebody who chooses a starter deck wants to know of it."""

    style: str
    difficulty: Literal["easy", "medium", "hard"]

    @property
    def how_hard(self) -> str:
        """How hard it is to play, in words."""
        return HOW_HARD[self.difficulty]


_NOTES = Decoder(dict[str, StarterNote])


@cache
def notes() -> dict[str, StarterNote]:
    """Return the notes by the name of the starter deck's file. Raises ``msgspec.ValidationError`` for a wrong file."""
    return _NOTES.from_plain(yaml.safe_load(ABOUT.read_text(encoding="utf-8")))
