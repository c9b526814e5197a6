"""Card set files: one folder a set, ``set.yaml`` for the set itself and any other ``*.yaml`` for cards.

The schema below is what a file may say (docs/card-files.md explains each key); what is read becomes
:class:`~ccg.rules.cards.CardDef` (the card, for the rules) and :class:`Printing` (its place in the set,
for collectors and the site). Everything that is wrong is found in one reading and named by file, card
and place, since whoever writes a set wants to mend it once.
"""

from __future__ import annotations

import difflib
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Annotated, Any, Literal, TypeVar, get_args

import msgspec
import yaml
from msgspec import Meta, Struct
from msgspec.structs import FieldInfo

from ccg.rules.cards import (
    RESOURCES,
    CardDef,
    CardType,
    Catalog,
    Cost,
    LinkKind,
    Resource,
    fold,
    requirement,
)
from ccg.rules.language.schema import Ability

SETS = Path(__file__).resolve().parents[2] / "cards_data" / "sets"
"""Where the project keeps its own card sets."""

MAX_BYTES = 1_000_000
MAX_DEPTH = 20
MAX_SCALAR = 2_000
MOST_UNKNOWN = 20
"""Unknown keys of one card that are each told; looking for what was meant takes time."""

Rarity = Literal["common", "uncommon", "rare", "fixed", "limited", "exclusive"]
PlainKeyword = Literal["manipulate", "persistent", "scramble", "sniper", "strafe", "vision", "vulnerable"]
Name = Annotated[str, Meta(max_length=80)]
Small = Annotated[int, Meta(ge=0, le=99)]
Amount = Annotated[int, Meta(ge=0, le=20)]
Trait = Annotated[str, Meta(max_length=30, pattern=r"^[A-Z][A-Za-z' -]*$")]


class ExpediteEntry(Struct, forbid_unknown_fields=True):
    """``{expedite: {persuasion: 1}}``: the cost to be covered by excess resources."""

    expedite: dict[Resource, Amount]


class LinkEntry(Struct, forbid_unknown_fields=True):
    """``{link: personnel}``: the kind of unit that the mission is linked to."""

    link: LinkKind


class SetEntry(Struct, forbid_unknown_fields=True, kw_only=True):
    """``set.yaml``: ``code`` begins the ids of the set's printings, ``digits`` pads their numbers."""

    code: Annotated[str, Meta(pattern=r"^[A-Z][A-Z0-9]{1,9}$")]
    name: Annotated[str, Meta(min_length=1, max_length=60)]
    year: Annotated[int, Meta(ge=1900, le=2200)]
    digits: Annotated[int, Meta(ge=1, le=4)] = 3


class CardEntry(Struct, forbid_unknown_fields=True, kw_only=True):
    """One printing in a set file. A reprint says only its number, rarity, names and ``reprint_of``."""

    number: Annotated[int, Meta(ge=1, le=9999)]
    title: Name = ""
    subtitle: Name = ""
    type: CardType | None = None
    rarity: Rarity
    cost: dict[Resource, Amount] | None = None
    power: Small | None = None
    threat: Small | None = None
    mystic: Small | None = None
    produces: Resource | None = None
    hand: Small | None = None
    influence: Small | None = None
    traits: Annotated[list[Trait], Meta(max_length=10)] = []
    requires: Annotated[list[str], Meta(max_length=20)] = []
    keywords: Annotated[list[Any], Meta(max_length=10)] = []
    abilities: Annotated[list[Ability], Meta(max_length=6)] = []
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


# --- reading sets -------------------------------------------------------------------------------------


def set_folders(*paths: Path) -> list[Path]:
    """Give the set folders that ``paths`` mean: each one itself, or every set folder directly in it.

    Raises :class:`CardFileError` for a path without a set.
    """
    found: list[Path] = []
    problems: list[str] = []
    for path in paths:
        inside = [path] if (path / "set.yaml").is_file() else sorted(p.parent for p in path.glob("*/set.yaml"))
        if not inside:
            problems.append(f"{path}: no set.yaml here nor in a folder directly inside")
        found += [folder for folder in inside if folder not in found]
    if problems:
        raise CardFileError(problems)
    return found


def read_set(folder: Path) -> CardSet:
    """Read the set in ``folder``; raises :class:`CardFileError` with everything that is wrong inside it.

    Whether its reprints name cards of other sets is only known with those: see :func:`read_sets`.
    """
    problems: list[str] = []
    read = _read(folder, problems)
    if problems or read is None:
        raise CardFileError(problems)
    return read.set


def read_sets(folders: Iterable[Path], known: Iterable[CardSet] = ()) -> list[CardSet]:
    """Read the sets in ``folders``, which may reprint each other's cards and those of ``known`` sets.

    A set that is read takes the place of the known one with its code. Raises :class:`CardFileError` with
    everything that is wrong in any of them.
    """
    problems: list[str] = []
    read = [one for folder in folders if (one := _read(folder, problems))]
    codes = {one.set.code for one in read}
    _check_together(read, [one for one in known if one.code not in codes], problems)
    if problems:
        raise CardFileError(problems)
    return [one.set for one in read]


def read_catalog(folders: Iterable[Path] | None = None) -> Catalog:
    """Read every set in ``folders`` (default: the project's own) into one catalogue."""
    chosen = set_folders(SETS) if folders is None else folders
    return Catalog(card for one in read_sets(chosen) for card in one.cards)


class _Read(Struct):
    """A set with what only its files know: where each printing stands, and the names of reprints."""

    set: CardSet
    places: dict[str, str]
    reprints: dict[str, str]


def _read(folder: Path, problems: list[str]) -> _Read | None:
    head = _head(folder, problems)
    entries = [
        (place, entry)
        for path in sorted(folder.glob("*.yaml"))
        if path.name != "set.yaml"
        for place, entry in _entries(path, problems)
    ]
    if head is None:
        return None
    cards: list[CardDef] = []
    printings: list[Printing] = []
    places: dict[str, str] = {}
    reprints: dict[str, str] = {}
    for place, entry in sorted(entries, key=lambda item: item[1].number):
        printing_id = f"{head.code}-{entry.number:0{head.digits}}"
        if printing_id in places:
            problems.append(f"{place}: {printing_id} is already {places[printing_id]}")
            continue
        places[printing_id] = place
        card_id = entry.reprint_of or printing_id
        printings.append(
            Printing(id=printing_id, card=card_id, set=head.code, number=entry.number, rarity=entry.rarity)
        )
        if entry.reprint_of:
            reprints[printing_id] = ", ".join(filter(None, (entry.title, entry.subtitle)))
        else:
            try:
                cards.append(card_def(entry, printing_id))
            except ValueError as error:
                problems.append(f"{place}: {error}")
    whole = CardSet(code=head.code, name=head.name, year=head.year, cards=tuple(cards), printings=tuple(printings))
    return _Read(whole, places, reprints)


def _check_together(read: Sequence[_Read], known: Sequence[CardSet], problems: list[str]) -> None:
    """Check what no set can know alone: codes, names that two cards share, cards that are reprinted."""
    cards = {card.id: card for one in known for card in one.cards}
    named = {fold(card.name): card.id for card in cards.values() if card.type != "base"}
    seen: set[str] = set()
    for one in read:
        if one.set.code in seen:
            problems.append(f"two folders say they are the set {one.set.code}")
        seen.add(one.set.code)
        for card in one.set.cards:
            cards[card.id] = card
            first = named.setdefault(fold(card.name), card.id) if card.type != "base" else card.id
            if first != card.id:
                problems.append(
                    f"{one.places[card.id]}: {card.name} is the name of {first} already; say reprint_of: {first}"
                )
    for stored in known:
        problems += [
            f"{printing.id} reprints {printing.card}, which is not there any more"
            for printing in stored.printings
            if printing.card not in cards
        ]
    for one in read:
        for printing_id, name in one.reprints.items():
            original = next(p.card for p in one.set.printings if p.id == printing_id)
            place = one.places[printing_id]
            if original not in cards:
                problems.append(f"{place}: reprint_of: there is no card {original!r}{did_you_mean(original, cards)}")
            elif fold(name) != fold(cards[original].name):
                problems.append(f"{place}: reprint_of: {original} is {cards[original].name}, not {name}")


# --- one card -----------------------------------------------------------------------------------------

_UNIT = frozenset({"cost", "power", "threat", "mystic", "produces"})
_NEEDS: dict[CardType, frozenset[str]] = {
    "base": frozenset({"title", "power", "produces", "hand", "influence"}),
    "event": frozenset({"cost", "threat", "mystic"}),
    "mission": frozenset({"threat", "mystic", "requires"}),
    "personnel": _UNIT,
    "ship": _UNIT,
}
_EVERY = frozenset(
    {"number", "title", "subtitle", "type", "rarity", "traits", "keywords", "abilities", "ability_pending"}
)
_REPRINT = frozenset({"number", "title", "subtitle", "type", "rarity", "reprint_of"})
_KEYWORD_ON: dict[str, tuple[CardType, ...]] = {
    "expedite": ("event", "personnel", "ship"),
    "link": ("mission",),
    "persistent": ("mission",),
}


def card_def(entry: CardEntry, card_id: str) -> CardDef:
    """Give the card that ``entry`` describes; raises ValueError where its parts do not fit together."""
    keywords: list[Any] = []
    expedite: Cost | None = None
    link: LinkKind | None = None
    for said in entry.keywords:
        if isinstance(said, dict) and "expedite" in said:
            expedite = _cost(_convert(said, ExpediteEntry, "keywords").expedite)
            keywords.append("expedite")
        elif isinstance(said, dict) and "link" in said:
            link = _convert(said, LinkEntry, "keywords").link
            keywords.append("link")
        elif said in ("expedite", "link"):
            raise ValueError(f"keywords: {said} says more: {_KEYWORD_SAYS[said]}")
        else:
            keywords.append(_convert(said, PlainKeyword, "keywords"))
    if entry.type is None:
        raise ValueError("the key type is missing")
    card = CardDef(
        id=card_id,
        type=entry.type,
        title=entry.title,
        subtitle=entry.subtitle,
        traits=tuple(entry.traits),
        cost=_cost(entry.cost or {}),
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
        abilities=tuple(entry.abilities),
        ability_pending=entry.ability_pending,
    )
    _check_card(card)
    return card


_KEYWORD_SAYS = {"expedite": "{expedite: {persuasion: 1}}", "link": "{link: personnel}, ship or unit"}


def _check_card(card: CardDef) -> None:
    if not fold(card.name):
        raise ValueError("a card needs a title or a subtitle")
    for name in (card.title, card.subtitle):
        if name != " ".join(name.split()) or not name.isprintable():
            raise ValueError(f"the name {name!r} has spaces or signs that cannot be seen")
    for what, listed in (("traits", card.traits), ("keywords", card.keywords)):
        if len(set(listed)) != len(listed):
            raise ValueError(f"{what}: one is said twice")
    for keyword in card.keywords:
        fitting = _KEYWORD_ON.get(keyword, ("personnel", "ship"))
        if card.type not in fitting:
            raise ValueError(f"keywords: {keyword} is for {' and '.join(fitting)} cards, this is a {card.type}")
    if "link" in card.keywords and "persistent" in card.keywords:
        raise ValueError("keywords: a mission is either linked or persistent")


def _cost(said: dict[Resource, int]) -> Cost:
    per, log, sec = (said.get(resource, 0) for resource in RESOURCES)
    return (per, log, sec)


def _shape_problems(raw: dict[str, Any]) -> Iterator[str]:
    """Yield which keys a card of this type lacks, and which do not belong on it."""
    kind = raw.get("type")
    if raw.get("reprint_of"):
        for key in raw.keys() - _REPRINT:
            yield f"{key}: a reprint has the facts of its first printing; leave this out"
    elif kind in _NEEDS:
        needs = _NEEDS[kind]
        for key in sorted(needs - raw.keys()):
            yield f"a {kind} needs the key {key}"
        allowed = needs | _EVERY - ({"subtitle"} if kind == "base" else set())
        for key in sorted((raw.keys() & set(CardEntry.__struct_fields__)) - allowed):
            yield f"{key}: a {kind} has none"
    elif "type" not in raw:
        yield "the key type is missing"


# --- YAML and messages --------------------------------------------------------------------------------

T = TypeVar("T")
S = TypeVar("S", bound=Struct)


def did_you_mean(word: object, known: Iterable[str]) -> str:
    """Give ", did you mean 'x'?" for the nearest of ``known``, or nothing where none is near."""
    near = difflib.get_close_matches(str(word), list(known), n=1, cutoff=0.6)
    return f", did you mean {near[0]!r}?" if near else ""


def _convert(value: Any, kind: Any, place: str) -> Any:
    """Convert ``value`` to the type ``kind``; raises ValueError whose message begins with ``place``."""
    try:
        return msgspec.convert(value, kind)
    except msgspec.ValidationError as error:
        said = str(error).removesuffix(" - at `$`").replace(" - at `$", " at `").replace(" | null`", "`")
        choices = _choices(kind)
        if said.startswith("Invalid enum value"):
            wrong = said.split("'")[1] if "'" in said else str(value)[:40]
            said = f"{wrong!r} is not known" + (did_you_mean(wrong, choices) or f"; known are {', '.join(choices)}")
        elif said.startswith("Object contains unknown field"):
            said += did_you_mean(said.split("`")[1], getattr(kind, "__struct_fields__", ()))
        elif said.startswith("Expected `str`") and isinstance(value, bool | int | float):
            said += "; put it in quotes"
        raise ValueError(f"{place}: {said}") from error


def _choices(kind: Any) -> list[str]:
    """Give the words that some part of the type ``kind`` allows."""
    if isinstance(kind, type) and issubclass(kind, Struct):
        return [word for field in msgspec.structs.fields(kind) for word in _choices(field.type)]
    inside = get_args(kind)
    return [one for one in inside if isinstance(one, str)] + [w for one in inside for w in _choices(one)]


@cache
def _fields_of(kind: type[Struct]) -> dict[str, FieldInfo]:
    """Give the keys of ``kind``; kept, since finding their types takes longer than reading a card."""
    return {field.name: field for field in msgspec.structs.fields(kind)}


def _struct(raw: dict[str, Any], kind: type[S], problems: list[str]) -> S | None:
    """Read ``raw`` into ``kind`` key by key, so that every wrong key is told and not the first alone."""
    fields = _fields_of(kind)
    before = len(problems)
    values: dict[str, Any] = {}
    unknown = [key for key in raw if key not in fields]
    problems += [f"unknown key {str(key)[:40]!r}{did_you_mean(key, fields)}" for key in unknown[:MOST_UNKNOWN]]
    if len(unknown) > MOST_UNKNOWN:
        problems.append(f"and {len(unknown) - MOST_UNKNOWN} more unknown keys")
    for key, value in raw.items():
        if key not in fields:
            continue
        try:
            values[key] = _convert(value, fields[key].type, key)
        except ValueError as error:
            problems.append(str(error))
    problems += [f"the key {name} is missing" for name, field in fields.items() if field.required and name not in raw]
    return kind(**values) if len(problems) == before else None


def _head(folder: Path, problems: list[str]) -> SetEntry | None:
    name = f"{folder.name}/set.yaml"
    loaded = _load(folder / "set.yaml", name, problems)
    if loaded is None:
        return None
    raw, _ = loaded
    if not isinstance(raw, dict):
        problems.append(f"{name}: expected the keys code, name, year and digits")
        return None
    found: list[str] = []
    head = _struct(raw, SetEntry, found)
    problems += [f"{name}: {problem}" for problem in found]
    return head


def _entries(path: Path, problems: list[str]) -> Iterator[tuple[str, CardEntry]]:
    """Yield each card in the file that can be read, with the words for its place."""
    name = f"{path.parent.name}/{path.name}"
    loaded = _load(path, name, problems)
    if loaded is None:
        return
    raws, lines = loaded
    if not isinstance(raws, list):
        problems.append(f"{name}: expected a list of cards")
        return
    for raw, line in zip(raws, lines, strict=True):
        if not isinstance(raw, dict):
            problems.append(f"{name}, line {line}: expected a card, keys and values")
            continue
        place = f"{name}, card {str(raw.get('number', '?'))[:10]} (line {line})"
        found: list[str] = []
        entry = _struct(raw, CardEntry, found)
        found += _shape_problems(raw)
        problems += [f"{place}: {problem}" for problem in dict.fromkeys(found)]
        if entry is not None and not found:
            yield place, entry


class _Loader(getattr(yaml, "CSafeLoader", yaml.SafeLoader)):  # type: ignore[misc]
    """A safe loader that does not let a key be said twice, where YAML would silently keep the last."""

    def construct_mapping(self, node: yaml.MappingNode, deep: bool = False) -> dict[Any, Any]:
        said: set[str] = set()
        for key, _ in node.value:
            if str(key.value) in said:
                raise yaml.MarkedYAMLError(problem=f"the key {key.value!r} is said twice", problem_mark=key.start_mark)
            said.add(str(key.value))
        mapping: dict[Any, Any] = super().construct_mapping(node, deep)
        return mapping


def _load(path: Path, name: str, problems: list[str]) -> tuple[Any, list[int]] | None:
    """Give what the file says and, for a list, the line of each item; None if it cannot be read."""
    try:
        if path.stat().st_size > MAX_BYTES:
            raise ValueError(f"larger than {MAX_BYTES:,} bytes")
        text = path.read_text(encoding="utf-8")
        _check_events(text)
        loader = _Loader(text)
        try:
            node = loader.get_single_node()
            if node is None:
                raise ValueError("the file is empty")
            items = node.value if isinstance(node, yaml.SequenceNode) else []
            return loader.construct_document(node), [item.start_mark.line + 1 for item in items]
        finally:
            loader.dispose()
    except yaml.MarkedYAMLError as error:
        where = f" line {error.problem_mark.line + 1}:" if error.problem_mark else ""
        problems.append(f"{name}:{where} {error.problem or error.context}")
    except (OSError, UnicodeDecodeError, yaml.YAMLError, ValueError, RecursionError) as error:
        problems.append(f"{name}: {' '.join(str(getattr(error, 'strerror', None) or error).split())}")
    return None


def _check_events(text: str) -> None:
    """Refuse what no card needs and what makes a small file expensive; raises ValueError.

    An alias lets a few lines stand for millions of values, and the C parser builds nested nodes on the
    stack, where enough of them end the process: so the stream of events is looked at before anything is built.
    """
    depth = 0
    for event in yaml.parse(text, _Loader):
        line = event.start_mark.line + 1 if event.start_mark else 0
        if isinstance(event, yaml.AliasEvent):
            raise ValueError(f"line {line}: YAML aliases (&, *) are not used in card files")
        if isinstance(event, yaml.ScalarEvent) and len(event.value) > MAX_SCALAR:
            raise ValueError(f"line {line}: a value longer than {MAX_SCALAR:,} characters")
        depth += isinstance(event, yaml.CollectionStartEvent) - isinstance(event, yaml.CollectionEndEvent)
        if depth > MAX_DEPTH:
            raise ValueError(f"line {line}: nested deeper than {MAX_DEPTH}")
