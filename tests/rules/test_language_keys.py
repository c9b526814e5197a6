"""What a word says about itself is what it does: every word, and the keys that go with its verb."""

from __future__ import annotations

from typing import Any

import msgspec
import pytest

from ccg.rules.cards.schema import Ability
from ccg.rules.effects.compiling import _Compiler
from ccg.rules.effects.language import WORDS, step
from ccg.rules.effects.word import GROUPS, Word, field_of
from ccg.rules.effects.words.common import LastingChange
from tests.rules import samples


def noticing(word: type[Word], read: set[str]) -> type[Word]:
    """A word like ``word`` that notes in ``read`` which of its fields are asked for."""

    class Noticing(word):  # type: ignore[misc, valid-type]
        def __getattribute__(self, name: str) -> Any:
            if name in word.__struct_fields__:
                read.add(name)
            return object.__getattribute__(self, name)

    return Noticing


def test_every_key_says_what_it_means() -> None:
    for word in WORDS.values():
        assert word.__doc__, word.verb
        info = msgspec.inspect.type_info(word)
        assert isinstance(info, msgspec.inspect.StructType)
        for field in info.fields:
            kind: Any = field.type
            meant = ""
            while isinstance(kind, msgspec.inspect.Metadata):
                meant = (kind.extra_json_schema or {}).get("description", meant)
                kind = kind.type
            assert meant or field.encode_name == word.verb, (word.verb, field.encode_name)
    schema = msgspec.json.schema(Ability, schema_hook=lambda kind: {"title": kind.__name__})["$defs"]["Ability"][
        "properties"
    ]
    assert all(about.get("description") for about in schema.values())


def test_every_word_is_in_a_group_and_says_where_the_rulebook_speaks_of_it() -> None:
    assert {word.group for word in WORDS.values()} == set(GROUPS)
    assert all(word.section for word in WORDS.values())


@pytest.mark.parametrize("verb", WORDS)
def test_a_word_reads_the_keys_that_go_with_it(verb: str) -> None:
    word = WORDS[verb]
    said = {key: list(samples.values(kind)) for key, kind in samples.keys(word).items()}
    read: set[str] = set()
    for value in said[verb]:
        plain = step(**{key: value if key == verb else said[key][0] for key in said})
        noted = noticing(word, read)(**{name: getattr(plain, name) for name in word.__struct_fields__})
        if noted.only != "always" and verb != "add":  # what adds to a stack is a form of its own
            noted.compiled(_Compiler(), False)
        if isinstance(noted, LastingChange):
            noted.continuous()

    fields = {field_of(word, key): key for key in said if key != verb}
    unread = [key for name, key in fields.items() if name not in read]
    assert not unread, f"{word.__name__}, the word `{verb}`, takes {unread} and compiles without looking at it"


def test_the_forms_of_an_ability_name_keys_that_are_there() -> None:
    fields = {field.encode_name: field for field in msgspec.structs.fields(Ability)}
    forms = [
        one.extra
        for field in fields.values()
        for one in getattr(field.type, "__metadata__", ())
        if one.extra and "form" in one.extra
    ]
    assert len(forms) == 9
    assert all(set(about["keys"]) <= fields.keys() for about in forms)
