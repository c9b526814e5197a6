"""Card facts as JSON: for the client, which loads all of them once, and for the API."""

from __future__ import annotations

import hashlib
from functools import lru_cache

import msgspec
from msgspec import Struct

from cards_data import catalog
from cards_data.catalog import CardData
from cards_data.wording import paid, words_of
from ccg.rules.cardfiles import Printing
from ccg.rules.cards import CardDef, Cost


class KeywordFact(Struct, omit_defaults=True):
    """A printed keyword; ``cost`` is what Expedite asks for, ``link`` what a linked mission attaches to."""

    name: str
    cost: dict[str, int] | None = None
    link: str | None = None


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
    text: list[str]
    """The words of its abilities, a paragraph each, as marked text. Keywords and requirement are not repeated."""
    threat_text: str
    """The red text that counts when it is revealed as a Cylon threat, as marked text; empty without."""


class CatalogFile(Struct, frozen=True):
    """The bytes of ``catalog.json`` and the version that names exactly these bytes for ever."""

    version: str
    body: bytes


def card_facts(card: CardDef, printing: Printing) -> CardFacts:
    """Give the facts of ``card``, with set, number and rarity of ``printing`` (its first one)."""
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
        text=words.text,
        threat_text=" ".join(words.red),
    )


def current_file() -> CatalogFile:
    """Give ``catalog.json`` of the newest data version."""
    return catalog_file(catalog.data())


@lru_cache(maxsize=catalog.KEPT)
def catalog_file(data: CardData) -> CatalogFile:
    """Give ``catalog.json`` of one data version.

    Its version is the fingerprint of the cards and a hash of what we make of them: the words on a card
    can become better without the card having changed, and browsers keep a version for ever.
    """
    cards = {card.id: card_facts(card, data.first_printings[card.id]) for card in data.catalog}
    said = hashlib.sha256(msgspec.json.encode(cards)).hexdigest()[:8]
    version = f"{data.fingerprint}-{said}"
    return CatalogFile(version, msgspec.json.encode({"version": version, "cards": cards}))


def public_version(data: CardData | None = None) -> str:
    """Give the version that pages name in their ``catalog-version`` meta element: of ``data``, or the newest."""
    return (current_file() if data is None else catalog_file(data)).version


def _keyword(card: CardDef, name: str) -> KeywordFact:
    if name == "expedite" and card.expedite:
        return KeywordFact(name, cost=_amounts(card.expedite))
    return KeywordFact(name, link=card.link if name == "link" else None)


def _amounts(cost: Cost) -> dict[str, int]:
    return dict(paid(cost))
