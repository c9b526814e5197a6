"""Import of card sets: read everything, check everything, then change everything or nothing.

One import that changes something makes one new data version. Whoever must act on it (decks, whose
legality may be another) connects to :data:`after_import`.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from pathlib import Path

import msgspec
from django.db import transaction
from django.db.models import Model
from django.dispatch import Signal
from msgspec import Struct

from cards_data import catalog
from cards_data.catalog import CardData
from cards_data.models import Card, DataVersion, Printing, Set
from ccg.rules.cardfiles import CardFileError, CardSet, read_sets, set_folders
from ccg.rules.cards import RESOURCES, CardDef

after_import = Signal()
"""Sent with ``version`` (the new :class:`DataVersion`) and ``changes`` (:class:`Changes`), inside the
transaction of the import: what a receiver writes, such as an outbox row, is kept or lost together with
the cards, and a receiver that raises undoes the import."""


class FieldChange(Struct, frozen=True):
    """One fact of a card, before and after, as words."""

    field: str
    before: str
    after: str


class CardChange(Struct, frozen=True):
    """What an import changed on one card."""

    card: str
    name: str
    fields: tuple[FieldChange, ...]


class Changes(Struct, frozen=True, kw_only=True):
    """What an import did: cards and printings by id, sets by code."""

    new: tuple[str, ...] = ()
    changed: tuple[CardChange, ...] = ()
    gone: tuple[str, ...] = ()
    unchanged: int = 0
    new_printings: tuple[str, ...] = ()
    changed_printings: tuple[str, ...] = ()
    gone_printings: tuple[str, ...] = ()
    new_sets: tuple[str, ...] = ()
    changed_sets: tuple[str, ...] = ()

    @property
    def nothing(self) -> bool:
        """Whether everything was there already."""
        return not any(getattr(self, field) for field in self.__struct_fields__ if field != "unchanged")


class Imported(Struct, frozen=True, kw_only=True):
    """The outcome of an import; ``version`` is None where nothing changed."""

    sets: tuple[CardSet, ...]
    changes: Changes
    version: DataVersion | None


def import_sets(paths: Sequence[Path], source: str = "") -> Imported:
    """Import every set in ``paths`` (set folders, or folders of set folders) over what is stored.

    Raises :class:`~ccg.rules.cardfiles.CardFileError` with all problems, before anything is written.
    Sets that are not in ``paths`` stay as they are; a card missing from its set's files is withdrawn:
    out of the catalogue, kept in the tables for old decks.
    """
    folders = set_folders(*paths)
    with transaction.atomic():
        # The newest version is locked, so that of two imports at once the second builds on the first.
        list(DataVersion.objects.select_for_update().values_list("number", flat=True)[:1])
        before = catalog.data()
        read = read_sets(folders, before.sets)
        codes = {one.code for one in read}
        after = CardData(before.number + 1, [*(one for one in before.sets if one.code not in codes), *read])
        changes = compare(before, after, codes)
        if changes.nothing:
            return Imported(sets=tuple(read), changes=changes, version=None)
        _refuse_reassigned(after)
        row = _store(after, changes, source or ", ".join(sorted(codes)))
        after_import.send(sender=DataVersion, version=row, changes=changes)
    return Imported(sets=tuple(read), changes=changes, version=row)


def compare(before: CardData, after: CardData, codes: set[str] | None = None) -> Changes:
    """Give what changes from ``before`` to ``after``; ``unchanged`` counts cards of the sets ``codes`` only."""
    old, new = ({card.id: card for card in one.catalog} for one in (before, after))
    changed = [
        CardChange(card.id, card.name, _fields(old[card.id], card))
        for card in after.catalog
        if card.id in old and card != old[card.id]
    ]
    looked_at = [c.id for one in after.sets if codes is None or one.code in codes for c in one.cards]
    old_printings, new_printings = ({p.id: p for p in one.printings} for one in (before, after))
    old_sets, new_sets = ({s.code: (s.name, s.year) for s in one.sets} for one in (before, after))
    return Changes(
        new=tuple(sorted(new.keys() - old.keys())),
        changed=tuple(changed),
        gone=tuple(sorted(old.keys() - new.keys())),
        unchanged=sum(1 for card_id in looked_at if card_id in old and old[card_id] == new[card_id]),
        new_printings=tuple(sorted(new_printings.keys() - old_printings.keys())),
        changed_printings=_differing(old_printings, new_printings),
        gone_printings=tuple(sorted(old_printings.keys() - new_printings.keys())),
        new_sets=tuple(sorted(new_sets.keys() - old_sets.keys())),
        changed_sets=_differing(old_sets, new_sets),
    )


def _differing(old: Mapping[str, object], new: Mapping[str, object]) -> tuple[str, ...]:
    return tuple(sorted(key for key in old.keys() & new.keys() if old[key] != new[key]))


def _fields(before: CardDef, after: CardDef) -> tuple[FieldChange, ...]:
    return tuple(
        FieldChange(name, in_words(getattr(before, name)), in_words(getattr(after, name)))
        for name in CardDef.__struct_fields__
        if getattr(before, name) != getattr(after, name)
    )


def in_words(value: object) -> str:
    """Give a fact as a person would say it: "2 security", "Cylon, Pilot", "no", "none"."""
    match value:
        case None | "" | ():
            return "none"
        case bool():
            return "yes" if value else "no"
        case (int(), int(), int()):
            said = [f"{n} {resource}" for n, resource in zip(value, RESOURCES, strict=True) if n]
            return " and ".join(said) or "none"
        case tuple():
            return ", ".join(str(one) for one in value)
        case _:
            return str(value)


def _refuse_reassigned(after: CardData) -> None:
    """Refuse a printing id that once meant another card: decks and replays may still name it."""
    once = dict(Printing.objects.values_list("id", "card_id"))
    problems = [
        f"{printing.id} was a printing of {once[printing.id]} and cannot become one of {printing.card}"
        for printing in after.printings
        if once.get(printing.id, printing.card) != printing.card
    ]
    if problems:
        raise CardFileError(problems)


def _store(after: CardData, changes: Changes, source: str) -> DataVersion:
    content = after.encode()
    _upsert(Set, [Set(code=one.code, name=one.name, year=one.year) for one in after.sets], "code")
    _upsert(Card, [Card.from_definition(card) for card in after.catalog], "id")
    _upsert(
        Printing,
        [
            Printing(id=one.id, card_id=one.card, set_id=one.set, number=one.number, rarity=one.rarity)
            for one in after.printings
        ],
        "id",
    )
    Printing.objects.filter(id__in=changes.gone_printings).update(withdrawn=True)
    Card.objects.filter(id__in=changes.gone).update(withdrawn=True)
    return DataVersion.objects.create(
        number=after.number,
        fingerprint=after.fingerprint,
        digest=catalog.digest(content),
        source=source[:200],
        changes=msgspec.to_builtins(changes),
        content=content,
    )


def _upsert(model: type[Set] | type[Card] | type[Printing], rows: Sequence[Model], key: str) -> None:
    """Write ``rows`` over those with the same key: no row loses its id, so what refers to it stays whole."""
    names = [field.name for field in model._meta.concrete_fields if field.name != key]  # noqa: SLF001
    model.objects.bulk_create(rows, update_conflicts=True, unique_fields=[key], update_fields=names)
