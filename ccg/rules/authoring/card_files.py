"""Card set files: one folder a set, ``set.yaml`` for the set itself and any other ``*.yaml`` for cards; or
one file with both, under the keys ``set`` and ``cards``.

What a card may say is :mod:`ccg.rules.authoring.card_entries`; what is read becomes
:class:`~ccg.rules.cards.definitions.CardDef` (the card, for the rules) and :class:`Printing` (its place in the set,
for collectors and the site). Everything that is wrong is found in one reading and named by file, card
and place, since whoever writes a set wants to mend it once.
"""

from __future__ import annotations

import unicodedata
from collections.abc import Iterable, Iterator, Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple

import yaml
from msgspec import Struct, structs

from ccg.rules.authoring import known_words, yaml_files
from ccg.rules.authoring.card_entries import CardEntry, Rarity, SetEntry, called, card_def, read_entry
from ccg.rules.authoring.deck_lines import bare_printing
from ccg.rules.authoring.names import strange_sign
from ccg.rules.authoring.records import Problem, nearest, quoted, read_record
from ccg.rules.authoring.yaml_files import YamlError, line_of
from ccg.rules.cards.definitions import CardDef, Catalog, fold
from ccg.rules.effects.compiling import AbilityError, compile_card

SETS = Path(__file__).resolve().parents[3] / "cards_data" / "sets"
"""Where the project keeps its own card sets."""

MAX_BYTES = yaml_files.MAX_BYTES
MOST_CARDS = 2_000
MOST_TOLD = 200
"""Problems after which reading stops: a file that is wrong all over is no card file."""


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
    """A set file that cannot be read as such; ``problems`` name file, card and place.

    ``sets`` is what could be read nevertheless, for those who look for further problems in it, and ``places`` where
    each printing of it stands, by its id.
    """

    def __init__(
        self, problems: list[Problem], sets: Iterable[CardSet] = (), places: Mapping[str, FilePosition] | None = None
    ) -> None:
        super().__init__("\n".join(map(str, problems)))
        self.problems = problems
        self.sets = tuple(sets)
        self.places = dict(places or {})


# --- reading sets -------------------------------------------------------------------------------------


def set_folders(*paths: Path) -> list[Path]:
    """Return the sets that ``paths`` mean: a set folder or a file with a whole set is itself, any other folder
    means every set folder directly in it.

    Raises :class:`CardFileError` for a path without a set.
    """
    found: list[Path] = []
    problems: list[Problem] = []
    for path in paths:
        is_set = path.is_file() if path.suffix == ".yaml" else (path / "set.yaml").is_file()
        inside = [path] if is_set else sorted(p.parent for p in path.glob("*/set.yaml"))
        if not inside:
            problems.append(Problem(text="no set.yaml here nor in a folder directly inside", file=str(path)))
        found += [folder for folder in inside if folder not in found]
    if problems:
        raise CardFileError(problems)
    return found


def read_set(folder: Path) -> CardSet:
    """Read the set in ``folder``; raises :class:`CardFileError` with everything that is wrong inside it.

    Whether its reprints name cards of other sets is only known with those: see :func:`read_sets`.
    """
    problems: list[Problem] = []
    read = _read(folder, problems)
    if problems or read is None:
        raise CardFileError(_cut(problems))
    return read.set


def read_sets(folders: Iterable[Path], known: Iterable[CardSet] = ()) -> list[CardSet]:
    """Read the sets in ``folders``, which may reprint each other's cards and those of ``known`` sets.

    A set that is read takes the place of the known one with its code. Raises :class:`CardFileError` with
    everything that is wrong in any of them.
    """
    return read_placed(folders, known)[0]


def read_placed(
    folders: Iterable[Path], known: Iterable[CardSet] = ()
) -> tuple[list[CardSet], dict[str, FilePosition]]:
    """Do as :func:`read_sets`, and return also where each printing stands, by its id."""
    problems: list[Problem] = []
    read = [one for folder in folders if (one := _read(folder, problems))]
    codes = {one.set.code for one in read}
    _check_together(read, [one for one in known if one.code not in codes], problems)
    sets = [one.set for one in read]
    places = {printing: place for one in read for printing, place in one.places.items()}
    if problems:
        raise CardFileError(_cut(problems), sets, places)
    return sets, places


def _cut(problems: list[Problem]) -> list[Problem]:
    """Return ``problems`` each once, and not without end."""
    different = list(dict.fromkeys(problems))
    return (
        different
        if len(different) <= MOST_TOLD
        else [*different[:MOST_TOLD], Problem(text="and more", advice="mend these first")]
    )


def read_catalog(folders: Iterable[Path] | None = None) -> Catalog:
    """Read every set in ``folders`` (default: the project's own) into one catalogue."""
    chosen = set_folders(SETS) if folders is None else folders
    return Catalog(card for one in read_sets(chosen) for card in one.cards)


class FilePosition(NamedTuple):
    """Where a card stands: its file, its number and name there, and the node that knows the lines."""

    file: str
    card: str
    name: str
    node: yaml.Node

    def __str__(self) -> str:
        return str(self.problem(""))

    def problem(self, text: str, meant: str = "", advice: str = "") -> Problem:
        """Return a problem with the card as a whole."""
        return self.placed(Problem((), text, meant, advice))

    def placed(self, problem: Problem) -> Problem:
        """Return a problem inside the card with the card's place."""
        line = line_of(self.node, problem.path)
        return structs.replace(problem, file=self.file, card=self.card, name=self.name, line=line)


class _Read(Struct):
    """A set with what only its files know: where each printing stands, and the names of reprints."""

    set: CardSet
    source: str
    places: dict[str, FilePosition]
    reprints: dict[str, str]


def _read(source: Path, problems: list[Problem]) -> _Read | None:
    head, entries = (_whole if source.suffix == ".yaml" else _spread)(source, problems)
    if head is None:
        return None
    cards: list[CardDef] = []
    printings: list[Printing] = []
    places: dict[str, FilePosition] = {}
    reprints: dict[str, str] = {}
    for place, entry in sorted(entries, key=lambda item: item[1].number):
        printing_id = f"{head.code}-{entry.number:0{head.digits}}"
        if printing_id in places:
            problems.append(place.problem(f"{printing_id} is already {places[printing_id]}"))
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
                problems.append(place.problem(str(error)))
            cards.append(card)
    whole = CardSet(code=head.code, name=head.name, year=head.year, cards=tuple(cards), printings=tuple(printings))
    return _Read(whole, source.name, places, reprints)


def _folded(name: str) -> tuple[str, str]:
    """Return the name as it is compared, told from the looks of names."""
    return "folded", fold(name)


def _check_together(read: Sequence[_Read], known: Sequence[CardSet], problems: list[Problem]) -> None:
    """Check what no set can know alone: codes, names that two cards share, cards and words that are named."""
    _check_codes(read, known, problems)
    cards = _check_names(read, known, problems)
    for stored in known:
        problems += [
            Problem(
                text=f"{printing.id} reprints {printing.card}, which would not be there any more",
                advice="keep that card in its set's files, or mend the set code of the new ones if it is wrong",
            )
            for printing in stored.printings
            if printing.card not in cards
        ]
    words = known_words.Known.of(cards.values())
    for one in read:
        problems += [
            one.places[card.id].placed(p) for card in one.set.cards for p in known_words.unknown_words(card, words)
        ]
        _check_reprints(one, cards, problems)


def _check_codes(read: Sequence[_Read], known: Sequence[CardSet], problems: list[Problem]) -> None:
    """Check that no two sets have one code or one name, or codes that look alike."""
    codes = {look(one.code): one.code for one in known}
    names = {fold(one.name): one.code for one in known}
    for one in read:
        code = one.set.code
        if code in codes.values():
            problems.append(Problem(text=f"two folders say they are the set {code}", file=one.source))
        elif codes.setdefault(look(code), code) != code:
            alike = f"the code {code} looks like {codes[look(code)]}"
            problems.append(Problem(text=alike, advice="choose another", file=one.source))
        codes[look(code)] = code
        if (other := names.setdefault(fold(one.set.name), code)) != code:
            alike = f"the set {other} is called {one.set.name} already"
            problems.append(Problem(text=alike, advice="choose another name", file=one.source))


def _check_names(read: Sequence[_Read], known: Sequence[CardSet], problems: list[Problem]) -> dict[str, CardDef]:
    """Check that no card has a name that another one has, looks like, or that lists cannot carry; return all cards."""
    cards = {card.id: card for one in known for card in one.cards}
    # Both ways: a name in capitals looks like others than the same in small letters, and lists find both by either.
    named = {way(card.name): card.id for card in cards.values() if card.type != "base" for way in (look, _folded)}
    every_code = {one.code.casefold() for one in (*known, *(one.set for one in read))}
    for one in read:
        for card in one.set.cards:
            cards[card.id] = card
            ways = (_folded, look) if card.type != "base" else ()
            firsts = [named.setdefault(way(card.name), card.id) for way in ways]
            first = next((other for other in firsts if other != card.id), card.id)
            if first != card.id:
                same = fold(card.name) == fold(cards[first].name)
                as_name = f"is the name of {first} already", f"say reprint_of: {first}"
                in_looks = f"looks like the name of {first}, {cards[first].name}", "choose another"
                text, advice = as_name if same else in_looks
                problems.append(one.places[card.id].problem(f"{card.name} {text}", advice=advice))
            if bare_printing(card.name, every_code):
                text = f"a deck list would read {quoted(card.name)} as set and number"
                problems.append(one.places[card.id].problem(text, advice="take a name that lists can carry"))
    return cards


def _check_reprints(one: _Read, cards: Mapping[str, CardDef], problems: list[Problem]) -> None:
    """Check that what a set reprints is there, under the same name."""
    for printing_id, name in one.reprints.items():
        original = next(p.card for p in one.set.printings if p.id == printing_id)
        place = one.places[printing_id]
        if original not in cards:
            wrong = Problem(("reprint_of",), f"there is no card {original!r}", nearest(original, cards))
            problems.append(place.placed(wrong))
        elif fold(name) != fold(cards[original].name):
            wrong = Problem(("reprint_of",), f"{original} is {cards[original].name}, not {name}")
            problems.append(place.placed(wrong))


def look(name: str) -> str:
    """Return ``name`` in the form in which names that look alike are the same: O like 0, capital I and l like 1."""
    return fold(unicodedata.normalize("NFKD", name).replace("I", "1").replace("l", "1").replace("0", "O"))


# --- files --------------------------------------------------------------------------------------------

_Parts = tuple[SetEntry | None, list[tuple[FilePosition, CardEntry]]]
"""What the files of a set say: of the set itself, and of each card with its place."""


def _spread(folder: Path, problems: list[Problem]) -> _Parts:
    """Read a set that is spread over the files of a folder."""
    head: SetEntry | None = None
    entries: list[tuple[FilePosition, CardEntry]] = []
    problems += [
        Problem(text="is not read", advice="card files end in .yaml", file=f"{folder.name}/{path.name}")
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


def _whole(path: Path, problems: list[Problem]) -> _Parts:
    """Read a set that is one file with the keys ``set`` and ``cards``."""
    loaded = _load(path, path.name, problems)
    if loaded is None:
        return None, []
    raw, node = loaded
    if not isinstance(raw, dict) or raw.keys() != {"set", "cards"}:
        keys = "expected the keys set (code, name, year, digits) and cards (a list), no others"
        problems.append(Problem(text=keys, file=path.name))
        return None, []
    below = {key.value: value for key, value in node.value}
    entries = list(_entries(raw["cards"], below["cards"], path.name, problems))
    return _head(raw["set"], below["set"], path.name, problems), _not_too_many(entries, path.name, problems)


def _not_too_many(
    entries: list[tuple[FilePosition, CardEntry]], name: str, problems: list[Problem]
) -> list[tuple[FilePosition, CardEntry]]:
    if len(entries) > MOST_CARDS:
        problems.append(Problem(text=f"more than {MOST_CARDS:,} cards", file=name))
    return entries[:MOST_CARDS]


def _head(raw: Any, node: yaml.Node, name: str, problems: list[Problem]) -> SetEntry | None:
    if not isinstance(raw, dict):
        problems.append(Problem(text="expected the keys code, name, year and digits", file=name))
        return None
    found: list[Problem] = []
    head = read_record(raw, SetEntry, (), found)
    title = raw.get("name")
    if isinstance(title, str) and (strange := strange_sign(title)):
        found.append(structs.replace(strange, path=("name",)))
    elif isinstance(title, str) and title != " ".join(title.split()):
        found.append(Problem(("name",), f"the name {quoted(title)} has spaces that cannot be seen"))
    problems += [structs.replace(problem, file=name, line=line_of(node, problem.path)) for problem in found]
    return None if found else head


def _entries(
    raws: Any, node: yaml.Node, name: str, problems: list[Problem]
) -> Iterator[tuple[FilePosition, CardEntry]]:
    """Yield each card of a list that can be read, with its place."""
    if not isinstance(raws, list):
        problems.append(Problem(text="expected a list of cards", file=name))
        return
    for raw, item in zip(raws, node.value, strict=True):
        if len(problems) >= MOST_TOLD:
            return
        if not isinstance(raw, dict):
            problems.append(Problem(text="expected a card, keys and values", file=name, line=line_of(item, ())))
            continue
        place = FilePosition(name, *called(raw), item)
        entry, found = read_entry(raw)
        problems += [place.placed(problem) for problem in found]
        if entry is not None:
            yield place, entry


def _load(path: Path, name: str, problems: list[Problem]) -> tuple[Any, yaml.Node] | None:
    """Return what the file says and the nodes that know the lines; None if it cannot be read."""
    try:
        return yaml_files.load(path)
    except YamlError as error:
        problems.append(Problem(text=error.text, advice=error.advice, file=name, line=error.line))
    return None
