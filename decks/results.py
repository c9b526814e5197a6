"""What has come of matches: games and wins by list, and copied to the decks that have that list now.

A result belongs to the content of a list, so equal lists share it, and a deck that goes back to an older list has what
that had. Which matches count for a list is settled by :mod:`matches.statistics`, whose numbers these are.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from django.db import transaction

from decks.lists.winning import Record
from decks.models import Deck, ListRecord

NONE = Record()


def count(won: Mapping[str, bool]) -> None:
    """Count a match for the lists with these content hashes, and whether each of them has won it.

    Has to be in the transaction that notes that the match is counted.
    """
    with transaction.atomic():
        # In one order, so that two matches between the same lists do not wait for each other.
        for list_hash in sorted(won):
            ListRecord.objects.get_or_create(content_hash=list_hash)
            row = ListRecord.objects.select_for_update().get(content_hash=list_hash)
            row.games += 1
            row.won += won[list_hash]
            row.save()
            Deck.objects.filter(head__content_hash=list_hash).update(**columns(Record(row.games, row.won)))


def put(records: Mapping[str, Record]) -> None:
    """Store these records, by content hash, in the place of all that there are; inside a transaction."""
    ListRecord.objects.all().delete()
    Deck.objects.exclude(games=0).update(**columns(NONE))
    ListRecord.objects.bulk_create(ListRecord(content_hash=one, games=r.games, won=r.won) for one, r in records.items())
    for list_hash, record in records.items():
        Deck.objects.filter(head__content_hash=list_hash).update(**columns(record))


def all_records() -> dict[str, Record]:
    """Return every record, by content hash."""
    return {row.content_hash: Record(row.games, row.won) for row in ListRecord.objects.all()}


def columns(record: Record) -> dict[str, Any]:
    """Return what the row of a deck says of the record of its list."""
    return {"games": record.games, "winrate": record.winrate, "standing": record.standing}


def of(list_hash: str) -> Record:
    """Return the record of the list with this content hash."""
    return of_each([list_hash])[list_hash]


def of_each(hashes: Collection[str]) -> Mapping[str, Record]:
    """Return the records of the lists with these content hashes."""
    found = ListRecord.objects.filter(content_hash__in=set(hashes))
    return dict.fromkeys(hashes, NONE) | {row.content_hash: Record(row.games, row.won) for row in found}
