"""The tree of what a query asks: conditions, and what joins them.

Every condition is true or false of every card, also of one that lacks the value asked for; so :class:`Not` is
exactly the complement, in every evaluation.
"""

from __future__ import annotations

from dataclasses import dataclass


@dataclass(frozen=True)
class All:
    """Every part holds; with no parts, always."""

    parts: tuple[Node, ...]


@dataclass(frozen=True)
class Some:
    """Some part holds; with no parts, never."""

    parts: tuple[Node, ...]


@dataclass(frozen=True)
class Not:
    """The part does not hold."""

    part: Node


@dataclass(frozen=True)
class Present:
    """There is a value."""

    field: str


@dataclass(frozen=True)
class Contains:
    """The folded text includes ``text``."""

    field: str
    text: str


@dataclass(frozen=True)
class Equals:
    """The folded text is ``text``."""

    field: str
    text: str


@dataclass(frozen=True)
class Has:
    """``word`` is among the words."""

    field: str
    word: str


@dataclass(frozen=True)
class Only:
    """The words are exactly these, in any order."""

    field: str
    words: tuple[str, ...]


@dataclass(frozen=True)
class Between:
    """Some number is from ``low`` to ``high``, both included; None is no bound."""

    field: str
    low: int | None
    high: int | None


@dataclass(frozen=True)
class Among:
    """The card is in a group that is known beside the cards: ``deck`` of ``in``, the one that is open."""

    field: str
    group: str


@dataclass(frozen=True)
class Counted:
    """A number that is known beside the cards is from ``low`` to ``high``; every card has one, be it 0."""

    field: str
    low: int | None
    high: int | None


Condition = Present | Contains | Equals | Has | Only | Between | Among | Counted
Node = All | Some | Not | Condition
EVERYTHING: Node = All(())
