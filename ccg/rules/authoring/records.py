"""From what a YAML file says to typed records, with every problem told and not the first alone.

The types of a record are the schema: numbers with their bounds, choices, lists, tables, records in records.
msgspec would stop at the first thing that does not fit and speak of types; whoever writes a card file is
told everything at once, with the place, in plain words and with what they may have meant.
"""

from __future__ import annotations

import difflib
import re
import types
import typing
import unicodedata
from abc import ABC, abstractmethod
from collections.abc import Collection, Iterable, Sequence
from functools import cache
from typing import Annotated, Any, Literal, TypeVar

import msgspec
from msgspec import Meta, Struct

from ccg.rules.authoring import occasions
from ccg.rules.cards import phrases
from ccg.rules.cards.definitions import requirement
from ccg.rules.cards.schema import Mode, Step
from ccg.rules.effects.language import KEYS, WORDS, verbs_in

S = TypeVar("S", bound=Struct)
KeyPath = tuple[str | int, ...]
"""The way into a file: keys and positions, as ``("abilities", 0, "do", 1)``."""

OTHERWISE = {
    "on": "when", "whenever": "when", "trigger": "when", "event": "when", "effect": "do", "effects": "do", "then": "do",
    "optional": "may", "condition": "while", "replace": "instead of", "static": "always", "limit": "once",
}  # fmt: skip
"""Keys of abilities under the names that other games and languages have for them."""

MOST_UNKNOWN = 20
"""Unknown keys of one record that are each told; looking for what was meant takes time."""

MOST_SHOWN = 60
"""Characters of a wrong value that a message repeats."""


_READERS = {**phrases.READERS, "requirement": requirement}


class Problem(Struct, frozen=True, omit_defaults=True):
    """Something that is wrong, and where; ``str`` gives the line that a command writes.

    ``text`` says what is wrong, ``meant`` what may have been meant instead, ``advice`` what to do about it. It is
    at ``path`` inside the ``card`` (its number, or its id) with this ``name``, which stands in ``line`` of ``file``;
    ``inside`` is a file in that one, if it is an archive. Of what fails as it is played, ``scenario`` is the name.
    """

    path: KeyPath = ()
    text: str = ""
    meant: str = ""
    advice: str = ""
    file: str = ""
    inside: str = ""
    card: str = ""
    name: str = ""
    line: int = 0
    scenario: str = ""

    @property
    def where(self) -> str:
        """The card and line, as people read them."""
        return ", ".join(filter(None, (self.called, f"line {self.line}" if self.line else "")))

    @property
    def called(self) -> str:
        """What the card is called: its number or id, and its name."""
        return " ".join(filter(None, (self.card, self.name)))

    @property
    def place(self) -> str:
        """The place inside the card, as people write it; or the scenario."""
        return self.scenario or shown(self.path)

    @property
    def suggestion(self) -> str:
        """What to do about it."""
        return f"did you mean {self.meant!r}?" if self.meant else self.advice

    def __str__(self) -> str:
        line = f"line {self.line}" if self.line else ""
        at = f"{self.called} ({line})" if self.called and line else self.called or line
        where = ", ".join(filter(None, (self.file, self.inside, at)))
        return ": ".join(filter(None, (where, self.place, phrases.message(self.text, self.meant, self.advice))))


def shown(path: Sequence[str | int]) -> str:
    """Return a way into a file as people write it: ``abilities[0].do[1]``."""
    words = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)
    return words.removeprefix(".")


def nearest(word: object, known: Iterable[str]) -> str:
    """Return what may have been meant by ``word``: the nearest of ``known``, or nothing where none is near."""
    given = str(word)[:MOST_SHOWN]
    near = difflib.get_close_matches(given, list(known), n=1, cutoff=0.6)
    return near[0] if near and near[0] != given else ""


def quoted(value: object) -> str:
    """Return ``value`` as a message may repeat it: short, and with nothing in it that cannot be seen."""
    plain = not isinstance(value, str) or (value.isprintable() and not any(map(unicodedata.combining, value)))
    shown = repr(value) if plain else ascii(value)
    return shown if len(shown) <= MOST_SHOWN else f"{shown[:MOST_SHOWN]}…"


def read(raw: Any, kind: Any, path: KeyPath, problems: list[Problem]) -> Any:
    """Return ``raw`` as a value of the type ``kind``; what does not fit is added to ``problems``.

    What is given back is of use only if nothing was added.
    """
    fitting = [one for one in _alternatives(kind) if one.takes(raw)]
    if any(isinstance(one, _Choice) and raw in one.choices for one in fitting):
        return raw  # a choice among others, as "hand" beside an amount
    if raw is None and not fitting:
        problems.append(Problem(path, "is left empty", advice="give it a value or leave the key out"))
    elif not fitting:
        problems.append(_unfit(raw, kind, path))
    else:
        return fitting[0].read(raw, path, problems)
    return None


def read_record(
    raw: dict[Any, Any], kind: type[S], path: KeyPath, problems: list[Problem], known: Iterable[str] = ()
) -> S | None:
    """Return the record of type ``kind`` that ``raw`` spells out, or None with what is wrong in ``problems``.

    ``known`` are further keys that may have been meant where one is unknown.
    """
    before = len(problems)
    values = read_values(raw, kind, path, problems, known)
    return kind(**values) if len(problems) == before else None


def read_values(
    raw: dict[Any, Any], kind: type[Struct], path: KeyPath, problems: list[Problem], known: Iterable[str] = ()
) -> dict[str, Any]:
    """Return the values of a record by the names of its fields; None in place of what cannot be read."""
    fields = fields_of(kind)
    _unknown_keys(raw, fields, "key", path, problems, known)
    values = {
        fields[key].name: read(value, fields[key].type, (*path, key), problems)
        for key, value in raw.items()
        if key in fields
    }
    problems += [
        Problem(path, f"the key {key} is missing") for key, field in fields.items() if field.required and key not in raw
    ]
    return values


def _unknown_keys(
    raw: Iterable[Any],
    fields: Collection[str],
    what: str,
    path: KeyPath,
    problems: list[Problem],
    known: Iterable[str] = (),
) -> None:
    """Add a problem for each key of ``raw`` that is none of ``fields``."""
    strange = [key for key in raw if key not in fields]
    problems += [
        Problem(path, f"unknown {what} {quoted(key)}", _instead(key, fields) or nearest(key, [*fields, *known]))
        for key in strange[:MOST_UNKNOWN]
    ]
    if len(strange) > MOST_UNKNOWN:
        problems.append(Problem(path, f"and {len(strange) - MOST_UNKNOWN} more unknown keys"))


def _instead(key: object, fields: Collection[str]) -> str:
    """Return the key that stands here for what other games call ``key``."""
    meant = OTHERWISE.get(str(key).lower(), "")
    return meant if meant in fields else ""


@cache
def fields_of(kind: type[Struct]) -> dict[str, msgspec.structs.FieldInfo]:
    """Return the keys of ``kind`` as they are written; kept, since finding their types takes longer than reading."""
    return {field.encode_name: field for field in msgspec.structs.fields(kind)}


def forms_of(kind: type[Struct]) -> dict[str, dict[str, Any]]:
    """Return the keys of ``kind`` that name a form of ability, with what the schema says of them."""
    return _marked(kind, "form")


@cache
def _marked(kind: type[Struct], mark: str) -> dict[str, dict[str, Any]]:
    return {
        key: one.extra
        for key, field in fields_of(kind).items()
        for one in getattr(field.type, "__metadata__", ())
        if one.extra and mark in one.extra
    }


@cache
def phrase_of(kind: Any) -> str | None:
    """Return the kind of phrase that a key of this type takes, if it takes one."""
    for one in _alternatives(kind):
        inside = phrase_of(one.inside) if isinstance(one, _List) else (one.meta.extra or {}).get("phrase")
        if inside is not None:
            return str(inside)
    return None


# ---------------------------------------------------------------- what a type allows


class _Kind(ABC):
    """One alternative of a type."""

    words = ""

    def __init__(self, meta: Meta | None = None) -> None:
        self.meta = meta or Meta()

    @abstractmethod
    def takes(self, raw: Any) -> bool:
        """Return whether ``raw`` is at least of this sort."""

    def read(self, raw: Any, path: KeyPath, problems: list[Problem]) -> Any:
        """Return the value, adding to ``problems`` what does not fit."""
        return raw


class _Bool(_Kind):
    words = "true or false"

    def takes(self, raw: Any) -> bool:
        return isinstance(raw, bool)


class _Int(_Kind):
    words = "a whole number"

    def takes(self, raw: Any) -> bool:
        return isinstance(raw, int) and not isinstance(raw, bool)

    def read(self, raw: Any, path: KeyPath, problems: list[Problem]) -> Any:
        least, most = self.meta.ge, self.meta.le
        if least is not None and raw < least:
            problems.append(Problem(path, f"is at least {least}, not {raw}"))
        elif most is not None and raw > most:
            problems.append(Problem(path, f"is at most {most}, not {raw}"))
        return raw


class _Text(_Kind):
    words = "text"

    def takes(self, raw: Any) -> bool:
        return isinstance(raw, str)

    def read(self, raw: Any, path: KeyPath, problems: list[Problem]) -> Any:
        meta = self.meta
        if len(raw) < (meta.min_length or 0):
            problems.append(Problem(path, "is left empty", advice="give it a value or leave the key out"))
        elif meta.max_length is not None and len(raw) > meta.max_length:
            problems.append(Problem(path, f"is longer than {meta.max_length} characters"))
        elif meta.pattern is not None and not re.search(meta.pattern, raw):
            problems.append(Problem(path, f"{quoted(raw)}: {meta.description or 'has a wrong form'}"))
        elif meta.extra and "phrase" in meta.extra:
            try:
                _READERS[meta.extra["phrase"]](raw)
            except phrases.PhraseError as error:
                if meta.extra["phrase"] == "occasion":
                    problems.append(Problem(path, *occasions.told(raw, error)))
                else:
                    problems.append(Problem(path, error.text, error.meant, error.advice))
            except ValueError as error:
                problems.append(Problem(path, str(error)))
        return raw


class _Choice(_Kind):
    def __init__(self, choices: tuple[Any, ...]) -> None:
        super().__init__()
        self.choices = choices
        self.words = f"one of {', '.join(map(str, choices))}"

    def takes(self, raw: Any) -> bool:
        return isinstance(raw, str)

    def read(self, raw: Any, path: KeyPath, problems: list[Problem]) -> Any:
        if raw not in self.choices:
            near = nearest(raw, self.choices)
            advice = "" if near else f"known are {', '.join(self.choices)}"
            problems.append(Problem(path, f"{quoted(raw)} is not known", near, advice))
        return raw


class _List(_Kind):
    def __init__(self, inside: Any, meta: Meta | None) -> None:
        super().__init__(meta)
        self.inside = inside
        self.words = "a list"

    def takes(self, raw: Any) -> bool:
        return isinstance(raw, list)

    def read(self, raw: Any, path: KeyPath, problems: list[Problem]) -> Any:
        least, most = self.meta.min_length or 0, self.meta.max_length
        if len(raw) < least:
            problems.append(Problem(path, f"has at least {least} in its list"))
        if most is not None and len(raw) > most:
            problems.append(Problem(path, f"has at most {most} in its list"))
            return None
        return [read(one, self.inside, (*path, place), problems) for place, one in enumerate(raw)]


class _Table(_Kind):
    words = "keys and values"

    def __init__(self, keys: Any, values: Any) -> None:
        super().__init__()
        self.keys, self.values = keys, values

    def takes(self, raw: Any) -> bool:
        return isinstance(raw, dict)

    def read(self, raw: Any, path: KeyPath, problems: list[Problem]) -> Any:
        found = {}
        for key, value in list(raw.items())[:MOST_UNKNOWN]:
            found[read(key, self.keys, path, problems)] = read(value, self.values, (*path, str(key)[:20]), problems)
        return found


class _Record(_Kind):
    words = "keys and values"

    def __init__(self, kind: type[Struct]) -> None:
        super().__init__()
        self.kind = kind

    def takes(self, raw: Any) -> bool:
        return isinstance(raw, dict)

    def read(self, raw: Any, path: KeyPath, problems: list[Problem]) -> Any:
        return read_record(raw, self.kind, path, problems)


class _Step(_Kind):
    """A step: which word it is says its verb."""

    words = "keys and values"

    def takes(self, raw: Any) -> bool:
        return isinstance(raw, dict)

    def read(self, raw: Any, path: KeyPath, problems: list[Problem]) -> Any:
        verbs = verbs_in(raw)
        if len(verbs) == 1:
            word = WORDS[verbs[0]]
            strange = [key for key in raw if key in KEYS and key not in fields_of(word)]
            problems += [Problem((*path, key), f"has no meaning with `{verbs[0]}`") for key in strange]
            rest = {key: raw[key] for key in raw if key not in strange}
            return read_record(rest, word, path, problems, KEYS)
        _unknown_keys(raw, KEYS, "key" if verbs else "verb", path, problems)
        if verbs:
            has = " and ".join(f"`{verb}`" for verb in verbs)
            problems.append(Problem(path, f"has {has}", advice="make each a step of its own"))
        elif all(key in KEYS for key in raw):
            problems.append(Problem(path, "needs a verb"))
        return None


class _Mode(_Kind):
    """One of several ways: a step, or a list of steps."""

    words = "keys and values or a list"

    def takes(self, raw: Any) -> bool:
        return isinstance(raw, dict | list)

    def read(self, raw: Any, path: KeyPath, problems: list[Problem]) -> Any:
        if isinstance(raw, dict):
            return Mode([read(raw, Step, path, problems)])
        if not raw:
            problems.append(Problem(path, "is left empty"))
        return Mode(read(one, Step, (*path, place), problems) for place, one in enumerate(raw))


class _Anything(_Kind):
    def takes(self, raw: Any) -> bool:
        return True


_PLAIN: dict[Any, type[_Kind]] = {
    bool: _Bool, int: _Int, str: _Text, Any: _Anything, Step: _Step, Mode: _Mode,
}  # fmt: skip


@cache
def _alternatives(kind: Any, meta: Meta | None = None) -> tuple[_Kind, ...]:
    """Return what a type allows. Null is nothing that a file may say: a key without a value is a mistake."""
    origin, inside = typing.get_origin(kind), typing.get_args(kind)
    if origin is Annotated:
        return _alternatives(inside[0], next((one for one in inside[1:] if _limits(one)), meta))
    if origin in (typing.Union, types.UnionType):
        return tuple(one for part in inside if part is not types.NoneType for one in _alternatives(part, meta))
    if origin is Literal:
        return (_Choice(inside),)
    if origin is list:
        return (_List(inside[0], meta),)
    if origin is dict:
        return (_Table(*inside),)
    if isinstance(kind, type) and issubclass(kind, Struct):
        return (_Record(kind),)
    return (_PLAIN[kind](meta),)


def _limits(meta: Meta) -> bool:
    """Return whether ``meta`` says what may stand there, and not only what it means."""
    bounds = (meta.ge, meta.le, meta.min_length, meta.max_length, meta.pattern)
    return any(bound is not None for bound in bounds)


_SORTS = ((bool, "true or false"), (int, "a number"), (float, "a number with a point"), (str, "text"),
          (list, "a list"), (dict, "keys and values"))  # fmt: skip


def _unfit(raw: Any, kind: Any, path: KeyPath) -> Problem:
    wanted = list(dict.fromkeys(one.words for one in _alternatives(kind)))
    sort = next((words for type_, words in _SORTS if isinstance(raw, type_)), "something else")
    value = f" ({quoted(raw)})" if isinstance(raw, bool | float | str) else ""
    hint = "put it in quotes" if "text" in wanted and isinstance(raw, bool | int | float) else ""
    return Problem(path, f"expected {' or '.join(wanted)}, not {sort}{value}", advice=hint)
