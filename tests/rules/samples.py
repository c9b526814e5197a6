"""Values that the keys of words may have, made up from what the keys say they take: a new word needs no row here."""

from __future__ import annotations

from collections.abc import Iterator, Mapping
from functools import cache
from typing import Any

import msgspec.inspect as types

from ccg.rules.effects.word import Word

PHRASES = {
    "selector": "target unit", "cards": "card", "players": "each player", "amount": "cards in your hand",
    "condition": "a challenge", "cost": "commit",
}  # fmt: skip
"""A phrase of each kind."""


@cache
def keys(word: type[Word]) -> Mapping[str, types.Type]:
    """Return what each key of ``word`` takes, by its name as it is written."""
    info = types.type_info(word)
    assert isinstance(info, types.StructType)
    return {field.encode_name: field.type for field in info.fields}


def kinds(kind: types.Type) -> Iterator[tuple[str, types.Type]]:
    """Yield each type that a value may be, with the kind of phrase that it is, or ""."""
    phrase = ""
    while isinstance(kind, types.Metadata):
        phrase = (kind.extra or {}).get("phrase", phrase)
        kind = kind.type
    if isinstance(kind, types.UnionType):
        for one in kind.types:
            yield from kinds(one)
    else:
        yield phrase, kind


def values(kind: types.Type) -> Iterator[Any]:
    """Yield a value of each kind that a key takes, and every word that stands for itself."""
    for phrase, one in kinds(kind):
        match one:
            case _ if phrase:
                yield PHRASES[phrase]
            case types.IntType(ge=least):
                yield max(least or 0, 2)
            case types.LiteralType(values=said):
                yield from said
            case types.ListType():
                yield [{"draw": 1}, {"gain": 1}]
            case types.BoolType():
                yield True
            case types.StrType():
                yield "Cylon"
