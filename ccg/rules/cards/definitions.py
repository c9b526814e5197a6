"""Cards: what is printed on them, and the catalogue of all of them.

A :class:`CardDef` holds the facts of one card and is immutable and shared; nothing of it is copied
into a running game. Rulebook: Card Types, Playing Cards, Keywords, Glossary (name, title, singular).
"""

from __future__ import annotations

import hashlib
import re
import unicodedata
from collections.abc import Iterable, Iterator
from typing import Any, Literal, NamedTuple

import msgspec
from msgspec import Struct

from ccg.rules.cards.schema import Ability

CardType = Literal["base", "personnel", "ship", "event", "mission"]
Resource = Literal["persuasion", "logistics", "security"]
KeywordName = Literal[
    "expedite", "link", "manipulate", "persistent", "scramble", "sniper", "strafe", "vision", "vulnerable"
]
LinkKind = Literal["personnel", "ship", "unit"]
Cost = tuple[int, int, int]
"""Amounts of persuasion, logistics and security, in that order."""

RESOURCES: tuple[Resource, ...] = ("persuasion", "logistics", "security")
UNIT_TYPES: tuple[CardType, ...] = ("personnel", "ship")
FREE: Cost = (0, 0, 0)


class Keyword(NamedTuple):
    """What is true of a keyword wherever it stands; what it does is told by the rulebook's modules.

    It is printed on cards of the types ``on``; a card file may have to say more with it, as in the example ``says``;
    a mission with one that ``stays`` lies in play after it is resolved. Rulebook: Keywords.
    """

    on: tuple[CardType, ...] = UNIT_TYPES
    says: str = ""
    stays: bool = False


KEYWORDS: dict[KeywordName, Keyword] = {
    "expedite": Keyword(("event", "personnel", "ship"), says="{expedite: {persuasion: 1}}"),
    "link": Keyword(("mission",), says="{link: personnel}, ship or unit", stays=True),
    "manipulate": Keyword(),
    "persistent": Keyword(("mission",), stays=True),
    "scramble": Keyword(),
    "sniper": Keyword(),
    "strafe": Keyword(),
    "vision": Keyword(),
    "vulnerable": Keyword(),
}
"""Every keyword. What else is to be said of one: its name in telling/wording/english.py, its meaning in
cards_data/keywords.json, and to a computer player its worth in matches/players/weights.py.
"""

PLAIN_KEYWORDS: tuple[KeywordName, ...] = tuple(name for name, keyword in KEYWORDS.items() if not keyword.says)
"""Keywords with which a card file says nothing more."""

UNIT_KEYWORDS: tuple[KeywordName, ...] = tuple(name for name, keyword in KEYWORDS.items() if keyword.on == UNIT_TYPES)
"""Keywords of units, which a unit can also gain."""

_STAYING = frozenset(name for name, keyword in KEYWORDS.items() if keyword.stays)
REQUIRED_TYPES: tuple[Literal["personnel", "ship"], ...] = ("personnel", "ship")


class Requirement(Struct, frozen=True):
    """One unit that a mission asks for: ``trait`` and ``type`` that it must have ("" asks nothing).

    "Civilian unit" is ``Requirement("Civilian", "")``, "ship" is ``Requirement("", "ship")``,
    "Cylon personnel" is ``Requirement("Cylon", "personnel")``. Rulebook: Resolve a Mission.
    """

    trait: str = ""
    type: Literal["", "personnel", "ship"] = ""

    def __str__(self) -> str:
        return " ".join(filter(None, (self.trait, self.type or ("unit" if self.trait in _TRAITS_OF_BOTH else ""))))


_TRAITS_OF_BOTH = {"", "Civilian", "Cylon"}
"""Traits that both personnel and ships have: a mission asks for such a "unit", and for a "Pilot" alone."""


def requirement(phrase: str) -> Requirement:
    """Read "Officer", "ship", "Civilian unit" or "Cylon personnel", one unit each; raises ValueError."""
    *words, last = phrase.split() or [""]
    kind = next((unit for unit in REQUIRED_TYPES if unit == last), None)
    if kind is None and last != "unit":
        words.append(last)
    if not phrase.strip() or len(phrase) > 40 or any(not word[:1].isupper() for word in words):
        raise ValueError(f"{phrase[:50]!r} is neither a trait, personnel, ship nor unit")
    return Requirement(" ".join(words), kind or "")


class CardDef(Struct, frozen=True, kw_only=True):
    """The facts printed on one card. ``id`` is permanent: that of its first printing (set code, dash, number).

    Numbers that are not printed are 0 (the cost of a mission or base) or None (``power`` of an event,
    ``mystic`` of a base); ``cost`` is persuasion, logistics, security.
    """

    id: str
    type: CardType
    title: str = ""
    subtitle: str = ""
    traits: tuple[str, ...] = ()
    cost: Cost = FREE
    power: int | None = None
    threat: int | None = None
    mystic: int | None = None
    produces: Resource | None = None
    hand: int | None = None
    influence: int | None = None
    keywords: tuple[KeywordName, ...] = ()
    expedite: Cost | None = None
    link: LinkKind | None = None
    requires: tuple[Requirement, ...] = ()
    abilities: tuple[Ability, ...] = ()
    ability_pending: bool = False
    """The printed card has an ability that is not yet told in the ability language."""

    @property
    def name(self) -> str:
        """The full name: title and subtitle, as far as there are (Glossary: name)."""
        return ", ".join(filter(None, (self.title, self.subtitle)))

    @property
    def singular(self) -> bool:
        """Whether it has both title and subtitle (Glossary: singular)."""
        return bool(self.title and self.subtitle)

    @property
    def is_unit(self) -> bool:
        """Whether it is a personnel or a ship (Glossary: unit)."""
        return self.type in UNIT_TYPES


def stays_in_play(kind: CardType, keywords: Iterable[str]) -> bool:
    """Return whether a card of the type ``kind`` lies in play while its text works: no event, and few missions."""
    return kind != "event" and (kind != "mission" or bool(_STAYING.intersection(keywords)))


_DASHES = re.compile("[\u2010-\u2015\u2212]")
_INITIALS = re.compile(r"\b[a-z](?: [a-z]\b)+")


def fold(name: str) -> str:
    """Return ``name`` in the form in which names are compared: no case, accents or punctuation.

    Initials stand together, with or without stops between them: "I.H.T." and "IHT" are the same. Accents that stand
    alone are apostrophes, and dashes of any length part words as hyphens do.
    """
    plain = unicodedata.normalize("NFKD", name.replace("\u00b4", "'").replace("`", "'").casefold())
    plain = _DASHES.sub("-", plain).encode("ascii", "ignore").decode().lower()
    words = " ".join("".join(c if c.isalnum() else " " for c in plain.replace("'", "")).split())
    return _INITIALS.sub(lambda found: found[0].replace(" ", ""), words)


def _fingerprint(cards: Iterable[CardDef]) -> str:
    """Hash what the cards say. Defaults are left out, so that a new field with a default changes nothing:

    the cards of an old data version, read back by newer code, keep the fingerprint that saved games name.
    """
    default = {field.name: field.default for field in msgspec.structs.fields(CardDef)}
    records = [
        {name: value for name in CardDef.__struct_fields__ if (value := getattr(card, name)) != default[name]}
        for card in cards
    ]
    return hashlib.sha256(msgspec.msgpack.encode(records)).hexdigest()[:16]


OWNERS = 8
"""How many numbers a definition has in a game: one for each player who may own it."""

Numbers = tuple[int, int, int, tuple[str, ...], tuple[KeywordName, ...]]
"""Power, Cylon threat, mystic value, traits and keywords."""


class Catalog:
    """All cards of one data version, in order of their ids; cards are then small numbers.

    ``fingerprint`` tells two catalogues apart: a saved game is read back only with its own. ``ids_of_cards`` are the
    ids by the numbers that cards have in a game, where they have an owner. ``printed`` are the numbers and words on
    the cards, ``makes`` the places of what they produce, ``scripts`` what the cards do, in the same order.
    ``occasions`` are the kinds of event some card waits for, ``changes`` those of change some card makes while in
    play, ``replaced`` those of instruction some card may replace, ``adders`` whether some card adds to resource
    stacks, ``passive`` and ``helping`` the cards whose texts work by themselves and that help with missions;
    :func:`ccg.rules.effects.compiling.compile_scripts` puts them here.
    """

    def __init__(self, cards: Iterable[CardDef]) -> None:
        """Take ``cards`` in any order; raises ValueError if two share an id."""
        self.cards: tuple[CardDef, ...] = tuple(sorted(cards, key=lambda card: card.id))
        self.ids: tuple[str, ...] = tuple(card.id for card in self.cards)
        self.ids_of_cards: list[str] = [card_id for card_id in self.ids for _ in range(OWNERS)]
        self.names: tuple[str, ...] = tuple(card.name for card in self.cards)
        self.printed: tuple[Numbers, ...] = tuple(
            (card.power or 0, card.threat or 0, card.mystic or 0, card.traits, card.keywords) for card in self.cards
        )
        self.index: dict[str, int] = {card_id: i for i, card_id in enumerate(self.ids)}
        if len(self.index) != len(self.cards):
            raise ValueError("two cards share an id")
        self.fingerprint: str = _fingerprint(self.cards)
        self.scripts: tuple[Any, ...] = ()
        self.occasions: frozenset[str] = frozenset()
        self.changes: frozenset[str] = frozenset()
        self.replaced: frozenset[str] = frozenset()
        self.adders: bool = False
        self.passive: frozenset[int] = frozenset()
        self.helping: frozenset[int] = frozenset()
        self.makes: tuple[int, ...] = tuple(
            RESOURCES.index(card.produces) if card.produces is not None else -1 for card in self.cards
        )
        self._names: dict[str, list[CardDef]] = {}
        for card in self.cards:
            self._names.setdefault(fold(card.name), []).append(card)

    def __len__(self) -> int:
        return len(self.cards)

    def __iter__(self) -> Iterator[CardDef]:
        return iter(self.cards)

    def __getitem__(self, card_id: str) -> CardDef:
        """Return the card with this permanent id; raises KeyError."""
        return self.cards[self.index[card_id]]

    def __contains__(self, card_id: object) -> bool:
        return card_id in self.index

    def named(self, name: str) -> list[CardDef]:
        """Return every card with this full name (folded); several only where a base shares it."""
        return list(self._names.get(fold(name), ()))
