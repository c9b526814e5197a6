"""The cards as the rules need them, read from the newest data version or an older one.

Every process keeps the versions it has used. Asking which is the newest costs one small query, and that
is what makes an import known everywhere at once, without a message that could be lost.
"""

from __future__ import annotations

import hashlib
import json
from collections import OrderedDict
from collections.abc import Collection, Iterable
from functools import cached_property
from threading import Lock

import msgspec

from cards_data.models import Card, DataVersion
from cards_data.older import up_to_date
from ccg.rules.authoring.card_files import CardSet, Printing
from ccg.rules.cards.definitions import CardDef, Catalog
from ccg.rules.decoding import Decoder
from ccg.rules.effects.language import read_special

KEPT = 8
"""How many versions a process keeps in memory; each is about a megabyte."""


class UnknownVersion(LookupError):
    """There is no data version of this number or fingerprint."""


class CardData:
    """One data version: its sets, printings and catalogue. Immutable; shared by all threads."""

    def __init__(self, number: int, sets: Iterable[CardSet]) -> None:
        """Take the sets in any order; number 0 is the empty database before the first import."""
        self.number = number
        self.sets: tuple[CardSet, ...] = tuple(sorted(sets, key=lambda one: (one.year, one.code)))
        self.catalog = Catalog(card for one in self.sets for card in one.cards)

    @property
    def fingerprint(self) -> str:
        """What tells these cards from others; the same as ``catalog.fingerprint``."""
        return self.catalog.fingerprint

    @cached_property
    def printings(self) -> tuple[Printing, ...]:
        """All printings, by set and number."""
        return tuple(printing for one in self.sets for printing in one.printings)

    @cached_property
    def first_printings(self) -> dict[str, Printing]:
        """The first printing of each card, by card id."""
        return {printing.card: printing for printing in self.printings if printing.id == printing.card}

    def with_sets(self, sets: Iterable[CardSet]) -> CardData:
        """Return the next version of the card data, in which ``sets`` replace the sets with the same codes."""
        replacements = {one.code: one for one in sets}
        return CardData(
            self.number + 1, [*(one for one in self.sets if one.code not in replacements), *replacements.values()]
        )

    def encode(self) -> bytes:
        """Return the sets as the bytes that :func:`decode` reads: the same sets, the same bytes."""
        return msgspec.json.encode(self.sets)


_SETS = Decoder(tuple[CardSet, ...], read_special)
_kept: OrderedDict[tuple[int, str], CardData] = OrderedDict()
_lock = Lock()


def current() -> Catalog:
    """Return the catalogue of the newest data version; an empty one before the first import."""
    return data().catalog


def version(number: int) -> Catalog:
    """Return the catalogue of data version ``number``; raises :class:`UnknownVersion`."""
    return data(number).catalog


def current_number() -> int:
    """Return the number of the newest data version; 0 before the first import."""
    return DataVersion.objects.values_list("number", flat=True).first() or 0


def data(number: int | None = None) -> CardData:
    """Return data version ``number``, or the newest; raises :class:`UnknownVersion`."""
    rows = DataVersion.objects.all() if number is None else DataVersion.objects.filter(number=number)
    version = rows.values_list("number", "digest").first()
    if version is None:
        if number:
            raise UnknownVersion(f"there is no data version {number}")
        return CardData(0, ())
    return _load(*version)


def with_fingerprint(fingerprint: str) -> CardData:
    """Return the newest data version with these cards; raises :class:`UnknownVersion`."""
    # PostgreSQL refuses to compare with some signs, and no fingerprint has them.
    versions = (
        DataVersion.objects.filter(fingerprint=fingerprint) if fingerprint.isalnum() else DataVersion.objects.none()
    )
    version = versions.values_list("number", "digest").first()
    if version is None:
        raise UnknownVersion(f"there is no data version {fingerprint!r}")
    return _load(*version)


def withdrawn(card_ids: Collection[str]) -> dict[str, CardDef]:
    """Return those of the cards that have gone from the catalogue, as they last were: old decks still name them."""
    rows = Card.objects.filter(pk__in=card_ids, withdrawn=True) if card_ids else ()
    return {row.id: row.definition for row in rows}


def last_with(card_id: str) -> CardData:
    """Return the newest data version that has this card; raises :class:`UnknownVersion` if none ever had."""
    newest = data()
    if card_id in newest.catalog:
        return newest
    for number, changes in DataVersion.objects.values_list("number", "changes").iterator():
        if card_id in changes.get("gone", ()):
            return data(number - 1)
    raise UnknownVersion(f"no data version has the card {card_id!r}")


def decode(number: int, content: bytes) -> CardData:
    """Read what :meth:`CardData.encode` wrote, now or in an older release.

    Raises :class:`msgspec.DecodeError` for what it did not write: damaged bytes, or nested without end.
    """
    try:
        return CardData(number, _SETS.from_plain(up_to_date(json.loads(content))))
    except (json.JSONDecodeError, RecursionError, UnicodeError) as error:
        raise msgspec.DecodeError(f"data version {number} is damaged: {error}") from error


def digest(content: bytes) -> str:
    """Return the hash by which contents are compared."""
    return hashlib.sha256(content).hexdigest()


def _load(number: int, content_digest: str) -> CardData:
    # Number and digest together are the key: a rolled back transaction can give a number anew.
    key = (number, content_digest)
    with _lock:
        if key in _kept:
            _kept.move_to_end(key)
            return _kept[key]
    content = DataVersion.objects.values_list("content", flat=True).get(number=number)
    read = decode(number, bytes(content))
    with _lock:
        _kept[key] = read
        while len(_kept) > KEPT:
            _kept.popitem(last=False)
    return read
