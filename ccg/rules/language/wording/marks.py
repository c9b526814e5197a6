"""Marked text: ``[[kind:id|what is shown]]``."""

from __future__ import annotations


def plain(text: str) -> str:
    """Give marked text without its marks."""
    out, at = [], 0
    while (start := text.find("[[", at)) >= 0:
        bar, end = text.find("|", start), text.find("]]", start)
        out += [text[at:start], text[bar + 1 : end]]
        at = end + 2
    return "".join([*out, text[at:]])


def capital(text: str) -> str:
    """Give marked text with a capital at its beginning."""
    at = text.find("|") + 1 if text.startswith("[[") else 0
    return text[:at] + text[at : at + 1].upper() + text[at + 1 :]
