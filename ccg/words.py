"""Words as people and programs send them: names, notes, lines of a chat."""

from __future__ import annotations

import unicodedata


def one_line(words: str, limit: int) -> str:
    """Return ``words`` as one line of at most ``limit`` characters: single spaces, nothing that cannot be seen."""
    return " ".join(printable(words).split())[:limit].rstrip()


def printable(text: str) -> str:
    """Return ``text`` with a space for every character that is none of it: control, surrogate, other white space.

    Those that only say how others are shown, such as a space without width, have no room and leave none.
    """
    return "".join(c if c.isprintable() else "" if unicodedata.category(c) == "Cf" else " " for c in text)
