"""The words of the game for players: ``docs/rules/glossary.json``, which the browser's client reads as well.

The chapter of the guide about them is made from it: ``manage.py glossary`` writes ``docs/rules/guide/11-glossary.md``.
"""

from __future__ import annotations

from pathlib import Path

from msgspec import Struct

from ccg.rules.decoding import Decoder
from ccg.server.texts import DOCS

WORDS = DOCS / "rules" / "glossary.json"
CHAPTER = DOCS / "rules" / "guide" / "11-glossary.md"

HEAD = """\
# Glossary

The words of the game, shortly.

| word | meaning |
| --- | --- |
"""


class Word(Struct, frozen=True, forbid_unknown_fields=True):
    """A word of the game: what it means, in a sentence or two, and the clause or ruling that it comes from."""

    word: str
    forms: tuple[str, ...]
    """Other forms in which it stands in texts, in small letters."""
    meaning: str
    clause: str
    everyday: bool = False
    """Whether it is a word of everyday English too, so that it is explained in texts about the game only."""


_words: Decoder[list[Word]] = Decoder(list[Word])


def words(path: Path = WORDS) -> list[Word]:
    """Return all words in the order of the alphabet."""
    return _words.from_json(path.read_bytes())


def chapter() -> str:
    """Return the chapter of the guide as it has to be."""
    rows = [f"| **{one.word}** | {one.meaning} {{{one.clause}}} |" for one in words()]
    return HEAD + "\n".join(rows) + "\n"
