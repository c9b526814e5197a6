"""Card set files: one folder a set, ``set.yaml`` for the set itself and any other ``*.yaml`` for cards.

The schema below is what a file may say; what is read becomes :class:`~ccg.rules.cards.CardDef` (the
card, for the rules) and :class:`Printing` (its place in the set, for collectors and the site).
"""

from __future__ import annotations

from collections.abc import Iterable
from pathlib import Path
from typing import Any, Literal

import msgspec
import yaml
from msgspec import Struct

from ccg.rules.cards import (
    RESOURCES,
    CardDef,
    CardType,
    Catalog,
    Cost,
    LinkKind,
    Requirement,
    Resource,
)

SETS = Path(__file__).resolve().parents[2] / "cards_data" / "sets"
"""Where the project keeps its own card sets."""

Rarity = Literal["common", "uncommon", "rare", "fixed", "limited", "exclusive"]
PlainKeyword = Literal["manipulate", "persistent", "scramble", "sniper", "strafe", "vision", "vulnerable"]


class ExpediteEntry(Struct, forbid_unknown_fields=True):
    """``{expedite: {persuasion: 1}}``: the cost to be covered by excess resources."""

    expedite: dict[Resource, int]


class LinkEntry(Struct, forbid_unknown_fields=True):
    """``{link: personnel}``: the kind of unit that the mission is linked to."""

    link: LinkKind


class SetEntry(Struct, forbid_unknown_fields=True, kw_only=True):
    """``set.yaml``: ``code`` begins the ids of the set's printings, ``digits`` pads their numbers."""

    code: str
    name: str
    year: int
    digits: int = 3


class CardEntry(Struct, forbid_unknown_fields=True, kw_only=True):
    """One printing in a set file; see docs/card-files.md for each key."""

    number: int
    rarity: Rarity
    type: CardType
    title: str = ""
    subtitle: str = ""
    cost: dict[Resource, int] = {}
    power: int | None = None
    threat: int | None = None
    mystic: int | None = None
    produces: Resource | None = None
    traits: list[str] = []
    hand: int | None = None
    influence: int | None = None
    keywords: list[Any] = []
    requires: list[str] = []
    ability_pending: bool = False
    reprint_of: str = ""


class Printing(Struct, frozen=True, kw_only=True):
    """A card as it appears in one set: ``id`` is the printing's, ``card`` the card's (first printing)."""

    id: str
    card: str
    set: str
    number: int
    rarity: Rarity


class CardSet(Struct, frozen=True, kw_only=True):
    """A set as read: its cards (reprints excluded) and all its printings, in order of number."""

    code: str
    name: str
    year: int
    cards: tuple[CardDef, ...]
    printings: tuple[Printing, ...]


class CardFileError(ValueError):
    """A set file that cannot be read as such; ``problems`` names file, card and place, one a line."""

    def __init__(self, problems: list[str]) -> None:
        super().__init__("\n".join(problems))
        self.problems = problems


def read_set(folder: Path) -> CardSet:
    """Read the set in ``folder``; raises :class:`CardFileError` with everything that is wrong."""
    problems: list[str] = []
    head = _head(folder, problems)
    entries = [
        (path, place, entry)
        for path in sorted(folder.glob("*.yaml"))
        if path.name != "set.yaml"
        for place, entry in _entries(path, problems)
    ]
    cards: list[CardDef] = []
    printings: list[Printing] = []
    for path, place, entry in sorted(entries, key=lambda item: item[2].number):
        printing_id = f"{head.code}-{entry.number:0{head.digits}}"
        try:
            card_id = entry.reprint_of or printing_id
            if not entry.reprint_of:
                cards.append(card_def(entry, card_id))
            printings.append(
                Printing(id=printing_id, card=card_id, set=head.code, number=entry.number, rarity=entry.rarity)
            )
        except ValueError as error:
            problems.append(f"{path.parent.name}/{path.name}, card {entry.number}: {error} ({place})")
    if len({printing.number for printing in printings}) != len(printings):
        problems.append(f"{folder.name}: two cards share a number")
    if problems:
        raise CardFileError(problems)
    return CardSet(
        code=head.code, name=head.name, year=head.year, cards=tuple(cards), printings=tuple(printings)
    )


def read_catalog(folders: Iterable[Path] | None = None) -> Catalog:
    """Read every set in ``folders`` (default: the project's own) into one catalogue."""
    chosen = sorted(path.parent for path in SETS.glob("*/set.yaml")) if folders is None else folders
    return Catalog(card for folder in chosen for card in read_set(folder).cards)


def card_def(entry: CardEntry, card_id: str) -> CardDef:
    """Give the card that ``entry`` describes; raises ValueError where its parts do not fit together."""
    keywords: list[Any] = []
    expedite: Cost | None = None
    link: LinkKind | None = None
    for said in entry.keywords:
        if isinstance(said, str):
            keywords.append(msgspec.convert(said, PlainKeyword))
        elif isinstance(said, dict) and "expedite" in said:
            expedite = _cost(msgspec.convert(said, ExpediteEntry).expedite)
            keywords.append("expedite")
        else:
            link = msgspec.convert(said, LinkEntry).link
            keywords.append("link")
    return CardDef(
        id=card_id,
        type=entry.type,
        title=entry.title,
        subtitle=entry.subtitle,
        traits=tuple(entry.traits),
        cost=_cost(entry.cost),
        power=entry.power,
        threat=entry.threat,
        mystic=entry.mystic,
        produces=entry.produces,
        hand=entry.hand,
        influence=entry.influence,
        keywords=tuple(keywords),
        expedite=expedite,
        link=link,
        requires=tuple(requirement(phrase) for phrase in entry.requires),
        ability_pending=entry.ability_pending,
    )


def requirement(phrase: str) -> Requirement:
    """Read "Officer", "ship", "Civilian unit" or "Cylon personnel", one unit each; raises ValueError."""
    words = phrase.split()
    kind = words.pop() if words and words[-1] in ("personnel", "ship", "unit") else ""
    if not phrase.strip() or any(not word[0].isupper() for word in words):
        raise ValueError(f"requirement {phrase!r} is neither a trait, personnel, ship nor unit")
    return Requirement(" ".join(words), msgspec.convert("" if kind == "unit" else kind, Literal["", "personnel", "ship"]))


def _cost(said: dict[Resource, int]) -> Cost:
    per, log, sec = (said.get(resource, 0) for resource in RESOURCES)
    if min(per, log, sec) < 0 or max(per, log, sec) > 20:
        raise ValueError("a cost is 0 to 20 in each resource")
    return (per, log, sec)


def _head(folder: Path, problems: list[str]) -> SetEntry:
    path = folder / "set.yaml"
    try:
        return msgspec.convert(_load(path), SetEntry)
    except (OSError, yaml.YAMLError, msgspec.ValidationError) as error:
        raise CardFileError([*problems, f"{folder.name}/set.yaml: {error}"]) from error


def _entries(path: Path, problems: list[str]) -> Iterable[tuple[str, CardEntry]]:
    name = f"{path.parent.name}/{path.name}"
    try:
        found = _load(path)
    except (OSError, yaml.YAMLError) as error:
        problems.append(f"{name}: {error}")
        return
    if not isinstance(found, list):
        problems.append(f"{name}: expected a list of cards")
        return
    for place, raw in enumerate(found):
        try:
            yield f"[{place}]", msgspec.convert(raw, CardEntry)
        except msgspec.ValidationError as error:
            problems.append(f"{name}, card {raw.get('number') if isinstance(raw, dict) else place}: {error}")


def _load(path: Path) -> Any:
    loader = getattr(yaml, "CSafeLoader", yaml.SafeLoader)
    return yaml.load(path.read_text(encoding="utf-8"), loader)  # noqa: S506 (a safe loader either way)
