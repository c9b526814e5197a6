"""One card of a card set file: what it may say, and whether what it says fits together.

The records below are the schema (docs/card-files.md explains each key); :func:`read_entry` reads one card and tells
everything that is wrong with it, :func:`card_def` makes the card of it that the rules know.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterator
from typing import Annotated, Any, Literal, get_args

from msgspec import Meta, Struct, structs

from ccg.rules.authoring import checking, deck_lines
from ccg.rules.authoring.names import LONGEST_NAME, is_name_sign, strange_sign
from ccg.rules.authoring.records import KeyPath, Problem, nearest, quoted, read_record, read_values
from ccg.rules.cards import phrases
from ccg.rules.cards.definitions import (
    KEYWORDS,
    PLAIN_KEYWORDS,
    RESOURCES,
    UNIT_KEYWORDS,
    CardDef,
    CardType,
    Cost,
    LinkKind,
    Resource,
    fold,
    requirement,
)
from ccg.rules.cards.schema import Ability, RequirementPhrase
from ccg.rules.core.state import WINNING_INFLUENCE

Rarity = Literal["common", "uncommon", "rare", "fixed", "limited", "exclusive"]
Name = Annotated[str, Meta(max_length=LONGEST_NAME)]
Small = Annotated[int, Meta(ge=0, le=99)]
PrintedNumber = Annotated[int, Meta(ge=0, le=20)]
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

    expedite: dict[Resource, PrintedNumber]


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
        dict[Resource, PrintedNumber] | None,
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
        list[RequirementPhrase], Meta(max_length=20),
        _about(
            "who resolves it, one item for each unit: `[Pilot, Pilot, ship, ship]`. An item is a trait (`Officer`), a "
            "type (`personnel`, `ship`), both (`Cylon personnel`), a trait of either type (`Civilian unit`) or any "
            "unit (`unit`)"
        ),
    ] = []  # fmt: skip
    keywords: Annotated[
        list[Any], Meta(max_length=10),
        _about(
            f"{', '.join(f'`{keyword}`' for keyword in UNIT_KEYWORDS)} on units; `persistent` or "
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
_KEYWORD_SAYS = {name: keyword.says for name, keyword in KEYWORDS.items() if keyword.says}


def keys_of(kind: CardType) -> tuple[frozenset[str], frozenset[str]]:
    """Return the keys that a card of this type needs, and all that it may have."""
    return _NEEDS[kind], _NEEDS[kind] | _EVERY - ({"subtitle"} if kind == "base" else set())


def card_def(entry: CardEntry, card_id: str) -> CardDef:
    """Return the card that ``entry`` describes, whose parts are known to fit together."""
    written = [one if isinstance(one, dict) else {one: None} for one in entry.keywords]
    expedite = next((one["expedite"] for one in written if "expedite" in one), None)
    keywords: list[Any] = [next(iter(one)) for one in written]
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
        link=next((one["link"] for one in written if "link" in one), None),
        requires=tuple(requirement(phrase) for phrase in entry.requires),
        abilities=tuple(entry.abilities),
        ability_pending=entry.ability_pending,
    )


def _cost(amounts: dict[Resource, int]) -> Cost:
    per, log, sec = (amounts.get(resource, 0) for resource in RESOURCES)
    return (per, log, sec)


def read_entry(raw: dict[Any, Any]) -> tuple[CardEntry | None, list[Problem]]:
    """Return the card that a file spells out, or None with everything that is wrong with it."""
    problems: list[Problem] = []
    values = read_values(raw, CardEntry, (), problems)
    problems += _shape_problems(raw)
    problems += _name_problems(raw)
    keywords = list(_keyword_problems(raw.get("keywords"), raw.get("type"), problems))
    problems += _fact_problems(values)
    if values.get("type") in get_args(CardType) and not raw.get("reprint_of"):
        names = [*(values.get("traits") or ()), *filter(None, [values.get("title")])]
        problems += checking.check(values.get("abilities") or [], values["type"], keywords, names)
    return (None if problems else CardEntry(**values)), list(dict.fromkeys(problems))


def _shape_problems(raw: dict[Any, Any]) -> Iterator[Problem]:
    """Yield which keys a card of this type lacks, and which do not belong on it."""
    kind = raw.get("type")
    if raw.get("reprint_of"):
        known = set(CardEntry.__struct_fields__)
        for key in sorted(key for key in raw.keys() - REPRINT_KEYS if key in known):
            yield Problem((key,), "a reprint has the facts of its first printing", advice="leave this out")
    elif isinstance(kind, str) and kind in _NEEDS:
        needed, allowed = keys_of(kind)
        for key in sorted(needed - raw.keys()):
            yield Problem((), f"{phrases.with_article(kind)} needs the key {key}")
        for key in sorted((raw.keys() & set(CardEntry.__struct_fields__)) - allowed):
            yield Problem((key,), f"{phrases.with_article(kind)} has none")
    elif "type" not in raw:
        yield Problem((), "the key type is missing")


def _name_problems(raw: dict[Any, Any]) -> Iterator[Problem]:
    """Yield why names cannot be told from others, or would not stay what they are on a page."""
    names = {key: raw.get(key) for key in ("title", "subtitle")}
    for key, name in names.items():
        if not isinstance(name, str):
            continue
        strange = strange_sign(name)
        if strange:
            yield structs.replace(strange, path=(key,))
        elif name != " ".join(name.split()):
            yield Problem((key,), f"the name {quoted(name)} has spaces that cannot be seen")
        elif name != unicodedata.normalize("NFC", name):
            yield Problem((key,), f"{quoted(name)} puts accents together from parts", advice="write them as one sign")
        elif key == "title" and name and phrases.is_reserved(name):
            yield Problem((key,), f"{quoted(name)} is a word of the ability language", advice="take another title")
        elif (key == "title" or not names["title"]) and (read_as := deck_lines.misread(name)):
            yield _not_carried((key,), name, read_as)
    title, subtitle = names.values()
    if isinstance(title, str) and isinstance(subtitle, str) and title and subtitle and not deck_lines.misread(title):
        name = f"{title}, {subtitle}"
        if not strange_sign(name) and (read_as := deck_lines.misread(name)):
            yield _not_carried(("subtitle",), name, read_as)
    if not fold(" ".join(name for name in names.values() if isinstance(name, str))):
        yield Problem((), "a card needs a title or a subtitle, with letters or digits")


def _not_carried(path: KeyPath, name: str, read_as: str) -> Problem:
    return Problem(
        path, f"a deck list would read {quoted(name)} as {read_as}", advice="take a name that lists can carry"
    )


def _keyword_problems(keywords: Any, kind: Any, problems: list[Problem]) -> Iterator[str]:
    """Yield the keywords of a card, adding to ``problems`` those that are wrong or not for this type of card."""
    known: list[str] = [*PLAIN_KEYWORDS, *_KEYWORD_SAYS]
    for place, one in enumerate(keywords if isinstance(keywords, list) else ()):
        path: KeyPath = ("keywords", place)
        found: Any = None
        if isinstance(one, dict) and len(one) == 1 and next(iter(one)) in _KEYWORD_SAYS:
            found = next(iter(one))
            entry = read_record(one, ExpediteEntry if found == "expedite" else LinkEntry, path, problems)
            if isinstance(entry, ExpediteEntry) and not any(entry.expedite.values()):
                problems.append(Problem(path, "expedite: says what is to be left over, at least 1 of something"))
        elif isinstance(one, str) and one in _KEYWORD_SAYS:
            problems.append(Problem(path, f"{one} says more: {_KEYWORD_SAYS[one]}"))
        elif isinstance(one, str) and one in PLAIN_KEYWORDS:
            found = one
        else:
            near = nearest(one, known)
            advice = "" if near else f"known are {', '.join(known)}"
            problems.append(Problem(path, f"{quoted(one)} is not known", near, advice))
        if found is not None:
            fitting = KEYWORDS[found].on
            if isinstance(kind, str) and kind in _NEEDS and kind not in fitting:
                this = f"this is {phrases.with_article(kind)}"
                problems.append(Problem(path, f"{found} is for {' and '.join(fitting)} cards, {this}"))
            yield found


def _fact_problems(values: dict[str, Any]) -> Iterator[Problem]:
    """Yield facts that do not fit together, though each could stand alone."""
    traits = values.get("traits") or []
    for place, trait in enumerate(traits):
        if trait in traits[:place]:
            yield Problem(("traits", place), f"{trait} is said twice")
        elif isinstance(trait, str) and phrases.is_reserved(trait):
            text = f"{trait!r} is a word of the ability language, and phrases would mean either"
            yield Problem(("traits", place), text, advice="take another trait")
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


def called(raw: dict[Any, Any]) -> tuple[str, str]:
    """Return what a card is called in messages, whatever it is: by its number, and its name."""
    names = [raw.get(key) for key in ("title", "subtitle")]
    name = ", ".join(name for name in names if isinstance(name, str) and name)
    shown = name if all(map(is_name_sign, name)) and len(name) <= 100 else ""
    number = raw.get("number")
    return f"card {str(number)[:10] if isinstance(number, int) else '?'}", shown
