"""Words as people and programs send them: names, notes, lines of a chat."""

from __future__ import annotations

import unicodedata

MOST_MARKS = 5
"""Accents on one sign that are kept: no language has more, and a heap of them covers the lines above and below."""

_TURNS = dict.fromkeys((*range(0x202A, 0x202F), *range(0x2066, 0x206A)))
"""Signs that turn the direction of what follows, so that it reads otherwise than it is."""


def one_line(words: str, limit: int) -> str:
    """Return ``words`` as one line of at most ``limit`` characters: single spaces, nothing that cannot be seen."""
    return " ".join(without_heaps(printable(words)).split())[:limit].rstrip()


def as_it_reads(text: str) -> str:
    """Return a text of several lines without heaps of accents, and without what turns the direction of reading."""
    return without_heaps(text.translate(_TURNS))


def without_heaps(text: str) -> str:
    """Return ``text`` with no more than :data:`MOST_MARKS` accents on each sign."""
    if text.isascii():
        return text
    kept, run = [], 0
    for sign in text:
        run = run + 1 if unicodedata.category(sign) in ("Mn", "Me") else 0
        if run <= MOST_MARKS:
            kept.append(sign)
    return "".join(kept)


def printable(text: str) -> str:
    """Return ``text`` with a space for every character that is none of it: control, surrogate, other white space.

    Those that only say how others are shown, such as a space without width, have no room and leave none.
    """
    return "".join(c if c.isprintable() else "" if unicodedata.category(c) == "Cf" else " " for c in text)
