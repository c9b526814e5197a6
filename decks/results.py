"""What has come of matches: games and wins by list, and copied to the decks that have that list now.

A result belongs to the content of a list, so equal lists share it, and a deck that goes back to an older list has what
that had. Only matches of two people with different lists are counted: a table of three is won less often, and what one
list does against itself says nothing of it. :mod:`matches.results` tells which matches those are.
"""

from __future__ import annotations

from collections.abc import Collection, Mapping
from typing import Any

from django.db import transaction

from decks.models import Deck, ListRecord
from decks.winning import Record

NONE = Record()


def count(winner: str, loser: str, *, drawn: bool = False) -> None:
    """Count a match between lists with these content hashes; of one that is ``drawn``, neither has won.

    Has to be in the transaction that notes that the match is counted.
    """
    with transaction.atomic():
        # In one order, so that two matches between the same lists do not wait for each other.
        for list_hash in sorted((winner, loser)):
            ListRecord.objects.get_or_create(content_hash=list_hash)
            row = ListRecord.objects.select_for_update().get(content_hash=list_hash)
            row.games += 1
            row.won += list_hash == winner and not drawn
            row.save()
            Deck.objects.filter(head__content_hash=list_hash).update(**columns(Record(row.games, row.won)))


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
