"""Card set files: one folder a set, ``set.yaml`` for the set itself and any other ``*.yaml`` for cards; or
one file with both, under the keys ``set`` and ``cards``.

The schema below is what a file may say (docs/card-files.md explains each key); what is read becomes
:class:`~ccg.rules.cards.CardDef` (the card, for the rules) and :class:`Printing` (its place in the set,
for collectors and the site). Everything that is wrong is found in one reading and named by file, card
and place, since whoever writes a set wants to mend it once.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Sequence
from pathlib import Path
from typing import Annotated, Any, Literal, NamedTuple, get_args

import yaml
from msgspec import Meta, Struct

from ccg.rules import yamlfiles
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
from ccg.rules.language import checking
from ccg.rules.language.compiling import AbilityError, compile_card
from ccg.rules.language.schema import Ability, Unit
from ccg.rules.records import Path as Way
from ccg.rules.records import Problem, did_you_mean, quoted, read_record, read_values
from ccg.rules.state import WINNING_INFLUENCE
from ccg.rules.yamlfiles import YamlError, line_of

SETS = Path(__file__).resolve().parents[2] / "cards_data" / "sets"
"""Where the project keeps its own card sets."""

MAX_BYTES = yamlfiles.MAX_BYTES
MOST_CARDS = 2_000
MOST_TOLD = 200
"""Problems after which reading stops: a file that is wrong all over is no card file."""

Rarity = Literal["common", "uncommon", "rare", "fixed", "limited", "exclusive"]
PlainKeyword = Literal["manipulate", "persistent", "scramble", "sniper", "strafe", "vision", "vulnerable"]
LONGEST_NAME = 80
Name = Annotated[str, Meta(max_length=LONGEST_NAME)]
Small = Annotated[int, Meta(ge=0, le=99)]
Amount = Annotated[int, Meta(ge=0, le=20)]
Trait = Annotated[
    str,
    Meta(
        max_length=30,
        pattern=r"\A[A-Z][A-Za-z]*(?:[' -][A-Za-z]+)*\Z",
        description="a trait begins with a capital letter and has letters only, with one space, ' or - between words",
    ),
]


class ExpediteEntry(Struct, forbid_unknown_fields=True):
    """``{expedite: {persuasion: 1}}``: the cost to be covered by excess resources."""

    expedite: dict[Resource, Amount]


class LinkEntry(Struct, forbid_unknown_fields=True):
    """``{link: personnel}``: the kind of unit that the mission is linked to."""

    link: LinkKind


def _about(meaning: str) -> Meta:
    """Say what a key means: for the JSON Schema, and for the table in docs/card-files.md."""
    return Meta(description=meaning)


class SetEntry(Struct, forbid_unknown_fields=True, kw_only=True):
    """``set.yaml``: ``code`` begins the ids of the set's printings, ``digits`` pads their numbers."""

    code: Annotated[
        str,
        Meta(
            pattern=r"\A[A-Z][A-Z0-9]{1,9}\Z",
            description="a code has 2 to 10 capital letters and digits, a letter first",
        ),
        _about("begins the ids of the set's printings: capital letters and digits"),
    ]
    name: Annotated[str, Meta(min_length=1, max_length=60), _about("the name of the set")]
    year: Annotated[int, Meta(ge=1900, le=2200), _about("the year in which it was printed")]
    digits: Annotated[int, Meta(ge=1, le=4), _about("numbers are padded to this many digits: XYZ-007")] = 3


class CardEntry(Struct, forbid_unknown_fields=True, kw_only=True):
    """One printing in a set file. A reprint says only its number, rarity, names and ``reprint_of``."""

    number: Annotated[
        int, Meta(ge=1, le=9999),
        _about("collector's number, 1 to 9999; with the set's code it makes the id, `XYZ-007`"),
    ]  # fmt: skip
    title: Annotated[
        Name,
        _about(
            "the name in the top bar. A base has a title alone; others have title, subtitle or both. Both together "
            "make a unit singular"
        ),
    ] = ""
    subtitle: Annotated[Name, _about("the name under the picture")] = ""
    type: Annotated[CardType | None, _about("`base`, `personnel`, `ship`, `event` or `mission`")] = None
    rarity: Annotated[Rarity, _about("`common`, `uncommon`, `rare`, `fixed` (starter decks), `limited`, `exclusive`")]
    cost: Annotated[
        dict[Resource, Amount] | None,
        _about("amounts of `persuasion`, `logistics`, `security`, 0 to 20; `{}` is free"),
    ] = None
    power: Annotated[Small | None, _about("0 to 99")] = None
    threat: Annotated[Small | None, _about("Cylon threat, 0 to 99")] = None
    mystic: Annotated[Small | None, _about("mystic value, 0 to 99")] = None
    produces: Annotated[Resource | None, _about("the resource that it makes as an asset or base")] = None
    hand: Annotated[Small | None, _about("cards in the first hand, 0 to 99")] = None
    influence: Annotated[Small | None, _about("influence at the start, 0 to 99")] = None
    traits: Annotated[list[Trait], Meta(max_length=10), _about("words that begin with a capital letter")] = []
    requires: Annotated[
        list[Unit], Meta(max_length=20),
        _about(
            "who resolves it, one item for each unit: `[Pilot, Pilot, ship, ship]`. An item is a trait (`Officer`), a "
            "type (`personnel`, `ship`), both (`Cylon personnel`), a trait of either type (`Civilian unit`) or any "
            "unit (`unit`)"
        ),
    ] = []  # fmt: skip
    keywords: Annotated[
        list[Any], Meta(max_length=10),
        _about(
            "`manipulate`, `scramble`, `sniper`, `strafe`, `vision`, `vulnerable` on units; `persistent` or "
            "`{link: personnel}` (or `ship`, `unit`) on missions; `{expedite: {persuasion: 1}}`, with what is to be "
            "left over, on cards that cost something"
        ),
    ] = []  # fmt: skip
    abilities: Annotated[
        list[Ability], Meta(max_length=6),
        _about(
            "what else it does, in the [ability language](ability-language.md). The words on the card are made from "
            "it: there is no key for a text"
        ),
    ] = []  # fmt: skip
    ability_pending: Annotated[
        bool,
        _about(
            "`true` while the card has an ability besides these keywords that the game does not play yet. Page and "
            "table say so"
        ),
    ] = False
    reprint_of: Annotated[str, _about("the id of the card's first printing")] = ""


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
    """Give the sets that ``paths`` mean: a set folder or a file with a whole set is itself, any other folder
    means every set folder directly in it.

    Raises :class:`CardFileError` for a path without a set.
    """
    found: list[Path] = []
    problems: list[str] = []
    for path in paths:
        is_set = path.is_file() if path.suffix == ".yaml" else (path / "set.yaml").is_file()
        inside = [path] if is_set else sorted(p.parent for p in path.glob("*/set.yaml"))
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
        raise CardFileError(_cut(problems))
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
        raise CardFileError(_cut(problems))
    return [one.set for one in read]


def _cut(problems: list[str]) -> list[str]:
    """Give ``problems`` each once, and not without end."""
    told = list(dict.fromkeys(problems))
    return told if len(told) <= MOST_TOLD else [*told[:MOST_TOLD], "and more; mend these first"]


def read_catalog(folders: Iterable[Path] | None = None) -> Catalog:
    """Read every set in ``folders`` (default: the project's own) into one catalogue."""
    chosen = set_folders(SETS) if folders is None else folders
    return Catalog(card for one in read_sets(chosen) for card in one.cards)


class Place(NamedTuple):
    """Where a card stands: its file, what it is called there, and the node that knows the lines."""

    file: str
    name: str
    node: yaml.Node

    def __str__(self) -> str:
        return self.at(())

    def at(self, path: Way) -> str:
        """Give the words for the place of something inside the card."""
        return f"{self.file}, {self.name} (line {line_of(self.node, path)})"

    def says(self, problem: Problem) -> str:
        """Give a problem with its place, as it is told."""
        return f"{self.at(problem.path)}: {problem}"


class _Read(Struct):
    """A set with what only its files know: where each printing stands, and the names of reprints."""

    set: CardSet
    source: str
    places: dict[str, Place]
    reprints: dict[str, str]


def _read(source: Path, problems: list[str]) -> _Read | None:
    head, entries = (_whole if source.suffix == ".yaml" else _spread)(source, problems)
    if head is None:
        return None
    cards: list[CardDef] = []
    printings: list[Printing] = []
    places: dict[str, Place] = {}
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
            card = card_def(entry, printing_id)
            try:
                compile_card(card)
            except AbilityError as error:
                problems.append(f"{place}: {error}")
            cards.append(card)
    whole = CardSet(code=head.code, name=head.name, year=head.year, cards=tuple(cards), printings=tuple(printings))
    return _Read(whole, source.name, places, reprints)


def _check_together(read: Sequence[_Read], known: Sequence[CardSet], problems: list[str]) -> None:
    """Check what no set can know alone: codes, names that two cards share, cards and words that are named."""
    cards = {card.id: card for one in known for card in one.cards}
    named = {look(card.name): card.id for card in cards.values() if card.type != "base"}
    codes = {look(one.code): one.code for one in known}
    for one in read:
        code = one.set.code
        if code in codes.values():
            problems.append(f"{one.source}: two folders say they are the set {code}")
        elif codes.setdefault(look(code), code) != code:
            problems.append(f"{one.source}: the code {code} looks like {codes[look(code)]}; choose another")
        codes[look(code)] = code
        for card in one.set.cards:
            cards[card.id] = card
            first = named.setdefault(look(card.name), card.id) if card.type != "base" else card.id
            if first != card.id:
                same = fold(card.name) == fold(cards[first].name)
                said = f"is the name of {first} already; say reprint_of: {first}"
                alike = f"looks like the name of {first}, {cards[first].name}; choose another"
                problems.append(f"{one.places[card.id]}: {card.name} {said if same else alike}")
    for stored in known:
        problems += [
            f"{printing.id} reprints {printing.card}, which is not there any more"
            for printing in stored.printings
            if printing.card not in cards
        ]
    words = checking.Known.of(cards.values())
    for one in read:
        problems += [one.places[card.id].says(p) for card in one.set.cards for p in checking.unknown_words(card, words)]
        for printing_id, name in one.reprints.items():
            original = next(p.card for p in one.set.printings if p.id == printing_id)
            place = one.places[printing_id]
            if original not in cards:
                problems.append(f"{place}: reprint_of: there is no card {original!r}{did_you_mean(original, cards)}")
            elif fold(name) != fold(cards[original].name):
                problems.append(f"{place}: reprint_of: {original} is {cards[original].name}, not {name}")


def look(name: str) -> str:
    """Give ``name`` in the form in which names that look alike are the same: O like 0, capital I and l like 1."""
    return fold(unicodedata.normalize("NFKD", name).replace("I", "1").replace("l", "1").replace("0", "O"))


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
REPRINT_KEYS = frozenset({"number", "title", "subtitle", "type", "rarity", "reprint_of"})
_KEYWORD_ON: dict[str, tuple[CardType, ...]] = {
    "expedite": ("event", "personnel", "ship"),
    "link": ("mission",),
    "persistent": ("mission",),
}
_KEYWORD_SAYS = {"expedite": "{expedite: {persuasion: 1}}", "link": "{link: personnel}, ship or unit"}
_NAME_SIGNS = frozenset(" '\u2019\".,!?&:;()/+#-\u2013\u2014\u2026%")


def keys_of(kind: CardType) -> tuple[frozenset[str], frozenset[str]]:
    """Give the keys that a card of this type needs, and all that it may have."""
    return _NEEDS[kind], _NEEDS[kind] | _EVERY - ({"subtitle"} if kind == "base" else set())


def card_def(entry: CardEntry, card_id: str) -> CardDef:
    """Give the card that ``entry`` describes, whose parts are known to fit together."""
    said = [one if isinstance(one, dict) else {one: None} for one in entry.keywords]
    expedite = next((one["expedite"] for one in said if "expedite" in one), None)
    keywords: list[Any] = [next(iter(one)) for one in said]
    assert entry.type is not None
    return CardDef(
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
        expedite=None if expedite is None else _cost(expedite),
        link=next((one["link"] for one in said if "link" in one), None),
        requires=tuple(requirement(phrase) for phrase in entry.requires),
        abilities=tuple(entry.abilities),
        ability_pending=entry.ability_pending,
    )


def _cost(said: dict[Resource, int]) -> Cost:
    per, log, sec = (said.get(resource, 0) for resource in RESOURCES)
    return (per, log, sec)


def _entry(raw: dict[Any, Any]) -> tuple[CardEntry | None, list[Problem]]:
    """Give the card that a file spells out, or None with everything that is wrong with it."""
    problems: list[Problem] = []
    values = read_values(raw, CardEntry, (), problems)
    problems += _shape_problems(raw)
    problems += _name_problems(raw)
    keywords = list(_keyword_problems(raw.get("keywords"), raw.get("type"), problems))
    problems += _fact_problems(values)
    if values.get("type") in get_args(CardType) and not raw.get("reprint_of"):
        problems += checking.check(values.get("abilities") or [], values["type"], keywords)
    return (None if problems else CardEntry(**values)), list(dict.fromkeys(problems))


def _shape_problems(raw: dict[Any, Any]) -> Iterator[Problem]:
    """Yield which keys a card of this type lacks, and which do not belong on it."""
    kind = raw.get("type")
    if raw.get("reprint_of"):
        known = set(CardEntry.__struct_fields__)
        for key in sorted(key for key in raw.keys() - REPRINT_KEYS if key in known):
            yield Problem((key,), "a reprint has the facts of its first printing; leave this out")
    elif isinstance(kind, str) and kind in _NEEDS:
        needed, allowed = keys_of(kind)
        for key in sorted(needed - raw.keys()):
            yield Problem((), f"a {kind} needs the key {key}")
        for key in sorted((raw.keys() & set(CardEntry.__struct_fields__)) - allowed):
            yield Problem((key,), f"a {kind} has none")
    elif "type" not in raw:
        yield Problem((), "the key type is missing")


def _name_problems(raw: dict[Any, Any]) -> Iterator[Problem]:
    """Yield why names cannot be told from others, or would not stay what they are on a page."""
    names = {key: raw.get(key) for key in ("title", "subtitle")}
    for key, name in names.items():
        if not isinstance(name, str):
            continue
        strange = _strange_sign(name)
        if strange:
            yield Problem((key,), strange)
        elif name != " ".join(name.split()):
            yield Problem((key,), f"the name {quoted(name)} has spaces that cannot be seen")
        elif name != unicodedata.normalize("NFC", name):
            yield Problem((key,), f"{quoted(name)} puts accents together from parts; write them as one sign")
        elif len(fold(name)) > LONGEST_NAME >= len(name):
            wide = next(sign for sign in name if len(fold(sign)) > 1)
            yield Problem(
                (key,),
                f"is longer than {LONGEST_NAME} characters when its letters are written out, as it is searched for "
                f"({wide} is {fold(wide)})",
            )
    if not fold(" ".join(name for name in names.values() if isinstance(name, str))):
        yield Problem((), "a card needs a title or a subtitle, with letters or digits")


def _strange_sign(name: str) -> str:
    """Say which sign of ``name`` no name may have; nothing if all are good."""
    strange = next((sign for sign in name if not _is_name_sign(sign)), "")
    if strange.isalpha():
        return (
            f"{quoted(name)} has the letter {strange!r} (U+{ord(strange):04X}), which is not one of A to Z "
            "with or without an accent; names that look alike could not be told apart"
        )
    return f"{quoted(name)} has the sign {strange!a}, which no name may have" if strange else ""


def _is_name_sign(sign: str) -> bool:
    """Whether a name may have it: a Latin letter, a digit or plain punctuation, nothing that a page could obey.

    Latin letters are those of which something is left when names are compared, and nothing is lost but accents.
    """
    return sign in _NAME_SIGNS or "0" <= sign <= "9" or (sign.isalpha() and _is_latin(sign))


def _is_latin(letter: str) -> bool:
    parts = [sign for sign in unicodedata.normalize("NFKD", letter) if not unicodedata.combining(sign)]
    return bool(parts) and all(sign.isascii() and sign.isalpha() for sign in parts)


def _keyword_problems(said: Any, kind: Any, problems: list[Problem]) -> Iterator[str]:
    """Yield the keywords of a card, adding to ``problems`` those that are wrong or not for this type of card."""
    plain = get_args(PlainKeyword)
    for place, one in enumerate(said if isinstance(said, list) else ()):
        path: Way = ("keywords", place)
        found: str | None = None
        if isinstance(one, dict) and len(one) == 1 and next(iter(one)) in _KEYWORD_SAYS:
            found = next(iter(one))
            entry = read_record(one, ExpediteEntry if found == "expedite" else LinkEntry, path, problems)
            if isinstance(entry, ExpediteEntry) and not any(entry.expedite.values()):
                problems.append(Problem(path, "expedite: says what is to be left over, at least 1 of something"))
        elif isinstance(one, str) and one in _KEYWORD_SAYS:
            problems.append(Problem(path, f"{one} says more: {_KEYWORD_SAYS[one]}"))
        elif isinstance(one, str) and one in plain:
            found = one
        else:
            near = did_you_mean(one, [*plain, *_KEYWORD_SAYS]) or f"; known are {', '.join([*plain, *_KEYWORD_SAYS])}"
            problems.append(Problem(path, f"{quoted(one)} is not known{near}"))
        if found is not None:
            fitting = _KEYWORD_ON.get(found, ("personnel", "ship"))
            if isinstance(kind, str) and kind in _NEEDS and kind not in fitting:
                problems.append(Problem(path, f"{found} is for {' and '.join(fitting)} cards, this is a {kind}"))
            yield found


def _fact_problems(values: dict[str, Any]) -> Iterator[Problem]:
    """Yield facts that do not fit together, though each could stand alone."""
    traits = values.get("traits") or []
    for place, trait in enumerate(traits):
        if trait in traits[:place]:
            yield Problem(("traits", place), f"{trait} is said twice")
    keywords = [next(iter(one)) if isinstance(one, dict) and one else one for one in values.get("keywords") or []]
    for place, keyword in enumerate(keywords):
        if keyword in keywords[:place]:
            yield Problem(("keywords", place), f"{quoted(keyword)} is said twice")
    if "link" in keywords and "persistent" in keywords:
        yield Problem(("keywords",), "a mission is either linked or persistent")
    if "expedite" in keywords and not any((values.get("cost") or {}).values()):
        yield Problem(("keywords",), "expedite is for cards that cost something")
    if values.get("type") == "mission" and values.get("requires") == []:
        yield Problem(("requires",), "a mission asks for at least one unit")
    influence = values.get("influence")
    if influence is not None and not 0 < influence < WINNING_INFLUENCE:
        yield Problem(("influence",), f"a game begins with 1 to {WINNING_INFLUENCE - 1} influence")


# --- files --------------------------------------------------------------------------------------------

_Parts = tuple[SetEntry | None, list[tuple[Place, CardEntry]]]
"""What the files of a set say: of the set itself, and of each card with its place."""


def _spread(folder: Path, problems: list[str]) -> _Parts:
    """Read a set that is spread over the files of a folder."""
    head: SetEntry | None = None
    entries: list[tuple[Place, CardEntry]] = []
    problems += [
        f"{folder.name}/{path.name}: is not read; card files end in .yaml"
        for path in sorted(folder.iterdir() if folder.is_dir() else ())
        if path.suffix != ".yaml" and path.suffix.lower() in (".yml", ".yaml", ".json")
    ]
    for path in [folder / "set.yaml", *sorted(set(folder.glob("*.yaml")) - {folder / "set.yaml"})]:
        name = f"{folder.name}/{path.name}"
        loaded = _load(path, name, problems)
        if loaded is None:
            continue
        if path.name == "set.yaml":
            head = _head(*loaded, name, problems)
        else:
            entries += _entries(*loaded, name, problems)
        if len(problems) >= MOST_TOLD or len(entries) > MOST_CARDS:
            break
    return head, _not_too_many(entries, folder.name, problems)


def _whole(path: Path, problems: list[str]) -> _Parts:
    """Read a set that is one file with the keys ``set`` and ``cards``."""
    loaded = _load(path, path.name, problems)
    if loaded is None:
        return None, []
    raw, node = loaded
    if not isinstance(raw, dict) or raw.keys() != {"set", "cards"}:
        problems.append(f"{path.name}: expected the keys set (code, name, year, digits) and cards (a list), no others")
        return None, []
    below = {key.value: value for key, value in node.value}
    entries = list(_entries(raw["cards"], below["cards"], path.name, problems))
    return _head(raw["set"], below["set"], path.name, problems), _not_too_many(entries, path.name, problems)


def _not_too_many(
    entries: list[tuple[Place, CardEntry]], name: str, problems: list[str]
) -> list[tuple[Place, CardEntry]]:
    if len(entries) > MOST_CARDS:
        problems.append(f"{name}: more than {MOST_CARDS:,} cards")
    return entries[:MOST_CARDS]


def _head(raw: Any, node: yaml.Node, name: str, problems: list[str]) -> SetEntry | None:
    if not isinstance(raw, dict):
        problems.append(f"{name}: expected the keys code, name, year and digits")
        return None
    found: list[Problem] = []
    head = read_record(raw, SetEntry, (), found)
    said = raw.get("name")
    if isinstance(said, str) and (strange := _strange_sign(said)):
        found.append(Problem(("name",), strange))
    elif isinstance(said, str) and said != " ".join(said.split()):
        found.append(Problem(("name",), f"the name {quoted(said)} has spaces that cannot be seen"))
    problems += [f"{name}, line {line_of(node, problem.path)}: {problem}" for problem in found]
    return None if found else head


def _entries(raws: Any, node: yaml.Node, name: str, problems: list[str]) -> Iterator[tuple[Place, CardEntry]]:
    """Yield each card of a list that can be read, with its place."""
    if not isinstance(raws, list):
        problems.append(f"{name}: expected a list of cards")
        return
    for raw, item in zip(raws, node.value, strict=True):
        if len(problems) >= MOST_TOLD:
            return
        if not isinstance(raw, dict):
            problems.append(f"{name}, line {line_of(item, ())}: expected a card, keys and values")
            continue
        place = Place(name, _called(raw), item)
        entry, found = _entry(raw)
        problems += [place.says(problem) for problem in found]
        if entry is not None:
            yield place, entry


def _called(raw: dict[Any, Any]) -> str:
    """Give what a card is called in messages, whatever it is: its number and its name."""
    names = [raw.get(key) for key in ("title", "subtitle")]
    said = ", ".join(name for name in names if isinstance(name, str) and name)
    shown = said if all(map(_is_name_sign, said)) and len(said) <= 100 else ""
    number = raw.get("number")
    return " ".join(filter(None, ("card", str(number)[:10] if isinstance(number, int) else "?", shown)))


def _load(path: Path, name: str, problems: list[str]) -> tuple[Any, yaml.Node] | None:
    """Give what the file says and the nodes that know the lines; None if it cannot be read."""
    try:
        return yamlfiles.load(path)
    except YamlError as error:
        said = str(error)
        problems.append(f"{name}, {said}" if said.startswith("line ") else f"{name}: {said}")
    return None
