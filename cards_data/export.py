"""Card facts as JSON: for the client, which loads all of them once, and for the API."""

from __future__ import annotations

import hashlib
from collections.abc import Iterable
from functools import cache, lru_cache
from pathlib import Path

import msgspec
from msgspec import Struct

import ccg.rules
from cards_data import catalog
from cards_data.catalog import CardData
from cards_data.wording import paid, words_of
from ccg.rules.authoring.card_files import Printing
from ccg.rules.cards.definitions import CardDef, Cost


class KeywordFact(Struct, omit_defaults=True):
    """A printed keyword; ``cost`` is what Expedite asks for, ``link`` what a linked mission attaches to."""

    name: str
    cost: dict[str, int] | None = None
    link: str | None = None


class PrintingFact(Struct):
    """Where and as what a card was printed again."""

    set: str
    number: int
    rarity: str


class CardFacts(Struct, kw_only=True):
    """One card as the client and the API know it; docs/card-files.md tells what each fact is."""

    id: str
    type: str
    title: str
    subtitle: str
    name: str
    traits: tuple[str, ...]
    cost: dict[str, int]
    power: int | None
    threat: int | None
    mystic: int | None
    produces: str | None
    hand: int | None
    influence: int | None
    keywords: list[KeywordFact]
    requires: list[str]
    pending: bool
    set: str
    number: int
    rarity: str
    reprints: list[PrintingFact]
    """Its other printings; ``set``, ``number`` and ``rarity`` are those of the first."""
    text: list[str]
    """The words of its abilities, a paragraph each, as marked text. Keywords and requirement are not repeated."""
    threat_text: str
    """The red text that counts when it is revealed as a Cylon threat, as marked text; empty without."""


class CatalogFile(Struct, frozen=True):
    """The bytes of ``catalog.json`` and the version that names exactly these bytes for ever."""

    version: str
    body: bytes


def card_facts(card: CardDef, printing: Printing, reprints: Iterable[Printing] = ()) -> CardFacts:
    """Return the facts of ``card``, with set, number and rarity of ``printing``, its first one."""
    words = words_of(card)
    return CardFacts(
        id=card.id,
        type=card.type,
        title=card.title,
        subtitle=card.subtitle,
        name=card.name,
        traits=card.traits,
        cost=_amounts(card.cost),
        power=card.power,
        threat=card.threat,
        mystic=card.mystic,
        produces=card.produces,
        hand=card.hand,
        influence=card.influence,
        keywords=[_keyword(card, name) for name in card.keywords],
        requires=[str(one) for one in card.requires],
        pending=card.ability_pending,
        set=printing.set,
        number=printing.number,
        rarity=printing.rarity,
        reprints=[PrintingFact(one.set, one.number, one.rarity) for one in reprints],
        text=words.text,
        threat_text=" ".join(words.red),
    )


def current_file() -> CatalogFile:
    """Return ``catalog.json`` of the newest data version."""
    return catalog_file(catalog.data())


@lru_cache(maxsize=catalog.KEPT)
def catalog_file(data: CardData) -> CatalogFile:
    """Return ``catalog.json`` of one data version."""
    version = public_version(data)
    return CatalogFile(version, msgspec.json.encode({"version": version, "cards": all_facts(data)}))


@lru_cache(maxsize=2)
def all_facts(data: CardData) -> dict[str, CardFacts]:
    """Return the facts of all cards of one data version, by id.

    Making them says every card in words, which takes some tenths of a second.
    """
    again: dict[str, list[Printing]] = {}
    for printing in data.printings:
        if printing.id != printing.card:
            again.setdefault(printing.card, []).append(printing)
    return {card.id: card_facts(card, data.first_printings[card.id], again.get(card.id, ())) for card in data.catalog}


def public_version(data: CardData | None = None) -> str:
    """Return the version that pages name in their ``catalog-version`` meta element: of ``data``, or the newest."""
    return _version(catalog.data() if data is None else data)


@lru_cache(maxsize=catalog.KEPT)
def _version(data: CardData) -> str:
    """Return the fingerprint of the cards, and a hash of all that ``catalog.json`` is made from.

    The words on a card can become better without the card having changed, and browsers keep a version for ever. So
    the program counts too; what it makes need not be made to know the version.
    """
    made_from = hashlib.sha256(_program())
    made_from.update(data.encode())
    return f"{data.fingerprint}-{made_from.hexdigest()[:8]}"


@cache
def _program() -> bytes:
    """Return a hash of the program that says cards in words: the rules, and this app."""
    digest = hashlib.sha256()
    for folder in (Path(ccg.rules.__file__).parent, Path(__file__).parent):
        for file in sorted([*folder.rglob("*.py"), *folder.glob("*.json")]):
            digest.update(file.read_bytes())
    return digest.digest()


def _keyword(card: CardDef, name: str) -> KeywordFact:
    if name == "expedite" and card.expedite:
        return KeywordFact(name, cost=_amounts(card.expedite))
    return KeywordFact(name, link=card.link if name == "link" else None)


def _amounts(cost: Cost) -> dict[str, int]:
    return dict(paid(cost))
