"""Signs of names: what may stand in the name of a card or set, so that no two look alike and a page stays as it is."""

from __future__ import annotations

import unicodedata

from ccg.rules.authoring.records import Problem, quoted

LONGEST_NAME = 80
NAME_SIGNS = frozenset(" '\u2019\".,!?&:;()/+#-\u2013\u2014\u2026%")
"""Punctuation that a name may have."""


def strange_sign(name: str) -> Problem | None:
    """Return which sign of ``name`` no name may have; None if all are good."""
    strange = next((sign for sign in name if not is_name_sign(sign)), "")
    if strange.isalpha():
        return Problem(
            text=f"{quoted(name)} has the letter {strange!r} (U+{ord(strange):04X}), which is not one of A to Z "
            "with or without an accent",
            advice="names that look alike could not be told apart",
        )
    return Problem(text=f"{quoted(name)} has the sign {strange!a}, which no name may have") if strange else None


def is_latin(letter: str) -> bool:
    """Return whether ``letter`` is one of A to Z with or without accents.

    Letters that are only shaped like those (mathematical, full-width, in circles, ligatures) are not: on a page they
    look like another name, or like nothing that can be typed.
    """
    parts = [sign for sign in unicodedata.normalize("NFD", letter) if not unicodedata.combining(sign)]
    return bool(parts) and all(sign.isascii() and sign.isalpha() for sign in parts)


def is_name_sign(sign: str) -> bool:
    """Return whether a name may have it: a Latin letter, a digit or plain punctuation, nothing for a page to obey."""
    return sign in NAME_SIGNS or "0" <= sign <= "9" or (sign.isalpha() and is_latin(sign))
