"""Deck lists as tables: CSV and what spreadsheets put on the clipboard, with titles above the columns or without."""

from __future__ import annotations

import csv
from collections.abc import Container

from msgspec import Struct

from ccg.numbers import whole_number
from ccg.rules.authoring.deck_lines import (
    COLUMNS,
    HEADINGS,
    Part,
    Words,
    columns,
    is_quantity,
    number_of_line,
    table_words,
    tagged,
)
from ccg.rules.cards.definitions import fold

DELIMITERS = (",", ";", "\t", "|")


class Table(Struct, frozen=True):
    """The columns of a table, in order: what they mean, "" for those of no use; ``titles`` as they are written."""

    delimiter: str
    columns: tuple[str, ...]
    titles: tuple[str, ...]

    @classmethod
    def titled(cls, raw: str) -> Table | None:
        """Return the table that has ``raw`` as the titles of its columns, if that is what it is."""
        for delimiter in DELIMITERS:
            fields = fields_of(raw, delimiter) if delimiter in raw else []
            if names := columns(fields):
                return cls(delimiter, tuple(names), tuple(fields))
        return None

    @property
    def told(self) -> str:
        """How the column titles were read, as a sentence for the report of the list."""
        read = [column for column in self.columns if column]
        passed = [title for title, column in zip(self.titles, self.columns, strict=True) if title and not column]
        sentence = f"Read as a table: {', '.join(read)}."
        sentence += "" if "quantity" in read else " Without a quantity each line is one card."
        return sentence + (f" Columns that were ignored: {', '.join(passed)[:200]}." if passed else "")

    def row(self, raw: str) -> Words | None:
        """Return what a row says; None for a line that is none, such as a heading between rows."""
        fields = fields_of(raw, self.delimiter)
        if len(fields) < 2:
            return None
        more = len(fields) - len(self.columns)
        if more > 0 and "name" in self.columns:
            # A name with a comma that is not in quotes; should it be something else, no card has that name.
            place = self.columns.index("name")
            fields[place : place + more + 1] = [", ".join(fields[place : place + more + 1])]
        elif more > 0:
            return Words(wrong=f"This row has {len(fields)} columns, and the titles are {len(self.columns)}.")
        values = {column: one for column, one in zip(self.columns, fields, strict=False) if column}
        name = values.get("name") or ", ".join(filter(None, (values.get("title"), values.get("subtitle"))))
        words = table_words(values.get("quantity", "") if "quantity" in self.columns else None, name)
        words.printing = _printing(values)
        if self.columns[0] == "quantity" and COLUMNS.get(fold(self.titles[0])) != "quantity":
            words.numbering = number_of_line(raw)  # below "#" or "No" may stand what counts the rows
        if not words.name and words.printing is None:
            words.wrong = "This row names no card."
        words.part = _part(values.get("section", ""))
        if aside := values.get("sideboarded", ""):
            _set_aside(words, fold(aside))
        tagged([tag.lstrip("#") for tag in values.get("tags", "").replace(",", " ").replace(";", " ").split()], words)
        return words


def untitled(raw: str, codes: Container[str]) -> Words | None:
    """Return what a row without titles says: ``4,"Starbuck, Hotshot Pilot",BSG1,136`` or ``Fury,4``; or None.

    The quantity stands first or last, or in front of the set.
    """
    for delimiter in DELIMITERS:
        fields = fields_of(raw, delimiter) if delimiter in raw else []
        if len(fields) < 2 or not all(fields):
            continue
        if is_quantity(fields[0]):
            quantity, rest = fields[0], fields[1:]
        elif is_quantity(fields[-1]) and fields[-2].casefold() not in codes:  # "Fury,BSG1,28" has none
            quantity, rest = fields[-1], fields[:-1]
        elif len(fields) > 3 and fields[-2].casefold() in codes and is_quantity(fields[-3]):
            quantity, rest = fields[-3], [*fields[:-3], *fields[-2:]]
        else:
            continue
        printing: tuple[str, int | None] | None = None
        number = whole_number(rest[-1], 4)
        if len(rest) > 2 and rest[-2].casefold() in codes and number is not None:
            printing, rest = (rest[-2], number), rest[:-2]
        elif len(rest) > 1 and rest[-1].casefold() in codes:
            printing, rest = (rest[-1], None), rest[:-1]
        words = table_words(quantity, ", ".join(rest))
        words.printing = printing
        words.numbering = number_of_line(raw)
        words.notes.append(f"Read as a row of a table, with the quantity {words.quantity}.")
        return words
    return None


def fields_of(raw: str, delimiter: str) -> list[str]:
    """Return the fields of a row without the spaces around them; one alone if the quotes in it do not fit."""
    line = raw.strip(" ")
    if delimiter == "|":
        line = line.removeprefix("|").removesuffix("|")
    try:
        rows = list(csv.reader([line], delimiter=delimiter, skipinitialspace=True, strict=True))
    except csv.Error:
        return [raw]
    return [" ".join("".join(c if c.isprintable() else " " for c in one).split()) for one in (rows or [[]])[0]]


def _printing(values: dict[str, str]) -> tuple[str, int | None] | None:
    code, number = values.get("set", "").strip("()[]"), values.get("number", "").lstrip("#")
    if not code:
        code, _, number = values.get("id", "").rpartition("-")
    if not code:
        return None
    return code, whole_number(number, 4)


def _set_aside(words: Words, value: str) -> None:
    """Heed a column such as "Sideboarded": a yes keeps the card out of the deck, a number says too little."""
    if value in ("yes", "true", "y", "x"):
        words.part = "considering"
    elif value not in ("no", "false", "n", "0"):
        words.wrong = "How many of these are not in the deck has to stand on a line of its own, below Considering."


def _part(section: str) -> Part | None:
    """Return the part of the deck that a section name means; unknown names are groups within the main deck."""
    return HEADINGS.get(fold(section), "deck") if section.strip() else None
