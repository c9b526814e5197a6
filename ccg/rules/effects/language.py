"""The ability language: all words, and how abilities are read from what a file or a database says."""

from __future__ import annotations

from collections.abc import Iterable, Iterator
from importlib import import_module
from pkgutil import iter_modules
from typing import Any

import msgspec

from ccg.rules.cards.schema import Ability, Mode, Step, written
from ccg.rules.decoding import Decoder
from ccg.rules.effects import words
from ccg.rules.effects.word import GROUPS, Word, keys_of


def _words() -> Iterator[type[Word]]:
    """Yield the classes with a verb in the modules of :mod:`ccg.rules.effects.words`."""
    for module in iter_modules(words.__path__):
        room = import_module(f"{words.__name__}.{module.name}")
        for kind in vars(room).values():
            own = isinstance(kind, type) and kind.__module__ == room.__name__
            if own and issubclass(kind, Word) and hasattr(kind, "verb"):
                yield kind


def by_verb(found: Iterable[type[Word]]) -> dict[str, type[Word]]:
    """Return words by their verbs, group by group; raises TypeError where two have one verb."""
    made: dict[str, type[Word]] = {}
    for word in sorted(found, key=lambda word: GROUPS.index(word.group)):
        if word is not made.setdefault(word.verb, word):
            raise TypeError(f"both {made[word.verb].__name__} and {word.__name__} have the verb {word.verb!r}")
    return made


WORDS: dict[str, type[Word]] = by_verb(_words())
"""Every word of the language, by its verb."""

KEYS = frozenset(key for word in WORDS.values() for key in keys_of(word))
"""Every key that a step may have."""


def verbs_in(keys: Iterable[Any]) -> list[str]:
    """Return those of the ``keys`` of a step that are verbs."""
    return [key for key in keys if key in WORDS]


def read_special(kind: type, raw: Any) -> Any:
    """Return a step or a mode from plain data: the hook with which msgspec reads records that hold steps.

    Raises ValueError for a step without a verb, or with two, and msgspec.ValidationError for one that does not fit.
    """
    if kind is Step:
        return _step(raw)
    if kind is Mode:
        return Mode(map(_step, raw if isinstance(raw, list) else [raw]))
    raise NotImplementedError(f"nothing is known about {kind}")


def _step(raw: Any) -> Word:
    verbs = verbs_in(list(raw)) if isinstance(raw, dict) else []
    if len(verbs) != 1:
        raise ValueError(f"a step has exactly one verb, not {' and '.join(verbs) or 'none'}")
    return msgspec.convert(raw, WORDS[verbs[0]], dec_hook=read_special)  # noqa: TID251


def read_ability(raw: Any) -> Ability:
    """Return the ability that plain data spells out, as a card file writes it; raises as :func:`read_special`."""
    return _ABILITY.from_plain(raw)


def step(**keys: Any) -> Word:
    """Return the step with these ``keys``, as a file writes them but with underscores: ``step(draw=2)``."""
    return _step({written(name): value for name, value in keys.items()})


_ABILITY = Decoder(Ability, read_special)
for _word in WORDS.values():
    Decoder(_word, read_special)  # prepared here, where there is one thread
