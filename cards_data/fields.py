"""What both databases can search: columns of short lists of words ("Cylon", "Capital Ship"), long lists of keys."""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

from django.db import models
from django.db.models.lookups import Lookup


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


@models.CharField.register_lookup
class Among(Lookup):
    """``column__among=[...]``: ``in`` with the whole list as one parameter, however long it is.

    SQLite takes some ten thousands of parameters, and a search may ask for twenty lists of thousands of cards.
    """

    lookup_name = "among"

    def get_prep_lookup(self) -> list[str]:
        """Return the list as it is."""
        return [str(value) for value in self.rhs]

    def as_sqlite(self, compiler: Any, connection: Any) -> tuple[str, list[Any]]:
        """Return the condition for SQLite, which reads the list as JSON."""
        column, parameters = self.process_lhs(compiler, connection)
        return f"{column} IN (SELECT value FROM json_each(%s))", [*parameters, json.dumps(self.rhs)]  # noqa: S608 (a column)

    def as_postgresql(self, compiler: Any, connection: Any) -> tuple[str, list[Any]]:
        """Return the condition for PostgreSQL, which knows lists."""
        column, parameters = self.process_lhs(compiler, connection)
        return f"{column} = ANY(%s)", [*parameters, self.rhs]


def has_word(column: str, word: str) -> models.Q:
    """Return the condition that the words in ``column`` include ``word``; case counts, as in all our data."""
    return models.Q(**{f"{column}__contains": f"|{word.replace('|', '')}|"})


def join_words(words: Iterable[str]) -> str:
    """Return ``words`` as one text with bars; no words, no text."""
    listed = list(words)
    return f"|{'|'.join(listed)}|" if listed else ""


def _split(text: str) -> list[str]:
    return [word for word in text.split("|") if word]
