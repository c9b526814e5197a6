"""A deck as a list of cards: what the forms of lists read and write."""

from __future__ import annotations

from msgspec import Struct, field

from ccg.words import one_line

MAX_NAME = 80


class Published(Struct, frozen=True, kw_only=True):
    """What a list was published as: its version of a deck, the version it was made from (0: none), and the cards then.

    ``data_version`` is the number of the card data by which it is told.
    """

    version: int
    parent: int
    notes: str
    data_version: int


class DeckList(Struct, kw_only=True):
    """A deck as the text form can tell it; ``counts``, ``considering`` and ``tags`` go by permanent card id."""

    name: str = ""
    format: str = ""
    bases: list[str] = field(default_factory=list)
    counts: dict[str, int] = field(default_factory=dict)
    considering: dict[str, int] = field(default_factory=dict)
    tags: dict[str, list[str]] = field(default_factory=dict)


class PublishedList(DeckList, kw_only=True):
    """The list of a version of a deck, with which version it is; the text form does not tell that."""

    published: Published


def clean_name(name: str) -> str:
    """Return ``name`` as a deck can carry it."""
    return one_line(name, MAX_NAME)
