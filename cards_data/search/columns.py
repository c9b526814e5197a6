"""Where the database has the values of a field: each kind of column turns conditions into :class:`~django.db.models.Q`.

Every Q is true or false of every row, never unknown: a missing number is asked for by ``isnull`` beside each
comparison. So ``~`` is the complement, however deep it stands.
"""

from __future__ import annotations

from collections.abc import Mapping
from datetime import UTC, date, datetime, time
from typing import Any

from django.db.models import Q, QuerySet

from cards_data.fields import has_word

NOTHING = Q(pk__in=())


class Column:
    """What can be asked of a column. A kind of field asks only what it needs, so the rest is not implemented."""

    def present(self) -> Q:
        """Match rows that have a value."""
        raise NotImplementedError

    def contains(self, text: str) -> Q:
        """Match rows whose folded text includes ``text``."""
        raise NotImplementedError

    def equals(self, text: str) -> Q:
        """Match rows whose folded text is ``text``."""
        raise NotImplementedError

    def has(self, word: str) -> Q:
        """Match rows that have ``word``."""
        raise NotImplementedError

    def only(self, words: tuple[str, ...]) -> Q:
        """Match rows that have all of ``words`` and no others."""
        raise NotImplementedError

    def between(self, low: int | None, high: int | None) -> Q:
        """Match rows with a number from ``low`` to ``high``; None is no bound."""
        raise NotImplementedError


class TextColumn(Column):
    """A column of folded text, empty where there is none."""

    def __init__(self, name: str) -> None:
        self.name = name

    def present(self) -> Q:
        return ~Q(**{self.name: ""})

    def contains(self, text: str) -> Q:
        return Q(**{f"{self.name}__contains": text})

    def equals(self, text: str) -> Q:
        return Q(**{self.name: text})


class NumberColumn(Column):
    """A column of numbers, null where there is none."""

    def __init__(self, name: str) -> None:
        self.name = name

    def present(self) -> Q:
        return Q(**{f"{self.name}__isnull": False})

    def between(self, low: int | None, high: int | None) -> Q:
        bounds = {f"{self.name}__gte": low, f"{self.name}__lte": high}
        return self.present() & Q(**{key: value for key, value in bounds.items() if value is not None})


class DateColumn(Column):
    """A column of moments, never null, asked for days (counted from the first of year 1) by UTC."""

    def __init__(self, name: str) -> None:
        self.name = name

    def present(self) -> Q:
        return Q()

    def between(self, low: int | None, high: int | None) -> Q:
        asked = Q()
        if low is not None:
            asked &= Q(**{f"{self.name}__gte": _midnight(low)})
        if high is not None:
            asked &= Q(**{f"{self.name}__lt": _midnight(high + 1)})
        return asked


class ChoiceColumn(Column):
    """A column with one word, empty where there is none."""

    def __init__(self, name: str) -> None:
        self.name = name

    def present(self) -> Q:
        return ~Q(**{self.name: ""})

    def has(self, word: str) -> Q:
        return Q(**{self.name: word})

    def only(self, words: tuple[str, ...]) -> Q:
        return self.has(words[0]) if len(words) == 1 else NOTHING


class WordsColumn(Column):
    """A :class:`~cards_data.fields.WordsField`."""

    def __init__(self, name: str) -> None:
        self.name = name

    def present(self) -> Q:
        return ~Q(**{self.name: ""})

    def has(self, word: str) -> Q:
        return has_word(self.name, word)

    def only(self, words: tuple[str, ...]) -> Q:
        """Match by length as well: with all of these words in it, a longer text has others too."""
        asked = Q(**{f"{self.name}__length": sum(map(len, words)) + len(words) + 1})
        for word in words:
            asked &= self.has(word)
        return asked


class AmountsColumn(Column):
    """One column of numbers for each word; a word is there where its number is more than 0."""

    def __init__(self, columns: Mapping[str, str]) -> None:
        self.columns = columns

    def present(self) -> Q:
        asked = NOTHING
        for word in self.columns:
            asked |= self.has(word)
        return asked

    def has(self, word: str) -> Q:
        return NumberColumn(self.columns[word]).between(1, None)

    def only(self, words: tuple[str, ...]) -> Q:
        asked = Q()
        for word in self.columns:
            asked &= self.has(word) if word in words else ~self.has(word)
        return asked


class FlagsColumn(Column):
    """Words that each have their own condition."""

    def __init__(self, flags: Mapping[str, Q]) -> None:
        self.flags = flags

    def has(self, word: str) -> Q:
        return self.flags[word]


class RelatedColumn(Column):
    """Values in the rows of another table, of which there may be several: the printings of a card."""

    def __init__(self, rows: QuerySet[Any], key: str, name: str) -> None:
        """Take the ``rows``, which of their columns is the ``key`` of ours, and the ``name`` of the value's column."""
        self.rows = rows
        self.key = key
        self.name = name

    def present(self) -> Q:
        return self._some(Q())

    def has(self, word: str) -> Q:
        return self._some(Q(**{self.name: word}))

    def only(self, words: tuple[str, ...]) -> Q:
        asked = ~self._some(~Q(**{f"{self.name}__in": words}))
        for word in words:
            asked &= self.has(word)
        return asked

    def between(self, low: int | None, high: int | None) -> Q:
        return self._some(NumberColumn(self.name).between(low, high))

    def _some(self, asked: Q) -> Q:
        return Q(pk__in=self.rows.filter(asked).values(self.key))


def _midnight(day: int) -> datetime:
    """Return the moment at which a day begins; the first and last days that there are bound it."""
    first = date.fromordinal(min(max(day, 1), date.max.toordinal() - 1))
    return datetime.combine(first, time(), UTC)
