"""Tempos: how much time the players of a match have.

>>> read("live 1200+15").bank
1200
>>> str(Tempo("correspondence", bank=259_200, allowance=86_400))
'correspondence 86400+259200'
"""

from __future__ import annotations

import re
from typing import Literal

from msgspec import Struct

Kind = Literal["untimed", "live", "correspondence"]

MINUTE, HOUR, DAY = 60, 3_600, 86_400

_TEXT = re.compile(r"(live|correspondence) ([0-9]{1,7})\+([0-9]{1,7})")


class Tempo(Struct, frozen=True):
    """How much time each player has, in seconds.

    Live: a ``bank`` for the whole match, and an ``increment`` that comes back for each decision, up to the full bank.
    Correspondence: an ``allowance`` for each turn, that is from when a player must decide until somebody else must,
    and a ``bank`` that goes on where it ends.
    """

    kind: Kind = "untimed"
    bank: int = 0
    increment: int = 0
    allowance: int = 0

    def __str__(self) -> str:
        """Return it as it is stored."""
        match self.kind:
            case "live":
                return f"live {self.bank}+{self.increment}"
            case "correspondence":
                return f"correspondence {self.allowance}+{self.bank}"
        return self.kind

    @property
    def timed(self) -> bool:
        """Whether there are clocks."""
        return self.kind != "untimed"

    @property
    def low(self) -> int:
        """From how many seconds on a player is short of time."""
        if self.kind == "live":
            return min(MINUTE, self.bank // 5)
        return self.allowance // 4

    @property
    def short(self) -> str:
        """Return it as briefly as it can be read."""
        match self.kind:
            case "live":
                return f"{_words(self.bank)} + {self.increment} seconds"
            case "correspondence":
                return f"{_words(self.allowance)} a turn + {_words(self.bank)}"
        return "no clocks"

    @property
    def words(self) -> str:
        """Return it in words for people."""
        match self.kind:
            case "live":
                return f"live, {_words(self.bank)} and {self.increment} seconds for each decision"
            case "correspondence":
                return f"correspondence, {_words(self.allowance)} a turn and {_words(self.bank)} in reserve"
        return "no clocks"


def read(text: str) -> Tempo:
    """Read a tempo as ``str`` writes it; raises ValueError for anything else."""
    if text == "untimed":
        return UNTIMED
    found = _TEXT.fullmatch(text)
    if found is None:
        raise ValueError(f"{text[:40]!r} is no tempo")
    kind, first, second = found[1], int(found[2]), int(found[3])
    if kind == "live":
        return Tempo("live", bank=first, increment=second)
    return Tempo("correspondence", allowance=first, bank=second)


def roughly(seconds: int) -> str:
    """Return a time that is left in one unit, rounded down, so that nobody relies on more than there is.

    >>> roughly(49 * HOUR), roughly(47 * HOUR), roughly(90 * MINUTE)
    ('2 days', '47 hours', '90 minutes')
    """
    for size, name in ((DAY, "day"), (HOUR, "hour"), (MINUTE, "minute")):
        if seconds >= 2 * size:
            return f"{seconds // size} {name}s"
    return "less than two minutes"


def _words(seconds: int) -> str:
    for size, name in ((DAY, "day"), (HOUR, "hour"), (MINUTE, "minute")):
        if seconds >= size and seconds % size == 0:
            count = seconds // size
            return f"{count} {name}{'s' if count > 1 else ''}"
    return f"{seconds} seconds"


UNTIMED = Tempo()
LIVE = tuple(Tempo("live", bank=minutes * MINUTE, increment=more) for minutes, more in ((10, 10), (20, 15), (40, 30)))
CORRESPONDENCE = tuple(
    Tempo("correspondence", allowance=allowance, bank=days * DAY)
    for allowance, days in ((12 * HOUR, 2), (DAY, 3), (2 * DAY, 5), (3 * DAY, 7), (5 * DAY, 10), (7 * DAY, 14))
)
OFFERED = {str(tempo): tempo for tempo in (UNTIMED, *LIVE, *CORRESPONDENCE)}
"""What can be chosen for a match, by how it is stored."""
