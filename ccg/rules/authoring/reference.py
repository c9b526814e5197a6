"""The reference of the ability language, made from what the language is: schema, grammar and real cards.

What a key or a word means stands beside it, in :mod:`~ccg.rules.cards.schema` and grammar.lark. The
examples are abilities of cards as they stand in the set files, each with the words that are made from it;
every one of these cards has scenarios.
"""

from __future__ import annotations

from collections import defaultdict
from collections.abc import Iterable, Iterator, Sequence
from functools import cache
from pathlib import Path
from typing import Any, NamedTuple

import yaml
from msgspec import Struct
from msgspec.inspect import (
    BoolType,
    CustomType,
    IntType,
    ListType,
    LiteralType,
    Metadata,
    StrType,
    StructType,
    Type,
    UnionType,
    type_info,
)

from ccg.rules.authoring.card_files import read_sets
from ccg.rules.cards import phrases
from ccg.rules.cards.definitions import CardDef
from ccg.rules.cards.schema import Ability
from ccg.rules.effects.language import WORDS
from ccg.rules.effects.word import GROUPS, Word
from ccg.rules.telling.wording import ability_text, plain

GRAMMAR = Path(phrases.__file__).with_name("grammar.lark")
Mark = tuple[str, str]
"""Something that an ability can use: ("step", "ready"), ("ability", "cost"), ("players", "each_opponent")."""


class Example(NamedTuple):
    """An ability of a card as it stands in its set file, the words made from it, and what it uses.

    ``uses`` gives the phrase for each form of a phrase and each word, and "" for keys.
    """

    card: CardDef
    yaml: str
    words: str
    uses: dict[Mark, str]


class Key(NamedTuple):
    """What the schema says about one key of a step or an ability."""

    name: str
    yaml_name: str
    meaning: str
    takes: str
    extra: dict[str, Any]


class VerbEntry(NamedTuple):
    """What a word says about itself: its verb, what the verb means and takes, and the keys that may go with it."""

    word: type[Word]
    meaning: str
    takes: str
    keys: tuple[str, ...]


class Form(NamedTuple):
    """One form of a phrase as grammar.lark has it: its words with examples put in, and what it means.

    ``names`` are what :func:`~ccg.rules.cards.phrases.forms` calls it: its name in the grammar, or the
    words themselves.
    """

    names: frozenset[str]
    words: str
    meaning: str


# ---------------------------------------------------------------- what the schema says

KINDS = {
    "selector": "[cards in play](#who-or-what)",
    "cards": "[a kind of card](#who-or-what)",
    "players": "[players](#players)",
    "amount": "[an amount](#how-much)",
    "occasion": "[an occasion](#when)",
    "condition": "[a condition](#while-what)",
    "cost": "words for a cost",
    "help": "words for a cost",
    "requirement": "a unit",
}
"""Each kind of phrase as a reader of the page knows it."""


def keys(record: type[Struct]) -> list[Key]:
    """Return what the schema says about each key of ``record``, in the order of its fields."""
    found = []
    for field in _fields(record):
        meaning = ""
        extra: dict[str, Any] = {}
        kind = field.type
        while isinstance(kind, Metadata):
            meaning = (kind.extra_json_schema or {}).get("description", meaning)
            extra = {**(kind.extra or {}), **extra}
            kind = kind.type
        found.append(Key(field.name, field.encode_name, meaning, " or ".join(_takes(field.type)), extra))
    return found


def verbs() -> list[VerbEntry]:
    """Return what the words say about themselves, group by group."""
    found = []
    for word in sorted(WORDS.values(), key=lambda word: GROUPS.index(word.group)):
        known = keys(word)
        own = next(key for key in known if key.yaml_name == word.verb)
        others = tuple(key.yaml_name for key in known if key.yaml_name != word.verb)
        found.append(VerbEntry(word, " ".join((word.__doc__ or "").split()), own.takes, others))
    return found


def companions() -> list[tuple[Key, tuple[str, ...]]]:
    """Return the keys that go with verbs, each once for each meaning that it has, with these verbs."""
    found: dict[tuple[str, str], tuple[Key, list[str]]] = {}
    for word in WORDS.values():
        for key in keys(word):
            if key.yaml_name != word.verb:
                found.setdefault((key.yaml_name, key.meaning), (key, []))[1].append(word.verb)
    return [(key, tuple(verbs)) for key, verbs in found.values()]


@cache
def _fields(record: type[Struct]) -> Sequence[Any]:
    info = type_info(record)
    assert isinstance(info, StructType)
    return info.fields


def _takes(kind: Type) -> Iterator[str]:
    """Yield in words what a key may be given."""
    if isinstance(kind, Metadata):
        phrase = (kind.extra or {}).get("phrase")
        if phrase is not None:
            yield KINDS[phrase]
        else:
            yield from _takes(kind.type)
    elif isinstance(kind, UnionType):
        for one in sorted(kind.types, key=_rank):
            yield from _takes(one)
    elif isinstance(kind, LiteralType):
        yield ", ".join(f"`{value}`" for value in kind.values)
    elif isinstance(kind, IntType):
        yield "a number" if kind.ge is None or kind.ge < 0 else f"a number from {kind.ge} to {kind.le}"
    elif isinstance(kind, StrType):
        yield "a word"
    elif isinstance(kind, ListType):
        inside = list(_takes(kind.item_type))
        yield f"a list of {'steps' if 'a step' in inside else 'units'}"
    elif isinstance(kind, CustomType):
        yield "a step"
    elif isinstance(kind, BoolType):
        yield "`true`"


def _rank(kind: Type) -> int:
    """Return the place of a type among others: Python may give the parts of a union in another order than written."""
    while isinstance(kind, Metadata):
        kind = kind.type
    return RANKS.index(type(kind)) if type(kind) in RANKS else len(RANKS)


RANKS = (IntType, StrType, LiteralType, ListType, CustomType, BoolType)


# ---------------------------------------------------------------- what an ability uses


def used(ability: Ability) -> dict[Mark, str]:
    """Return everything of the language that ``ability`` uses: keys, and forms of phrases with a phrase each."""
    found: dict[Mark, str] = {}
    for mark, phrase in _used(ability):
        if len(phrase) <= len(found.get(mark, phrase)):
            found[mark] = phrase
    return found


def _used(record: Ability | Word) -> Iterator[tuple[Mark, str]]:
    kind = "step" if isinstance(record, Word) else "ability"
    for field in _fields(type(record)):
        value = getattr(record, field.name)
        if value is None or value is False or value == []:
            continue
        kinds = _phrases(field.type)
        yield (kind, field.encode_name if isinstance(record, Word) else field.name), ""
        for one in _flat(value):
            if isinstance(one, Word):
                yield from _used(one)
            elif "amount" in kinds and isinstance(one, int):
                yield ("phrase", "number"), str(one)
            elif isinstance(one, str):
                yield from _in_phrase(one, kinds)


def _flat(value: Any) -> Iterator[Any]:
    if isinstance(value, list):
        for one in value:
            yield from _flat(one)
    else:
        yield value


def _phrases(kind: Type) -> frozenset[str]:
    """Return the kinds of phrase that a value of a type may be."""
    if isinstance(kind, Metadata):
        phrase = (kind.extra or {}).get("phrase")
        return frozenset([phrase]) if phrase is not None else _phrases(kind.type)
    if isinstance(kind, UnionType):
        return frozenset(phrase for one in kind.types for phrase in _phrases(one))
    return _phrases(kind.item_type) if isinstance(kind, ListType) else frozenset()


def _in_phrase(phrase: str, kinds: Iterable[str]) -> Iterator[tuple[Mark, str]]:
    for kind in kinds:
        start = "selector" if kind == "cards" else kind
        if start in phrases.STARTS:
            try:
                forms = phrases.forms(phrase, start)
            except phrases.PhraseError:
                continue  # words that stand for themselves, as "hand"
            yield from ((("phrase", form), phrase) for form in forms)


# ---------------------------------------------------------------- what the grammar says

SHOWN = {
    "selector": "…", "amount": "…", "TRAIT": "…", "NUMBER": "2", "SIGNED": "+1", "SIGNED?": "+1", "PRONOUN": "it",
}  # fmt: skip
"""What stands for the changing parts of a form."""
A_TRAIT = "Pilot"


@cache
def grammar() -> dict[str, list[Form]]:
    """Return the forms of each rule of the grammar that say what they mean, by the name of the rule."""
    found: dict[str, list[Form]] = defaultdict(list)
    rule = ""
    for line in GRAMMAR.read_text(encoding="utf-8").splitlines():
        body, marked, meaning = line.partition("//")
        head, colon, rest = body.partition(":")
        if colon and '"' not in head:
            rule, body = head.partition(".")[0].strip(), rest
        if marked and body.strip():
            words, _, name = body.strip().removeprefix("|").partition("->")
            ways = [_words(way) for way in words.split(" | ")]
            found[rule].append(Form(frozenset([name.strip()] if name else ways), ways[-1], meaning.strip()))
    return found


def _words(body: str) -> str:
    """Return the words of a form: quoted ones as they are, examples for the others."""
    parts = body.split('"')
    words = [word if place % 2 else _shown(word) for place, word in enumerate(parts)]
    noun = " ".join(filter(None, words)).replace("- X", "-X")
    return A_TRAIT if noun == SHOWN["TRAIT"] else noun


def _shown(symbols: str) -> str:
    return " ".join(SHOWN.get(symbol) or _literal(symbol) for symbol in symbols.split())


def _literal(terminal: str) -> str:
    """Return the last of the words that a terminal stands for."""
    lines = GRAMMAR.read_text(encoding="utf-8").splitlines()
    line = next(line for line in lines if line.startswith((f"{terminal}:", f"{terminal}.")))
    return line.partition("//")[0].split('"')[-2]


# ---------------------------------------------------------------- examples


def examples(folders: Iterable[Path]) -> list[Example]:
    """Return every ability in the sets ``folders``, the shortest first."""
    found = []
    folders = list(folders)
    for folder, one in zip(folders, read_sets(folders), strict=True):
        written = _written(folder)
        numbers = {printing.card: printing.number for printing in one.printings}
        for card in one.cards:
            for ability, text in zip(card.abilities, written.get(numbers[card.id], ()), strict=True):
                words = plain(ability_text(card, ability).text)
                found.append(Example(card, text, words, used(ability)))
    return sorted(found, key=lambda example: (len(example.yaml), example.card.id, example.yaml))


def _written(folder: Path) -> dict[int, list[str]]:
    """Return the abilities of each card in ``folder``, by its number, as their author wrote them."""
    found: dict[int, list[str]] = {}
    for path in sorted(folder.glob("*.yaml")):
        text = path.read_text(encoding="utf-8")
        root = yaml.compose(text)
        if path.name == "set.yaml" or not isinstance(root, yaml.SequenceNode):
            continue
        for card in root.value:
            facts = {key.value: value for key, value in card.value}
            if "abilities" in facts:
                found[int(facts["number"].value)] = [_source(text, node) for node in facts["abilities"].value]
    return found


def _source(text: str, node: yaml.Node) -> str:
    """Return the text of ``node``, an item of a list, as it would stand alone."""
    lines = text[node.start_mark.index : node.end_mark.index].rstrip().splitlines()
    indent = node.start_mark.column - len("- ")
    return "\n".join([f"- {lines[0]}", *(line[indent:] for line in lines[1:])])
