"""A column for short lists of words ("Cylon", "Capital Ship") that both databases can search."""

from __future__ import annotations

from collections.abc import Iterable
from typing import Any

from django.db import models


class WordsField(models.CharField):
    """A list of words, kept as "|Cylon|Pilot|": the bars let LIKE find a whole word, "Ship" and not
    "Capital Ship".

    A JSON column would need PostgreSQL to be searched, and a table for a few words a card is a join more
    in every query.
    """

    def __init__(self, *args: Any, **kwargs: Any) -> None:
        kwargs.setdefault("max_length", 400)
        kwargs.setdefault("default", list)
        kwargs.setdefault("blank", True)
        super().__init__(*args, **kwargs)

    def from_db_value(self, value: str | None, *_: Any) -> list[str]:
        """Return the words of a stored value."""
        return _split(value or "")

    def to_python(self, value: Any) -> list[str]:
        """Return the words of a stored value, of a list, or of a text with bars."""
        return _split(value) if isinstance(value, str) else list(value or ())

    def get_prep_value(self, value: Any) -> str:
        """Return the text to store, or to compare the column with."""
        return value if isinstance(value, str) else join_words(value or ())

    def value_to_string(self, obj: models.Model) -> str:
        """Return the text for fixtures."""
        return self.get_prep_value(self.value_from_object(obj))


def has_word(column: str, word: str) -> models.Q:
    """Return the condition that the words in ``column`` include ``word``; case counts, as in all our data."""
    return models.Q(**{f"{column}__contains": f"|{word.replace('|', '')}|"})


def join_words(words: Iterable[str]) -> str:
    """Return ``words`` as one text with bars; no words, no text."""
    listed = list(words)
    return f"|{'|'.join(listed)}|" if listed else ""


def _split(text: str) -> list[str]:
    return [word for word in text.split("|") if word]
