"""Marked text: ``[[kind:id|what is shown]]`` (``ccg.rules.telling.sentences`` tells of the other kinds)."""

from __future__ import annotations

import re
from collections.abc import Iterator
from typing import NamedTuple

_MARK = re.compile(r"\[\[(card|seat|icon|trait|keyword):([^|\]]{1,80})\|([^\]]{0,200})\]\]")


class Part(NamedTuple):
    """A part of marked text: plain words (``kind`` "text"), or something that is marked."""

    kind: str
    id: str
    text: str


def parts(text: str) -> Iterator[Part]:
    """Take marked text apart, in order. What is no mark is plain words."""
    at = 0
    for found in _MARK.finditer(text):
        if found.start() > at:
            yield Part("text", "", text[at : found.start()])
        yield Part(found[1], found[2], found[3])
        at = found.end()
    if at < len(text):
        yield Part("text", "", text[at:])


def plain(text: str) -> str:
    """Return marked text without its marks."""
    return "".join(part.text for part in parts(text))


def unmarked(text: str) -> str:
    """Return ``text`` without what would be read as a mark (traits are whatever a card file says)."""
    return text.replace("[[", "[ [").replace("]]", "] ]").replace("|", "¦")


def capital(text: str) -> str:
    """Return marked text with a capital at its beginning."""
    at = text.find("|") + 1 if text.startswith("[[") else 0
    return text[:at] + text[at : at + 1].upper() + text[at + 1 :]
