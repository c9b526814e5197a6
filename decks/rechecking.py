"""The legality of many stored versions, looked at anew in batches: each different list once, and few statements.

What is stored is only a cache for lists of decks (:mod:`decks.background`), so that a batch needs no lock: a deck that
changes its format meanwhile keeps what was found for its new one.
"""

from __future__ import annotations

import json
from collections.abc import Iterable
from typing import Any

import msgspec
from django.db import transaction
from django.db.models import Exists, OuterRef
from django.utils import timezone
from msgspec import Struct

from cards_data import catalog as cards_data
from decks import formats
from decks.lists import legality
from decks.models import Deck, DeckVersion


class _Row(Struct, frozen=True):
    """What is read of a version."""

    pk: int
    format: str
    base: str
    counts: dict[str, int]
    content: str
    legal: bool
    problems: list[Any]

    @property
    def bases(self) -> list[str]:
        """The base as legality wants it: none or one."""
        return [self.base] if self.base else []


_COLUMNS = ("pk", "deck__format", "base", "counts", "content_hash", "legal", "problems")


def recheck_all(after: int = 0, limit: int | None = None) -> int | None:
    """Look at the legality of all versions anew, from the id after ``after`` on, at most ``limit`` of them.

    Return the id of the last one, or None when there are no more. Safe to run twice.
    """
    chosen = DeckVersion.objects.filter(pk__gt=after).order_by("pk").values_list(*_COLUMNS)[:limit]
    rows = [_Row(*values) for values in chosen]
    if not rows:
        return None
    number, changed = _looked_at(rows)
    with transaction.atomic():
        for (format_code, told), pks in changed.items():
            problems = json.loads(told)
            # Asked of each row by itself: as a join, SQLite would look through all decks of the format.
            still = Exists(Deck.objects.filter(pk=OuterRef("deck"), format=format_code))
            DeckVersion.objects.filter(still, pk__in=pks).update(legal=not problems, problems=problems)
        checked = DeckVersion.objects.filter(pk__in=[row.pk for row in rows])
        checked.update(checked_at=timezone.now(), checked_with=number)
    return rows[-1].pk


def _looked_at(rows: list[_Row]) -> tuple[int, dict[tuple[str, str], list[int]]]:
    """Return the data version of the cards, and which rows are stored with other problems than they have.

    Those are by their format and by their problems as JSON.
    """
    cards, day = cards_data.data(), timezone.localdate()
    rules = {code: formats.rules_of(code, cards, day) for code in {row.format for row in rows}}
    withdrawn = cards_data.withdrawn(_named(rows) - cards.catalog.index.keys())
    known: dict[tuple[str, str], list[Any]] = {}
    changed: dict[tuple[str, str], list[int]] = {}
    for row in rows:
        key = row.format, row.content
        if key not in known:
            found = legality.check(row.bases, row.counts, rules[row.format], cards.catalog, day, withdrawn)
            known[key] = msgspec.to_builtins(found)
        problems = known[key]
        if (row.legal, row.problems) != (not problems, problems):
            changed.setdefault((row.format, json.dumps(problems)), []).append(row.pk)
    return cards.number, changed


def _named(rows: Iterable[_Row]) -> set[str]:
    """Return the ids of all cards in these lists."""
    return {card for row in rows for card in (*row.bases, *row.counts)}
