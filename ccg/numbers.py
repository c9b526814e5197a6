"""Whole numbers as people and programs send them: in forms, addresses and files."""

from __future__ import annotations


def whole_number(text: str, digits: int) -> int | None:
    """Return the number that ``text`` writes with at most so many of the digits 0 to 9; None for anything else.

    ``int`` takes more: signs, blanks, underscores, and the digits of all scripts.
    """
    return int(text) if text.isascii() and text.isdecimal() and len(text) <= digits else None
