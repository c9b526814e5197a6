"""What a proof is given, and what it returns."""

from __future__ import annotations

import importlib
from collections.abc import Callable, Mapping
from pathlib import Path
from typing import Literal, cast

from msgspec import Struct

Profile = Literal["embedded", "full"]
Figure = int | float | str | bool | None | list["Figure"] | dict[str, "Figure"]


class ProofError(Exception):
    """A proof could not be carried out: an unknown option, a server that does not start, a missing program."""


class Options(Struct, frozen=True, kw_only=True):
    """How to run a proof. ``folder`` is empty, its own, and removed afterwards."""

    folder: Path
    profile: Profile = "embedded"
    seed: int = 1
    short: bool = False
    more: Mapping[str, str] = {}
    """What was given as ``--option NAME=VALUE``."""

    def number(self, name: str, usual: int, short: int | None = None) -> int:
        """Return the option ``name``; where it was not given, ``usual``, or ``short`` in the short form."""
        value = self.more.get(name)
        if value is None:
            return short if self.short and short is not None else usual
        try:
            return int(value)
        except ValueError:
            raise ProofError(f"--option {name}= wants a whole number, not {value!r}") from None

    def room(self, name: str) -> Path:
        """Return a new folder of this name for one part of the proof."""
        room = self.folder / name
        room.mkdir()
        return room


class Proof(Struct, frozen=True, kw_only=True):
    """What came of a proof: one line of JSON. The command fills in the fields after ``planted``."""

    goal: str
    """The promise, with its bounds, in a sentence."""
    passed: bool
    figures: dict[str, Figure]
    """What was counted and measured."""
    planted: dict[str, bool]
    """Faults put in on purpose, by name, and whether each was noticed."""

    name: str = ""
    profile: Profile = "embedded"
    short: bool = False
    seed: int = 0
    versions: dict[str, str] = {}
    seconds: float = 0.0

    @property
    def holds(self) -> bool:
        """Whether the goal was reached by a proof that would have noticed if it was not."""
        return self.passed and bool(self.planted) and all(self.planted.values())


PROOFS: dict[str, str] = {
    "abuse": "ccg.server.proving.abuse",
    "accounts": "ccg.server.proving.accounts",
    "archives": "ccg.server.proving.archives",
    "clocks": "ccg.server.proving.clocks",
    "database": "ccg.server.proving.outages:database",
    "disk": "ccg.server.proving.outages:disk",
    "endurance": "ccg.server.proving.endurance",
    "faults": "ccg.server.proving.faults",
    "fuzz": "ccg.server.proving.fuzz",
    "games": "ccg.server.proving.games",
    "hygiene": "ccg.server.proving.hygiene",
    "leaks": "ccg.server.proving.leaks",
    "lists": "ccg.server.proving.many:lists",
    "load": "ccg.server.proving.load",
    "loops": "ccg.server.proving.loops",
    "lossy": "ccg.server.proving.lossy",
    "pairing": "ccg.server.proving.pairing",
    "playtests": "ccg.server.proving.playtests",
    "races": "ccg.server.proving.races",
    "ratings": "ccg.server.proving.ratings",
    "redis": "ccg.server.proving.outages:redis",
    "search": "ccg.server.proving.search",
    "shuffle": "ccg.server.proving.shuffle",
    "rejudging": "ccg.server.proving.many:rejudging",
    "rights": "ccg.server.proving.rights",
}
"""All proofs: the name on the command line, and the module with ``prove(options: Options) -> Proof``, or, where one
module has several, ``module:function``."""


def proof_named(name: str) -> Callable[[Options], Proof]:
    """Return the function that carries out a proof; raises KeyError for a name that is none."""
    module, _, function = PROOFS[name].partition(":")
    return cast(Callable[[Options], Proof], getattr(importlib.import_module(module), function or "prove"))
