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
from collections.abc import Iterable, Sequence
from functools import cache
from typing import Annotated, Any, Literal, NamedTuple, TypeVar

import msgspec
from msgspec import Meta, Struct

from ccg.rules.cards import requirement
from ccg.rules.language import phrases

S = TypeVar("S", bound=Struct)
Path = tuple[str | int, ...]
"""The way into a file: keys and positions, as ``("abilities", 0, "do", 1)``."""

MOST_UNKNOWN = 20
"""Unknown keys of one record that are each told; looking for what was meant takes time."""

MOST_SHOWN = 60
"""Characters of a wrong value that a message repeats."""


_READERS = {**phrases.READERS, "requirement": requirement}


class Problem(NamedTuple):
    """Something that is wrong, and where."""

    path: Path
    text: str

    def __str__(self) -> str:
        return ": ".join(filter(None, (shown(self.path), self.text)))


def shown(path: Sequence[str | int]) -> str:
    """Give a way into a file as people write it: ``abilities[0].do[1]``."""
    words = "".join(f"[{step}]" if isinstance(step, int) else f".{step}" for step in path)
    return words.removeprefix(".")


def did_you_mean(word: object, known: Iterable[str]) -> str:
    """Give ", did you mean 'x'?" for the nearest of ``known``, or nothing where none is near."""
    said = str(word)[:MOST_SHOWN]
    near = difflib.get_close_matches(said, list(known), n=1, cutoff=0.6)
    return f", did you mean {near[0]!r}?" if near and near[0] != said else ""


def quoted(value: object) -> str:
    """Give ``value`` as a message may repeat it: short, and with nothing in it that cannot be seen."""
    plain = not isinstance(value, str) or (value.isprintable() and not any(map(unicodedata.combining, value)))
    said = repr(value) if plain else ascii(value)
    return said if len(said) <= MOST_SHOWN else f"{said[:MOST_SHOWN]}…"


def read(raw: Any, kind: Any, path: Path, problems: list[Problem]) -> Any:
    """Give ``raw`` as a value of the type ``kind``; what does not fit is added to ``problems``.

    What is given back is of use only if nothing was added.
    """
    fitting = [one for one in _alternatives(kind) if one.takes(raw)]
    if any(isinstance(one, _Choice) and raw in one.choices for one in fitting):
        return raw  # a choice among others, as "hand" beside an amount
    if raw is None and not fitting:
        problems.append(Problem(path, "is left empty; give it a value or leave the key out"))
    elif not fitting:
        problems.append(Problem(path, _unfit(raw, kind)))
    else:
        return fitting[0].read(raw, path, problems)
    return None


def read_record(raw: dict[Any, Any], kind: type[S], path: Path, problems: list[Problem]) -> S | None:
    """Give the record of type ``kind`` that ``raw`` spells out, or None with what is wrong in ``problems``."""
    before = len(problems)
    values = read_values(raw, kind, path, problems)
    return kind(**values) if len(problems) == before else None


def read_values(raw: dict[Any, Any], kind: type[Struct], path: Path, problems: list[Problem]) -> dict[str, Any]:
    """Give the values of a record by the names of its fields; None in place of what cannot be read."""
    fields = fields_of(kind)
    strange = [key for key in raw if key not in fields]
    problems += [
        Problem(path, f"unknown {_key_of(kind, raw)} {quoted(key)}{did_you_mean(key, fields)}")
        for key in strange[:MOST_UNKNOWN]
    ]
    if len(strange) > MOST_UNKNOWN:
        problems.append(Problem(path, f"and {len(strange) - MOST_UNKNOWN} more unknown keys"))
    values = {
        fields[key].name: read(value, fields[key].type, (*path, key), problems)
        for key, value in raw.items()
        if key in fields
    }
    problems += [
        Problem(path, f"the key {key} is missing") for key, field in fields.items() if field.required and key not in raw
    ]
    return values


@cache
def fields_of(kind: type[Struct]) -> dict[str, msgspec.structs.FieldInfo]:
    """Give the keys of ``kind`` as they are written; kept, since finding their types takes longer than reading."""
    return {field.encode_name: field for field in msgspec.structs.fields(kind)}


def _key_of(kind: type[Struct], raw: dict[Any, Any]) -> str:
    """Say what an unknown key of a record may have been meant for: a step without a verb lacks just that."""
    verbs = verbs_of(kind)
    return "verb" if verbs and not any(key in verbs for key in raw) else "key"


def verbs_of(kind: type[Struct]) -> dict[str, dict[str, Any]]:
    """Give the keys of ``kind`` that are verbs, with what the schema says of them: keys that go along, and where."""
    return _marked(kind, "verb")


def forms_of(kind: type[Struct]) -> dict[str, dict[str, Any]]:
    """Give the keys of ``kind`` that name a form of ability, with what the schema says of them."""
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
    """Give the kind of phrase that a key of this type takes, if it takes one."""
    for one in _alternatives(kind):
        inside = phrase_of(one.inside) if isinstance(one, _List) else (one.meta.extra or {}).get("phrase")
        if inside is not None:
            return str(inside)
    return None


# ---------------------------------------------------------------- what a type allows


class _Kind:
    """One alternative of a type."""

    words = ""

    def __init__(self, meta: Meta | None = None) -> None:
        self.meta = meta or Meta()

    def takes(self, raw: Any) -> bool:
        """Whether ``raw`` is at least of this sort."""
        raise NotImplementedError

    def read(self, raw: Any, path: Path, problems: list[Problem]) -> Any:
        """Give the value, adding to ``problems`` what does not fit."""
        return raw


class _Bool(_Kind):
    words = "true or false"

    def takes(self, raw: Any) -> bool:
        return isinstance(raw, bool)


class _Int(_Kind):
    words = "a whole number"

    def takes(self, raw: Any) -> bool:
        return isinstance(raw, int) and not isinstance(raw, bool)

    def read(self, raw: Any, path: Path, problems: list[Problem]) -> Any:
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

    def read(self, raw: Any, path: Path, problems: list[Problem]) -> Any:
        meta = self.meta
        if len(raw) < (meta.min_length or 0):
            problems.append(Problem(path, "is left empty; give it a value or leave the key out"))
        elif meta.max_length is not None and len(raw) > meta.max_length:
            problems.append(Problem(path, f"is longer than {meta.max_length} characters"))
        elif meta.pattern is not None and not re.search(meta.pattern, raw):
            problems.append(Problem(path, f"{quoted(raw)}: {meta.description or 'has a wrong form'}"))
        elif meta.extra and "phrase" in meta.extra:
            try:
                _READERS[meta.extra["phrase"]](raw)
            except ValueError as error:  # PhraseError is one
                problems.append(Problem(path, str(error)))
        return raw


class _Choice(_Kind):
    def __init__(self, choices: tuple[Any, ...]) -> None:
        super().__init__()
        self.choices = choices
        self.words = f"one of {', '.join(map(str, choices))}"

    def takes(self, raw: Any) -> bool:
        return isinstance(raw, str)

    def read(self, raw: Any, path: Path, problems: list[Problem]) -> Any:
        if raw not in self.choices:
            near = did_you_mean(raw, self.choices) or f"; known are {', '.join(self.choices)}"
            problems.append(Problem(path, f"{quoted(raw)} is not known{near}"))
        return raw


class _List(_Kind):
    def __init__(self, inside: Any, meta: Meta | None) -> None:
        super().__init__(meta)
        self.inside = inside
        self.words = "a list"

    def takes(self, raw: Any) -> bool:
        return isinstance(raw, list)

    def read(self, raw: Any, path: Path, problems: list[Problem]) -> Any:
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

    def read(self, raw: Any, path: Path, problems: list[Problem]) -> Any:
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

    def read(self, raw: Any, path: Path, problems: list[Problem]) -> Any:
        return read_record(raw, self.kind, path, problems)


class _Anything(_Kind):
    def takes(self, raw: Any) -> bool:
        return True


_PLAIN: dict[Any, type[_Kind]] = {bool: _Bool, int: _Int, str: _Text, Any: _Anything}


@cache
def _alternatives(kind: Any, meta: Meta | None = None) -> tuple[_Kind, ...]:
    """Give what a type allows. Null is nothing that a file may say: a key without a value is a mistake."""
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
    """Whether ``meta`` says what may stand there, and not only what it means."""
    bounds = (meta.ge, meta.le, meta.min_length, meta.max_length, meta.pattern)
    return any(bound is not None for bound in bounds)


_SORTS = ((bool, "true or false"), (int, "a number"), (float, "a number with a point"), (str, "text"),
          (list, "a list"), (dict, "keys and values"))  # fmt: skip


def _unfit(raw: Any, kind: Any) -> str:
    wanted = list(dict.fromkeys(one.words for one in _alternatives(kind)))
    sort = next((words for type_, words in _SORTS if isinstance(raw, type_)), "something else")
    value = f" ({quoted(raw)})" if isinstance(raw, bool | float | str) else ""
    hint = "; put it in quotes" if "text" in wanted and isinstance(raw, bool | int | float) else ""
    return f"expected {' or '.join(wanted)}, not {sort}{value}{hint}"
