"""How people are found by the name that others see."""

from __future__ import annotations

import unicodedata

from django.db.models import Q

NAME_LENGTH = 40
KEY_LENGTH = 120
"""A name of 40 characters has up to three times as many without case."""


def plain(name: str) -> str:
    """Return ``name`` with every sign in its plain form: full-width, styled and joined letters are the usual ones."""
    return unicodedata.normalize("NFKC", name)


def name_key(name: str) -> str:
    """Return the form in which names are compared: plain signs without case, the same for "Änne" and "änne".

    Databases do not agree on that: SQLite knows the case of A to Z alone. So it is kept beside each name.
    """
    return plain(plain(name).casefold())[:KEY_LENGTH]


def called(name: str, person: str = "") -> Q:
    """Match whoever is called ``name``, in whatever letters; ``person`` is the path to the person, as "owner".

    What can be nobody's name never reaches the database, as PostgreSQL fails on some signs.
    """
    if not (name.isprintable() and 0 < len(name) <= NAME_LENGTH):
        return Q(pk__in=())
    return Q(**{f"{person}__name_key" if person else "name_key": name_key(name)})
