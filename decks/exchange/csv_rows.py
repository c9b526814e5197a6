"""CSV, for spreadsheets: a row for each card. The text form's reader takes tables."""

from __future__ import annotations

import csv
import io
import re
from collections.abc import Iterable

from decks.exchange.form import Form, entries_of
from decks.lists.deck_list import DeckList
from decks.lists.names import Names
from decks.lists.textlist import MAX_QUANTITY

TITLES = ("quantity", "name", "set", "number", "section", "tags")


def write(deck: DeckList, names: Names, most: int = MAX_QUANTITY) -> str:
    """Return ``deck`` as CSV with titles; a count above ``most``, which a line may say, is several rows."""
    written = io.StringIO()
    rows = csv.writer(written, lineterminator="\n")
    rows.writerow(TITLES)
    for one in entries_of(deck, names):
        code, number = one.printing or ("", "")
        whole, rest = divmod(one.quantity, most)
        for quantity in [most] * whole + [rest] * bool(rest):
            rows.writerow((quantity, one.name, code, number, one.part, _tags(one.tags)))
    return written.getvalue()


def _tags(tags: Iterable[str]) -> str:
    """Return tags as they stand in one field: each behind a #, as in the text form.

    Spreadsheets take what begins with =, +, - or @ for a formula and work it out, also behind a sign at which they
    divide a row. Whoever opens the file has not written the tags of others' decks.
    """
    return " ".join(f"#{word}" for tag in tags for word in re.split("[,;]", tag) if word)


FORM = Form(
    code="csv",
    name="CSV",
    told="A row for each card, for spreadsheets.",
    extension="csv",
    media_type="text/csv",
    holds=frozenset({"considering", "tags"}),
    write=write,
)
