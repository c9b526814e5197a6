"""Import of card sets: read everything, check everything, then change everything or nothing.

One import that changes something makes one new data version. Whoever must act on it (decks, whose
legality may be another) connects to :data:`after_import`.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from pathlib import Path
from typing import Any

import msgspec
from django.db import transaction
from django.db.models import Model
from django.dispatch import Signal
from msgspec import Struct

from cards_data import audit, catalog, proposals
from cards_data.catalog import CardData
from cards_data.changes import Changes
from cards_data.models import AuditEntry, Card, DataVersion, Printing, Set
from cards_data.proposals import Proposal
from ccg.rules.authoring.card_files import CardFileError, CardSet
from ccg.rules.authoring.records import Problem

after_import = Signal()
"""Sent with ``version`` (the new :class:`DataVersion`) and ``changes`` (:class:`Changes`), inside the
transaction of the import: what a receiver writes, such as an outbox row, is kept or lost together with
the cards, and a receiver that raises undoes the import."""


class Rows(Struct, frozen=True):
    """All rows of some card data, not yet saved."""

    sets: list[Set]
    cards: list[Card]
    printings: list[Printing]


class Imported(Struct, frozen=True, kw_only=True):
    """The outcome of an import; ``version`` is None where nothing changed."""

    proposal: Proposal
    version: DataVersion | None

    @property
    def changes(self) -> Changes:
        """What it changed."""
        return self.proposal.changes

    @property
    def sets(self) -> tuple[CardSet, ...]:
        """What was imported."""
        return self.proposal.checked.sets


def import_sets(
    paths: Sequence[Path],
    source: str = "",
    author: Any = None,
    proposal: Proposal | None = None,
    removing: int | None = None,
) -> Imported:
    """Import every set in ``paths`` (set folders, folders of set folders, YAML files, zips) over what is stored.

    Raises :class:`~ccg.rules.authoring.card_files.CardFileError` with all problems, before anything is written.
    Sets that are not in ``paths`` stay as they are; a card missing from its set's files is withdrawn:
    out of the catalogue, kept in the tables for old decks. ``proposal`` is what was found out before, if it was.
    ``removing`` is how many cards may go, no more and no fewer, if that is to be asked.
    """
    proposal = proposal or proposals.of_paths(paths, catalog.data())
    while True:
        rows = None if proposal.problems or proposal.changes.nothing else rows_of(proposal.after)
        with newest() as before:
            if before.number == proposal.before.number:
                return _carry_out(proposal, source or proposal.codes, author, removing, rows)
        # Somebody else's import came between; nothing is locked while files are read.
        proposal = proposals.of_paths(paths, before)


def _carry_out(proposal: Proposal, source: str, author: Any, removing: int | None, rows: Rows | None) -> Imported:
    if proposal.problems:
        raise CardFileError(proposal.problems)
    if removing is not None and not proposal.changes.agreed(removing):
        raise CardFileError([Problem(text=proposal.changes.why_not(f"say --remove {len(proposal.changes.gone)}"))])
    version = None
    if not proposal.changes.nothing:
        version = store(proposal.after, proposal.changes, source=source, author=author, rows=rows)
        audit.note(author, AuditEntry.What.PUBLISHED, version=version, source=version.source)
    return Imported(proposal=proposal, version=version)


@contextmanager
def newest() -> Iterator[CardData]:
    """Yield the newest card data, in a transaction in which they stay the newest.

    The row is locked, so that of two imports at once the second builds on the first.
    """
    with transaction.atomic():
        list(DataVersion.objects.select_for_update().values_list("number", flat=True)[:1])
        yield catalog.data()


def rows_of(data: CardData) -> Rows:
    """Return the rows of ``data``.

    Of thousands of cards that takes seconds, so it is done before :func:`newest`: on SQLite all tables wait for that.
    """
    return Rows(
        [Set(code=one.code, name=one.name, year=one.year) for one in data.sets],
        [Card.from_definition(card) for card in data.catalog],
        [
            Printing(id=one.id, card_id=one.card, set_id=one.set, number=one.number, rarity=one.rarity)
            for one in data.printings
        ],
    )


def store(
    after: CardData,
    changes: Changes,
    *,
    source: str,
    author: Any = None,
    restores: int | None = None,
    rows: Rows | None = None,
) -> DataVersion:
    """Write ``after`` as the newest data version, and tell those who wait for it. Called inside :func:`newest`.

    ``rows`` are those of ``after``, if they have been made before.
    """
    content, rows = after.encode(), rows or rows_of(after)
    _upsert(Set, rows.sets, "code")
    _upsert(Card, rows.cards, "id")
    _upsert(Printing, rows.printings, "id")
    Printing.objects.filter(id__in=changes.gone_printings).update(withdrawn=True)
    Card.objects.filter(id__in=changes.gone).update(withdrawn=True)
    version = DataVersion.objects.create(
        number=after.number,
        fingerprint=after.fingerprint,
        digest=catalog.digest(content),
        author=author,
        restores=restores,
        source=source[:200],
        changes=msgspec.to_builtins(changes),
        content=content,
    )
    after_import.send(sender=DataVersion, version=version, changes=changes)
    return version


_FOLDED = ("folded", "folded_title", "folded_text", "folded_requires")


def renew_words() -> int:
    """Write names and words of all cards anew for the search, as both can become better without an import.

    Returns how many cards had others.
    """
    stale = []
    for row in Card.objects.filter(withdrawn=False):
        now = Card.from_definition(row.definition)
        changed = [name for name in _FOLDED if getattr(row, name) != getattr(now, name)]
        for name in changed:
            setattr(row, name, getattr(now, name))
        if changed:
            stale.append(row)
    Card.objects.bulk_update(stale, _FOLDED)
    return len(stale)


def _upsert(model: type[Set] | type[Card] | type[Printing], rows: Sequence[Model], key: str) -> None:
    """Write ``rows`` over those with the same key: no row loses its id, so what refers to it stays whole."""
    names = [field.name for field in model._meta.concrete_fields if field.name != key]  # noqa: SLF001
    model.objects.bulk_create(rows, update_conflicts=True, unique_fields=[key], update_fields=names)
